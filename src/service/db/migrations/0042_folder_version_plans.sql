-- The parents of changed folders, each found by the primary key: PostgreSQL expects a thousand changed rows and would read
-- the folders of all workspaces instead. `offset 0` keeps the lookups apart from the join.
create or replace function folders_changed() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (
      with parent as materialized (select distinct workspace_id, parent_id as id from changed)
      select workspace_id, id as folder_id from parent
      union
      select p.workspace_id, p.parent_id from parent cross join lateral (
        select * from folders f where f.workspace_id = parent.workspace_id and f.id = parent.id offset 0
      ) p
    ) place;
    if tg_op = 'DELETE' then
      delete from folder_versions v using changed c where v.workspace_id = c.workspace_id and v.folder_id = c.id;
    end if;
    return null;
  end $$;

create or replace function folders_updated() returns trigger
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
      ), parent as materialized (
        select workspace_id, former_id as id, is_counted from pair
        union
        select workspace_id, parent_id, is_counted from pair
      )
      select workspace_id, id as folder_id from parent
      union
      select p.workspace_id, p.parent_id from parent cross join lateral (
        select * from folders f where f.workspace_id = parent.workspace_id and f.id = parent.id offset 0
      ) p
      where parent.is_counted
    ) place;
    return null;
  end $$;
