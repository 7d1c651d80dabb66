-- A draft group: nobody is in it until it is published. Whoever is added waits in `draft_memberships`, which only admins
-- read, and is neither in the group nor, through it, in the workspace. So every statement that asks for memberships
-- refuses, and publishing moves the rows.
alter table groups add column is_draft boolean not null default false;

create table draft_memberships (
  workspace_id int not null,
  group_id int not null,
  user_id int not null,
  -- A membership keeps its id when its group is published.
  id int not null default nextval('group_memberships_id_seq'),
  organization_id int not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, group_id, user_id),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (organization_id, user_id) references users
);
create index draft_memberships_user on draft_memberships (organization_id, user_id);

-- As for `group_memberships`: to admins, the size of a draft group is the number of people who wait.
create trigger draft_members_added after insert on draft_memberships referencing new table as changed
  for each statement execute function group_members_added();
create trigger draft_members_removed after delete on draft_memberships referencing old table as changed
  for each statement execute function group_members_removed();
