-- form: concurrent
-- What others changed, without reading all that the reader changed. The condition on user_id holds for every row: it keeps
-- the index from queries about all users, which it would have to sort for.
create index concurrently if not exists activities_of_changed_files_by_user
  on activities (workspace_id, user_id, created_at desc, id desc) include (subject_id)
  where subject_type = 'Asset' and verb in ('created', 'updated') and user_id >= 0;
