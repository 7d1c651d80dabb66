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
  primary key (workspace_id, id)
);
create index terms_pdfs_blob on terms_pdfs (blob_id);

-- The text of such a draft is "": what the previous release writes there replaces the PDF.
alter table terms_drafts add column pdf_id int;
-- The text of such a version is a sentence and what was read from the pages.
alter table terms_versions add column pdf_id int;

create function keep_terms_pdf() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - '{checked_at,damage}'::text[] = to_jsonb(old) - '{checked_at,damage}'::text[] then
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
