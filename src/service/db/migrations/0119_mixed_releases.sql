-- the previous release has no terms_pdfs
-- The previous release takes the draft of a PDF for an empty text. It must not issue it.
alter table terms_versions add constraint terms_versions_written check (text <> '' or pdf_id is not null) not valid;
alter table terms_drafts add constraint terms_drafts_written check (text <> '' or pdf_id is not null) not valid;

-- What is staged on a folder that gets another place, and below it, goes, whichever release moves it: the new place decides. Releases
-- change the paths first, or together with the parent.
create function folder_moved() returns trigger
  language plpgsql
  as $$ begin
    delete from staged_rights s using folders f
    where s.workspace_id = new.workspace_id and f.workspace_id = new.workspace_id and f.id = s.folder_id
      and f.id_path >= new.id_path and f.id_path < id_path_end(new.id_path);
    return null;
  end $$;
create trigger folder_moved after update of parent_id on folders for each row
  when (old.parent_id is distinct from new.parent_id) execute function folder_moved();

-- When a worker last claimed the PDF for a scan.
alter table terms_pdfs add column claimed_at timestamptz(3);
create or replace function keep_terms_pdf() returns trigger language plpgsql as $$
declare
  mutable text[] := '{checked_at,damage,damage_told_at,scanned_at,unscannable,infection,held,claimed_at}';
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - mutable = to_jsonb(old) - mutable then
    return new;
  end if;
  if tg_op = 'DELETE' and not exists (
    select from terms_versions t where t.workspace_id = old.workspace_id and t.pdf_id = old.id) then
    return old;
  end if;
  raise exception 'the PDF of an issued version of terms never changes';
end $$;
create index terms_pdfs_checked on terms_pdfs (checked_at);
create index terms_pdfs_damaged on terms_pdfs (workspace_id) where damage is not null;
create index terms_pdfs_infected on terms_pdfs (workspace_id) where infection is not null;

-- Whether a process that takes or reads documents has a scanner, and holds what is not scanned; null for others.
alter table processes add column is_scanning boolean, add column requires_scan boolean;
