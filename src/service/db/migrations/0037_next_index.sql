-- The index behind the last subfolder. A function of its own, because a volatile function sees what was committed when
-- it is called: a statement that waits for the lock of the parent sees only what was committed when it began.
create function next_folder_index(workspace int, parent int) returns int
  language plpgsql volatile
  as $$ begin
    return (select coalesce(max(f.index), 0) + 1 from folders f
      where f.workspace_id = workspace and f.parent_id = parent and f.deleted_at is null);
  end $$;
