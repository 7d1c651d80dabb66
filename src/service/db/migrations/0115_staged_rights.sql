-- Changes of rights that admins stage, to publish them together. They give nobody a right. A row covers the folder and
-- everything below it; a later one deletes those of its group and flag that it covers.
create table staged_rights (
  workspace_id int not null,
  group_id int not null,
  flag text not null check (flag in ('view', 'download', 'upload')),
  folder_id int not null,
  value boolean not null,
  staged_by_id int not null,
  staged_at timestamptz(3) not null,
  primary key (workspace_id, group_id, flag, folder_id),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, folder_id) references folders on delete cascade
);
create index staged_rights_folder on staged_rights (workspace_id, folder_id);

-- The rights that will be set once the staged ones are published. Those on folders in the trash wait.
create view planned_permissions as
  select p.workspace_id, p.group_id, p.flag, p.folder_id, p.id_path, p.value from set_permissions p
  where not exists (
    select from staged_rights s
    where s.workspace_id = p.workspace_id and s.group_id = p.group_id and s.flag = p.flag and s.folder_id = any(p.id_path))
  union all
  select s.workspace_id, s.group_id, s.flag, s.folder_id, f.id_path, s.value
  from staged_rights s join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
  where f.deleted_at is null;
