-- A PDF that stands for the text of a draft or of a version.
create table terms_pdfs (
  workspace_id int not null,
  id int not null generated always as identity,
  blob_id text not null,
  file_name text not null,
  size int not null,
  -- Of the bytes; the version repeats it.
  sha256 bytea not null,
  -- In points, in the order of the pages.
  page_widths real[] not null,
  page_heights real[] not null,
  page_texts text[] not null,
  uploaded_at timestamptz(3) not null,
  uploaded_by_id int not null,
  -- As in documents.
  checked_at timestamptz(3) not null default now(),
  damage text check (damage in ('missing', 'length', 'bytes')),
  damage_told_at timestamptz(3),
  -- When it was found clean or infected; null before.
  scanned_at timestamptz(3),
  -- It is too large or too deep for the scanner, which says so each time.
  unscannable boolean not null default false,
  -- The name of the malware. An infected PDF is not served.
  infection text,
  -- It waits for its scan, which a worker requires.
  held boolean not null default false,
  primary key (workspace_id, id)
);
create index terms_pdfs_blob on terms_pdfs (blob_id);
create index terms_pdfs_unscanned on terms_pdfs (uploaded_at) where scanned_at is null;

-- The text of such a draft is "": what the previous release writes there replaces the PDF.
alter table terms_drafts add column pdf_id int;
-- The text of such a version is a sentence and what was read from the pages.
alter table terms_versions add column pdf_id int;

create function keep_terms_pdf() returns trigger language plpgsql as $$
declare
  mutable text[] := '{checked_at,damage,damage_told_at,scanned_at,unscannable,infection,held}';
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
create trigger keep_terms_pdf before update or delete on terms_pdfs
  for each row execute function keep_terms_pdf();

-- The sweep of the previous release does not know this table, but spares the content of stamped copies. No user has the
-- id 0, so nobody gets this copy; it has no end, and goes with the PDF.
create function spare_terms_pdf() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from stamped_files where workspace_id = old.workspace_id and user_id = 0 and file_id = 0
      and version = old.id and mark = 'terms';
    return null;
  end if;
  insert into stamped_files (workspace_id, user_id, file_id, version, mark, file_name, file_content_type, blob_id,
    file_size, sha256, expires_at)
  values (new.workspace_id, 0, 0, new.id, 'terms', new.file_name, 'application/pdf', new.blob_id, new.size, new.sha256,
    'infinity');
  return null;
end $$;
create trigger spare_terms_pdf after insert or delete on terms_pdfs
  for each row execute function spare_terms_pdf();
