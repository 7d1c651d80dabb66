-- form: concurrent
-- The members whom no mail has invited yet, without reading all others of the workspace.
create index concurrently if not exists workspace_memberships_uninvited on workspace_memberships (workspace_id, user_id)
  where awaits_invitation and joined_at is null;
