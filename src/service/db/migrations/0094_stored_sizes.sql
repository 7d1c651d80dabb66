-- form: concurrent
-- What the workspaces of a team store, counted and added up without reading the versions themselves.
create index concurrently if not exists file_versions_size on file_versions (workspace_id) include (file_size);
