-- Locks documents by their keys. The former text read all documents of the workspace at each new file, if it was planned
-- while there were few.
create or replace function write_search_entries(changed_workspace int, changed_files int[]) returns void
  language plpgsql as $$
declare
  changed_blobs text[] := array(select blob_id from files where workspace_id = changed_workspace and id = any(changed_files));
begin
  perform from documents d
    where d.workspace_id = changed_workspace and d.blob_id = any(changed_blobs)
    order by d.blob_id for share;
  insert into search_entries (workspace_id, file_id, folder_id, is_deleted, title_words, terms)
  select f.workspace_id, f.id, f.folder_id, f.deleted_at is not null, w.words, title_terms(f.workspace_id, w.words) || coalesce(t.terms, '')
  from files f
  cross join lateral (select search_words(f.title || ' ' || f.file_name) as words offset 0) w
  left join document_terms t on t.workspace_id = f.workspace_id and t.blob_id = f.blob_id
  where f.workspace_id = changed_workspace and f.id = any(changed_files)
  on conflict (workspace_id, file_id) do update set folder_id = excluded.folder_id, is_deleted = excluded.is_deleted,
    title_words = excluded.title_words, terms = excluded.terms;
end $$;
