-- Sets flags of a group on a folder and everything below it: deletes the rows there, including rows of trashed folders, then
-- inserts a row for each flag whose wanted value differs from the inherited one; null inherits. A function of its own,
-- because a volatile function sees what was committed when it is called: a statement that waits for the locks of the folder
-- and the group sees only what was committed when it began.
--
-- Returns the former and the wanted value of each flag, with the number of the rows below that were deleted and the first
-- of them: {"view": {"before": {"value": …, "count": …, "overrides": […]}, "after": {"value": …}}}.
create function set_rights(workspace int, of_group int, folder int, path int[], flags text[], wanted boolean[])
  returns jsonb language plpgsql volatile set plan_cache_mode = force_generic_plan
  as $$
  declare
    above int[] := path[:cardinality(path) - 1];
    path_end int[] := id_path_end(path);
    changes jsonb;
  begin
    with gone as (
      delete from folder_permissions p
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
      from gone g group by g.flag
    ), setting as (
      -- The join waits for all deletions, so that none of them hits an inserted row.
      select w.flag, w.value as after, f.own, f.count, f.overrides, coalesce((
          select p.value from folder_permissions p
          where p.workspace_id = workspace and p.group_id = of_group and p.flag = w.flag and p.folder_id = any(above)
          order by cardinality(p.id_path) desc limit 1), false) as inherited
      from unnest(flags, wanted) w (flag, value) left join former f on f.flag = w.flag
    ), inserted as (
      insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select workspace, of_group, s.flag, folder, path, s.after from setting s where s.after <> s.inherited
    )
    select jsonb_object_agg(s.flag, jsonb_build_object(
      'before', jsonb_build_object('value', coalesce(s.own, s.inherited), 'count', coalesce(s.count, 0),
        'overrides', coalesce(s.overrides, '{}')),
      'after', jsonb_build_object('value', s.after)))
    into changes from setting s;
    return changes;
  end $$;
