-- A draft: a folder on which, and below which, no group has a right until it is published. Drafts come behind their
-- siblings, so that neither the numbers of other folders nor those of files tell of them.
alter table folders add column is_draft boolean not null default false;

-- A row with `withholds` stands at a draft, for each group and flag, with the value false: the nearest row decides, so that
-- every reader of this table is refused. What is set at the draft and below it waits in `withheld_permissions`. A draft in
-- the trash has no rows, like every folder there.
alter table folder_permissions add column withholds boolean not null default false;

create table withheld_permissions (
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
create index withheld_permissions_subtree on withheld_permissions (workspace_id, group_id, flag, id_path);
create index withheld_permissions_folder on withheld_permissions (workspace_id, folder_id);

-- The rights as admins have set them, which apply once every draft is published.
create view set_permissions as
  select workspace_id, group_id, flag, folder_id, id_path, value from folder_permissions where not withholds
  union all
  select workspace_id, group_id, flag, folder_id, id_path, value from withheld_permissions;

create function is_in_draft(workspace int, path int[]) returns boolean
  language sql stable
  as $$ select exists (
    select from folders d where d.workspace_id = workspace and d.is_draft and d.id = any(path)) $$;

create function withhold_rights(workspace int, draft int, path int[]) returns void
  language plpgsql
  as $$ begin
    insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value, withholds)
    select workspace, g.id, f.flag, draft, path, false, true
    from groups g cross join unnest(array['view', 'download', 'upload']) f (flag) where g.workspace_id = workspace
    on conflict do nothing;
  end $$;

create function draft_added() returns trigger
  language plpgsql
  as $$ begin
    perform withhold_rights(new.workspace_id, new.id, new.id_path);
    return null;
  end $$;

create function draft_removed() returns trigger
  language plpgsql
  as $$ begin
    delete from folder_permissions p where p.workspace_id = old.workspace_id and p.folder_id = old.id and p.withholds;
    return old;
  end $$;

-- Sets aside what is set in a folder that becomes a draft, or brings back what is in no other draft.
create function draft_changed() returns trigger
  language plpgsql
  as $$
  declare
    path_end int[] := id_path_end(new.id_path);
  begin
    if new.is_draft and not old.is_draft then
      with gone as (
        delete from folder_permissions p
        where p.workspace_id = new.workspace_id and p.id_path >= new.id_path and p.id_path < path_end and not p.withholds
        returning *
      )
      insert into withheld_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select workspace_id, group_id, flag, folder_id, id_path, value from gone;
    end if;
    if old.is_draft then
      delete from folder_permissions p where p.workspace_id = new.workspace_id and p.folder_id = new.id and p.withholds;
    end if;
    if new.is_draft and new.deleted_at is null then
      perform withhold_rights(new.workspace_id, new.id, new.id_path);
    elsif not new.is_draft then
      with back as (
        delete from withheld_permissions p
        where p.workspace_id = new.workspace_id and p.id_path >= new.id_path and p.id_path < path_end
          and not is_in_draft(p.workspace_id, p.id_path)
        returning *
      )
      insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select workspace_id, group_id, flag, folder_id, id_path, value from back;
    end if;
    return null;
  end $$;

create trigger draft_added after insert on folders for each row when (new.is_draft) execute function draft_added();
create trigger draft_removed before delete on folders for each row when (old.is_draft) execute function draft_removed();
create trigger draft_changed after update on folders for each row
  when ((old.is_draft or new.is_draft)
    and (old.is_draft, old.id_path, old.deleted_at) is distinct from (new.is_draft, new.id_path, new.deleted_at))
  execute function draft_changed();

create function group_added() returns trigger
  language plpgsql
  as $$ begin
    insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value, withholds)
    select d.workspace_id, new.id, f.flag, d.id, d.id_path, false, true
    from folders d cross join unnest(array['view', 'download', 'upload']) f (flag)
    where d.workspace_id = new.workspace_id and d.is_draft and d.deleted_at is null
    on conflict do nothing;
    return null;
  end $$;

create trigger group_added after insert on groups for each row execute function group_added();

-- The index behind the last subfolder, or behind the last that is not a draft: the trigger below makes room for it.
create function next_folder_index(workspace int, parent int, of_draft boolean) returns int
  language plpgsql volatile
  as $$ begin
    return (select coalesce(max(f.index), 0) + 1 from folders f
      where f.workspace_id = workspace and f.parent_id = parent and f.deleted_at is null and (of_draft or not f.is_draft));
  end $$;

-- Whether a draft of a folder is not behind all siblings that are none, or has the index of another draft. `offset 0` keeps
-- a plan made for few folders from reading all of them later.
create function has_drafts_between(workspace int, parent int) returns boolean
  language sql stable
  as $$ select exists (
    select from (
      select * from folders f where f.workspace_id = workspace and f.parent_id = parent and f.is_draft
        and f.deleted_at is null offset 0
    ) d cross join lateral (
      select from folders s where s.workspace_id = workspace and s.parent_id = parent and s.deleted_at is null
        and s.index >= d.index and (not s.is_draft or s.index = d.index and s.id <> d.id) offset 0
    ) s) $$;

-- Puts drafts behind their siblings where one is not. A gap alone is left to the statement that closes it. The first
-- condition is the quick one, since most folders have no drafts.
create function drafts_behind() returns trigger
  language plpgsql
  as $$ begin
    if exists (
      select from folders d where d.workspace_id = new.workspace_id and d.parent_id = new.parent_id and d.is_draft
        and d.deleted_at is null
    ) and has_drafts_between(new.workspace_id, new.parent_id) then
      with wanted as materialized (
        select s.id, (row_number() over (order by s.is_draft, s.index, s.id))::int as index from folders s
        where s.workspace_id = new.workspace_id and s.parent_id = new.parent_id and s.deleted_at is null
      )
      update folders f set index = w.index from wanted w
      where f.workspace_id = new.workspace_id and f.id = w.id and f.index <> w.index;
    end if;
    return null;
  end $$;

create trigger drafts_behind_inserted after insert on folders for each row execute function drafts_behind();
create trigger drafts_behind_updated after update on folders for each row
  when ((old.parent_id, old.index, old.deleted_at, old.is_draft)
    is distinct from (new.parent_id, new.index, new.deleted_at, new.is_draft))
  execute function drafts_behind();

-- As in 0041, and a listing shows which of its subfolders are drafts.
create or replace function folders_updated() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (
      with pair as materialized (
        select n.workspace_id, o.parent_id as former_id, n.parent_id,
          (o.parent_id, o.deleted_at) is distinct from (n.parent_id, n.deleted_at) as is_counted
        from former o join changed n on n.workspace_id = o.workspace_id and n.id = o.id
        where (o.name, o.index, o.created_at, o.updated_at, o.last_updated_user_id, o.parent_id, o.deleted_at, o.is_draft)
          is distinct from (n.name, n.index, n.created_at, n.updated_at, n.last_updated_user_id, n.parent_id, n.deleted_at,
            n.is_draft)
      )
      select workspace_id, former_id as folder_id from pair
      union
      select workspace_id, parent_id from pair
      union
      select workspace_id, parent_of(workspace_id, former_id) from pair where is_counted
      union
      select workspace_id, parent_of(workspace_id, parent_id) from pair where is_counted
    ) place;
    return null;
  end $$;

-- As in 0040, for rights as admins have set them: on a draft and below it, they are withheld.
create or replace function set_rights(workspace int, of_group int, folder int, path int[], flags text[], wanted boolean[])
  returns jsonb language plpgsql volatile set plan_cache_mode = force_generic_plan
  as $$
  declare
    above int[] := path[:cardinality(path) - 1];
    path_end int[] := id_path_end(path);
    in_draft boolean := is_in_draft(workspace, path);
    changes jsonb;
  begin
    with gone as (
      delete from folder_permissions p
      where p.workspace_id = workspace and p.group_id = of_group and p.flag = any(flags)
        and p.id_path >= path and p.id_path < path_end and not p.withholds
      returning p.flag, p.folder_id, p.value
    ), gone_withheld as (
      delete from withheld_permissions p
      where p.workspace_id = workspace and p.group_id = of_group and p.flag = any(flags)
        and p.id_path >= path and p.id_path < path_end
      returning p.flag, p.folder_id, p.value
    ), in_trash as (
      delete from trashed_permissions p
      where p.workspace_id = workspace and p.group_id = of_group and p.flag = any(flags)
        and p.id_path >= path and p.id_path < path_end
    ), former as (
      select g.flag, bool_and(g.value) filter (where g.folder_id = folder) as own,
        count(*) filter (where g.folder_id <> folder) as count,
        (array_agg(jsonb_build_object('folder_id', g.folder_id, 'value', g.value) order by g.folder_id)
          filter (where g.folder_id <> folder))[:1000] as overrides
      from (select * from gone union all select * from gone_withheld) g group by g.flag
    ), setting as (
      -- The join waits for all deletions, so that none of them hits an inserted row.
      select w.flag, w.value as after, f.own, f.count, f.overrides, coalesce((
          select p.value from set_permissions p
          where p.workspace_id = workspace and p.group_id = of_group and p.flag = w.flag and p.folder_id = any(above)
          order by cardinality(p.id_path) desc limit 1), false) as inherited
      from unnest(flags, wanted) w (flag, value) left join former f on f.flag = w.flag
    ), inserted as (
      insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select workspace, of_group, s.flag, folder, path, s.after from setting s
      where s.after <> s.inherited and not in_draft
    ), inserted_withheld as (
      insert into withheld_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select workspace, of_group, s.flag, folder, path, s.after from setting s
      where s.after <> s.inherited and in_draft
    )
    select jsonb_object_agg(s.flag, jsonb_build_object(
      'before', jsonb_build_object('value', coalesce(s.own, s.inherited), 'count', coalesce(s.count, 0),
        'overrides', coalesce(s.overrides, '{}')),
      'after', jsonb_build_object('value', s.after)))
    into changes from setting s;
    return changes;
  end $$;
