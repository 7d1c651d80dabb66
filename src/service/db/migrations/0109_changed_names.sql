-- form: concurrent
-- The few members whose watermarks show another name than their present one: a list of what is to be done counts them.
create index concurrently if not exists workspace_memberships_changed_names on workspace_memberships (workspace_id, id desc)
  where marked_first_name is not null;
