-- form: concurrent
-- What is new in a workspace: files that were added, changed or copied. Takes the place of activities_of_changed_files, and
-- serves the statements of the release before, which leave out copies.
create index concurrently if not exists activities_of_arrived_files
  on activities (workspace_id, created_at desc, id desc) include (user_id, subject_id)
  where subject_type = 'Asset' and verb in ('created', 'updated', 'copied');
create index concurrently if not exists activities_of_arrived_files_by_user
  on activities (workspace_id, user_id, created_at desc, id desc) include (subject_id)
  where subject_type = 'Asset' and verb in ('created', 'updated', 'copied') and user_id >= 0;
drop index concurrently if exists activities_of_changed_files;
drop index concurrently if exists activities_of_changed_files_by_user;
