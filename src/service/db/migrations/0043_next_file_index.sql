-- The index behind the last file of a folder. Volatile like next_folder_index, for the same reason: it sees what was
-- committed while its statement waited for the lock of the folder.
create function next_file_index(workspace int, folder int) returns int
  language plpgsql volatile
  as $$ begin
    return (select coalesce(max(f.index), 0) + 1 from files f
      where f.workspace_id = workspace and f.folder_id = folder and f.deleted_at is null);
  end $$;
