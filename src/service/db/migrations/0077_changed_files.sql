-- form: concurrent
-- What is new in a workspace, without reading the views between: they are most of its activities.
create index concurrently if not exists activities_of_changed_files
  on activities (workspace_id, created_at desc, id desc) include (user_id, subject_id)
  where subject_type = 'Asset' and verb in ('created', 'updated');
