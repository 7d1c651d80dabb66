-- form: concurrent
-- Members who may have news that were not mailed to them, without reading all others of the workspace.
create index concurrently if not exists workspace_memberships_mailed on workspace_memberships (workspace_id, mailed_until)
  where joined_at is not null and mail_frequency is distinct from 'off';
-- The time zones that somebody has, without reading everybody.
create index concurrently if not exists users_time_zone on users (time_zone);
