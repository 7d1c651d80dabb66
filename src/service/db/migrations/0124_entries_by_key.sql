-- Finds each changed file by its key. `id = any(…)`, planned while the workspace has few files, makes a PostgreSQL before
-- 17 read all files of the workspace at every upload once there are many.
create or replace function write_search_entries(changed_workspace int, changed_files int[]) returns void
  language plpgsql as $$
declare
  changed_blobs text[] := array(select distinct f.blob_id from unnest(changed_files) changed (id)
    cross join lateral (select files.blob_id from files where workspace_id = changed_workspace and files.id = changed.id offset 0) f
    order by f.blob_id);
begin
  perform from unnest(changed_blobs) changed (blob_id)
    cross join lateral (select from documents d where d.workspace_id = changed_workspace and d.blob_id = changed.blob_id for share) d;
  insert into search_entries (workspace_id, file_id, folder_id, is_deleted, title_words, terms)
  select f.workspace_id, f.id, f.folder_id, f.deleted_at is not null, w.words, title_terms(f.workspace_id, w.words) || coalesce(t.terms, '')
  from unnest(changed_files) changed (id)
  cross join lateral (select * from files where workspace_id = changed_workspace and files.id = changed.id offset 0) f
  cross join lateral (select search_words(f.title || ' ' || f.file_name) as words offset 0) w
  left join document_terms t on t.workspace_id = f.workspace_id and t.blob_id = f.blob_id
  on conflict (workspace_id, file_id) do update set folder_id = excluded.folder_id, is_deleted = excluded.is_deleted,
    title_words = excluded.title_words, terms = excluded.terms;
end $$;
