-- Acts outside of workspaces have a trail of their own, one per organization, in the same tables: there `workspace_id` is 0
-- and `organization_id` names it. In the trails of workspaces `organization_id` is 0.

-- Refused attempts on workspaces of nobody: they belong to the trail of the caller's organization from now on.
delete from audit_inbox where workspace_id = 0;
alter table audit_inbox add column organization_id int not null default 0;
alter table audit_inbox drop constraint audit_inbox_pkey;
alter table audit_inbox add primary key (workspace_id, organization_id, id);
alter table audit_inbox add check ((workspace_id = 0) <> (organization_id = 0));

alter table audit_records add column organization_id int not null default 0;
alter table audit_records drop constraint audit_records_pkey;
alter table audit_records add primary key (workspace_id, organization_id, seq);
-- What the entry says of persons, JSON: [{of, sealed}], each sealed under the key of that person. The entry itself holds
-- only digests of it. Null in records from before there were keys.
alter table audit_records add column personal text;

alter table audit_checkpoints add column organization_id int not null default 0;
alter table audit_checkpoints drop constraint audit_checkpoints_pkey;
alter table audit_checkpoints add primary key (workspace_id, organization_id, seq);

-- A key for each person that audit records speak of. Without it, nobody can read any more what they say of that person.
create table audit_keys (
  organization_id int not null,
  user_id int not null,
  -- AES-256, sealed under the master key; null once the person's data was erased, for good.
  key_sealed bytea,
  created_at timestamptz(3) not null default now(),
  erased_at timestamptz(3),
  primary key (organization_id, user_id),
  check ((key_sealed is null) = (erased_at is not null))
);

-- Whom a message names beside whoever acted, and how it reads once that person's data was erased.
alter table activities add column about_user_id int;
alter table activities add column erased_message text;
create index activities_about_user on activities (workspace_id, about_user_id) where about_user_id is not null;
