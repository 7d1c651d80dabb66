-- The version of what a folder's listing shows: its files, its subfolders, and the numbers of subfolders in these. Folder
-- -1 stands for the overrides of view in the workspace. The version is the sum over the rows of a folder. A change adds to
-- a row that no other transaction has locked, so that writers neither wait for each other here nor deadlock. It adds a
-- random number: a database that was restored from a backup does not come to a version again that had other content.
create table folder_versions (
  workspace_id int not null,
  folder_id int not null,
  part bigint generated always as identity,
  version bigint not null,
  primary key (workspace_id, folder_id, part)
) with (fillfactor = 50);

create function renew_folders(workspaces int[], folders int[]) returns void
  language plpgsql
  as $$ begin
    if workspaces is null then return; end if;
    with place as (
      select distinct p.workspace_id, p.folder_id from unnest(workspaces, folders) p (workspace_id, folder_id)
      where p.folder_id is not null
    ), free as materialized (
      select v.* from place cross join lateral (
        select * from folder_versions f where f.workspace_id = place.workspace_id and f.folder_id = place.folder_id
        limit 1 for update skip locked
      ) v
    ), renewed as (
      update folder_versions v set version = v.version + 1 + floor(random() * 1e9)::bigint from free
      where v.workspace_id = free.workspace_id and v.folder_id = free.folder_id and v.part = free.part
    )
    insert into folder_versions (workspace_id, folder_id, version)
    select place.workspace_id, place.folder_id, 1 + floor(random() * 1e9)::bigint from place
    where not exists (
      select from free where free.workspace_id = place.workspace_id and free.folder_id = place.folder_id);
  end $$;

create function files_changed() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (select distinct workspace_id, folder_id from changed) place;
    return null;
  end $$;

create function files_updated() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (select workspace_id, folder_id from former union select workspace_id, folder_id from changed) place;
    return null;
  end $$;

create trigger files_inserted after insert on files referencing new table as changed
  for each statement execute function files_changed();
create trigger files_deleted after delete on files referencing old table as changed
  for each statement execute function files_changed();
create trigger files_updated after update on files referencing old table as former new table as changed
  for each statement execute function files_updated();

-- A join of few folders with their parents might read all folders. As a subquery it never does.
create function parent_of(workspace int, folder int) returns int
  language sql stable
  as $$ select f.parent_id from folders f where f.workspace_id = workspace and f.id = folder $$;

-- A subfolder more or less also changes the listing that shows the parent.
create function folders_changed() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (
      select workspace_id, parent_id as folder_id from changed
      union
      select c.workspace_id, parent_of(c.workspace_id, c.parent_id) from changed c
    ) place;
    if tg_op = 'DELETE' then
      delete from folder_versions v using changed c where v.workspace_id = c.workspace_id and v.folder_id = c.id;
    end if;
    return null;
  end $$;

-- The id path is not compared: a listing shows the paths of its subfolders only as parts of the folder's own path.
create function folders_updated() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (
      with pair as materialized (
        select n.workspace_id, o.parent_id as former_id, n.parent_id,
          (o.parent_id, o.deleted_at) is distinct from (n.parent_id, n.deleted_at) as is_counted
        from former o join changed n on n.workspace_id = o.workspace_id and n.id = o.id
        where (o.name, o.index, o.created_at, o.updated_at, o.last_updated_user_id, o.parent_id, o.deleted_at)
          is distinct from (n.name, n.index, n.created_at, n.updated_at, n.last_updated_user_id, n.parent_id, n.deleted_at)
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

create trigger folders_inserted after insert on folders referencing new table as changed
  for each statement execute function folders_changed();
create trigger folders_deleted after delete on folders referencing old table as changed
  for each statement execute function folders_changed();
create trigger folders_updated after update on folders referencing old table as former new table as changed
  for each statement execute function folders_updated();

create function overrides_changed() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(-1))
    from (select distinct workspace_id from changed where flag = 'view') place;
    return null;
  end $$;

create trigger overrides_inserted after insert on folder_permissions referencing new table as changed
  for each statement execute function overrides_changed();
create trigger overrides_deleted after delete on folder_permissions referencing old table as changed
  for each statement execute function overrides_changed();
create trigger overrides_updated after update on folder_permissions referencing new table as changed
  for each statement execute function overrides_changed();
