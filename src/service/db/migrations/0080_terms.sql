-- What is being written, for a workspace (group_id 0) or one of its groups.
create table terms_drafts (
  workspace_id int not null,
  group_id int not null,
  title text not null,
  text text not null,
  asks_name boolean not null,
  updated_at timestamptz(3) not null,
  updated_by_id int not null,
  primary key (workspace_id, group_id)
);

create table terms_versions (
  workspace_id int not null,
  id int not null generated always as identity,
  group_id int not null,
  -- The group at that time, "" for the workspace.
  group_name text not null,
  version int not null,
  title text not null,
  text text not null,
  -- Of the text as UTF-8.
  sha256 bytea not null,
  asks_name boolean not null,
  issued_at timestamptz(3) not null,
  issued_by_id int not null,
  withdrawn_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index terms_versions_number on terms_versions (workspace_id, group_id, version);

create function keep_terms_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.withdrawn_at is not null
    or to_jsonb(new) - 'withdrawn_at' <> to_jsonb(old) - 'withdrawn_at' then
    raise exception 'an issued version of terms never changes';
  end if;
  return new;
end $$;
create trigger keep_terms_version before update or delete on terms_versions
  for each row execute function keep_terms_version();

create table terms_answers (
  workspace_id int not null,
  id int not null generated always as identity,
  terms_id int not null,
  user_id int not null,
  accepted boolean not null,
  answered_at timestamptz(3) not null,
  ip text not null,
  -- As they were then.
  user_name text not null,
  email text not null,
  company text not null,
  typed_name text not null,
  primary key (workspace_id, id)
);
create index terms_answers_user on terms_answers (workspace_id, user_id, terms_id);

-- The version in force. A group's own replaces that of its workspace.
alter table workspaces add column terms_id int;
alter table groups add column terms_id int;
-- Some version has been in force for the workspace or a group of it.
alter table workspaces add column has_terms boolean not null default false;
-- Versions that the member has accepted, among those in force then.
alter table workspace_memberships add column accepted_terms int[] not null default '{}';
