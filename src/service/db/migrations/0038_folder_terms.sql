-- The words of folder names, as terms of an index: "12/annual" for a folder of workspace 12. The cost of a search grows
-- neither with the folders of the workspace nor with the other tenants.
create function folder_terms(workspace_id int, name_words text) returns tsvector
  language sql immutable strict parallel safe
  return array_to_tsvector(string_to_array(
    workspace_id::text || '/' || replace(name_words, ' ', ' ' || workspace_id::text || '/'), ' '));

-- New entries wait in a short list, which makes moves of large folders and searches cheap at the same time.
create index folders_terms on folders using gin (folder_terms(workspace_id, name_words))
  with (fastupdate = on, gin_pending_list_limit = 64) where deleted_at is null;

-- The last index among the subfolders of a folder is now their number. Close gaps that an earlier version may have left.
update folders f set index = placed.index
from (
  select workspace_id, id, row_number() over (partition by workspace_id, parent_id order by index, id) as index
  from folders where deleted_at is null and id <> 0
) placed
where f.workspace_id = placed.workspace_id and f.id = placed.id and f.index <> placed.index;
