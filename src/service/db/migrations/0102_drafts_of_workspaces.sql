-- form: concurrent
-- The drafts of a workspace, of a path and of a parent: few, whatever the size of the workspace.
create index concurrently if not exists folders_drafts on folders (workspace_id, parent_id, id) where is_draft;
