-- Folders are found by the words of their names, compared as those of files are. There is no index: the names of one
-- workspace are read through faster than moves of large folders would keep an index.
alter table folders add column name_words text not null generated always as (search_words(name)) stored;

-- Who deleted it; null while it is there, and for what was deleted before the record says by whom.
alter table folders add column deleted_by_id int;
alter table files add column deleted_by_id int;

update folders d set deleted_by_id = a.user_id
from (
  select distinct on (workspace_id, subject_id) workspace_id, subject_id, user_id from activities
  where verb = 'deleted' and subject_type = 'Folder' order by workspace_id, subject_id, created_at desc, id desc
) a
where d.workspace_id = a.workspace_id and d.id = a.subject_id and d.deleted_at is not null;
update files f set deleted_by_id = a.user_id
from (
  select distinct on (workspace_id, subject_id) workspace_id, subject_id, user_id from activities
  where verb = 'deleted' and subject_type = 'Asset' order by workspace_id, subject_id, created_at desc, id desc
) a
where f.workspace_id = a.workspace_id and f.id = a.subject_id and f.deleted_at is not null;
