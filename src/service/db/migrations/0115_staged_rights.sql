-- Changes of rights that admins stage, to publish them together. They give nobody a right. A row covers the folder and
-- everything below it, where later ones make exceptions. Moving a folder deletes its rows, as its other rights.
create table staged_rights (
  workspace_id int not null,
  group_id int not null,
  flag text not null check (flag in ('view', 'download', 'upload')),
  folder_id int not null,
  value boolean not null,
  staged_by_id int not null,
  staged_at timestamptz(3) not null,
  primary key (workspace_id, group_id, folder_id, flag),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, folder_id) references folders on delete cascade
);
create index staged_rights_folder on staged_rights (workspace_id, folder_id);

-- The rights that will be set once the staged ones are published. Those on folders in the trash wait. `offset 0` keeps the
-- index probe for each row: a join would compare each with all that are staged for its group.
create view planned_permissions as
  select p.workspace_id, p.group_id, p.flag, p.folder_id, p.id_path, p.value from set_permissions p
  where not exists (
    select from staged_rights s
    where s.workspace_id = p.workspace_id and s.group_id = p.group_id and s.flag = p.flag and s.folder_id = any(p.id_path)
    offset 0)
  union all
  select s.workspace_id, s.group_id, s.flag, s.folder_id, f.id_path, s.value
  from staged_rights s join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
  where f.deleted_at is null;

-- Stages flags of a group on a folder: they replace what is staged for it, and other values below. All flags of the folder
-- are kept, so that none goes without one that it needs, unless none of them changes a right. Requires the lock of the group.
create function stage_rights(workspace int, of_group int, folder int, path int[], flags text[], wanted boolean[], by_id int)
  returns boolean language plpgsql volatile
  as $$
  declare
    all_flags text[];
    all_wanted boolean[];
    is_kept boolean;
  begin
    select array_agg(w.flag), array_agg(w.value) into all_flags, all_wanted
    from (
      select w.flag, w.value from unnest(flags, wanted) w (flag, value)
      union all
      select s.flag, s.value from staged_rights s
      where s.workspace_id = workspace and s.group_id = of_group and s.folder_id = folder and s.flag <> all(flags)
    ) w;
    delete from staged_rights s using folders f
    where s.workspace_id = workspace and s.group_id = of_group and f.workspace_id = workspace and f.id = s.folder_id
      and f.id_path >= path and f.id_path < id_path_end(path)
      and (f.id = folder or exists (
        select from unnest(flags, wanted) w (flag, value) where w.flag = s.flag and w.value <> s.value));
    select coalesce(bool_or(w.value <> coalesce((
        select p.value from planned_permissions p
        where p.workspace_id = workspace and p.group_id = of_group and p.flag = w.flag and p.folder_id = any(path)
        order by cardinality(p.id_path) desc limit 1), false)
      or exists (
        select from planned_permissions p
        where p.workspace_id = workspace and p.group_id = of_group and p.flag = w.flag and p.value <> w.value
          and p.id_path > path and p.id_path < id_path_end(path))), false) into is_kept
    from unnest(all_flags, all_wanted) w (flag, value);
    insert into staged_rights (workspace_id, group_id, flag, folder_id, value, staged_by_id, staged_at)
    select workspace, of_group, w.flag, folder, w.value, by_id, clock_timestamp()
    from unnest(all_flags, all_wanted) w (flag, value) where is_kept;
    return is_kept;
  end $$;
