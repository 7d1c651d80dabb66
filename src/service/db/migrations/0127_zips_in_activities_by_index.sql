-- form: concurrent
-- The feed, without the acts that it does not show by themselves: a zip of a large workspace has one for every file.
create index concurrently if not exists activities_of_feed on activities (workspace_id, created_at desc, id desc)
  where folded_into is null or zip_files is not null;
create index concurrently if not exists activities_of_zip on activities (workspace_id, folded_into, id)
  where folded_into is not null;
-- How often somebody viewed the workspace on a day.
create index concurrently if not exists activities_of_visits on activities (workspace_id, user_id, created_at)
  where verb = 'viewed' and subject_type = 'Workspace';
