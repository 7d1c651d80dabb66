-- What was set on deleted folders, for their return. What is set above them meanwhile, or a move of what they are in, ends
-- it as it would have.
create table trashed_permissions (
  workspace_id int not null,
  group_id int not null,
  flag text not null check (flag in ('view', 'download', 'upload')),
  folder_id int not null,
  id_path int[] not null,
  value boolean not null,
  primary key (workspace_id, group_id, folder_id, flag),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, folder_id) references folders on delete cascade
);
create index trashed_permissions_subtree on trashed_permissions (workspace_id, group_id, flag, id_path);
create index trashed_permissions_folder on trashed_permissions (workspace_id, folder_id);

-- Search counts its matches in another way.
drop function matching_entries;
