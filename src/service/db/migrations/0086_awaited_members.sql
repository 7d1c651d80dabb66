-- form: concurrent
-- The members whom the news of a workspace name, without reading all others.
create index concurrently if not exists workspace_memberships_awaited on workspace_memberships (workspace_id, id)
  where joined_at is null and not awaits_invitation;
