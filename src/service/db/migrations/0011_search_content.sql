-- What is searched for is compared word by word, and words are made the same way of titles, of texts and of questions:
-- small, compatibility forms and accents taken away, Arabic letters and Hebrew without their optional marks; punctuation
-- separates ("report_2025.pdf" is three words), and so does every character of scripts that write without spaces.
-- store/search-words.ts does the same for texts and questions. The collation makes capitals small in all scripts,
-- whatever the database's own locale.
drop index files_words;
alter table files drop column words;
drop function file_words;
drop function search_words;

create function search_words(written text) returns text
  language sql immutable strict parallel safe
  return btrim(regexp_replace(regexp_replace(
    translate(
      normalize(regexp_replace(normalize(lower(written collate "und-x-icu"), nfkd),
        '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]',
        '', 'g'), nfc),
      U&'\0671\0649\06cc\0629\06a9\03c2', U&'\0627\064a\064a\0647\0643\03c3'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3021-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])',
    ' \1 ', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u1680\u180e\u2000-\u200d\u2010-\u2029\u202f-\u205f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\ufff9-\uffff]+',
    ' ', 'g'));

-- Two neighbours of scripts without spaces are one term: they tell much more than each alone.
create function is_unspaced(word text) returns boolean
  language sql immutable strict parallel safe
  return word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3021-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]$';

-- The text of content, in parts that overlap a little: a phrase at a border is whole in one of them.
create table document_texts (
  workspace_id int not null,
  blob_id text not null,
  part int not null,
  text text not null,
  -- The words of it, separated and surrounded by spaces: a phrase is found by like.
  words text not null,
  primary key (workspace_id, blob_id, part),
  foreign key (workspace_id, blob_id) references documents on delete cascade
);

-- All terms of content, each once; its weight tells how often: B often, C some times, D once or twice. A pair of words
-- that follow each other is a term as well, as four digits of its hash ("+0a1b"): what has all pairs of a phrase has
-- almost surely the phrase, so that few texts must be read for it. Texts with too many pairs have "+" instead.
create table document_terms (
  workspace_id int not null,
  blob_id text not null,
  terms tsvector not null,
  primary key (workspace_id, blob_id),
  foreign key (workspace_id, blob_id) references documents on delete cascade
);

-- What a file is found by: title, file name (weight A) and the terms of its current content; and what decides whether
-- it is shown at all, so that most searches need no other table. Kept by triggers, and by whoever writes document_terms.
-- Large terms lie outside of the rows; room is left in the pages for moves, which then need not touch the index.
create table search_entries (
  workspace_id int not null,
  file_id int not null,
  folder_id int not null,
  is_deleted boolean not null,
  title_words text not null,
  terms tsvector not null,
  primary key (workspace_id, file_id),
  foreign key (workspace_id, file_id) references files on delete cascade
) with (toast_tuple_target = 128, fillfactor = 80);
-- Without a list of pending entries, through which every search would have to go.
create index search_entries_terms on search_entries using gin (terms) with (fastupdate = off);

-- By the index, always: for words that most entries have, reading all their terms seems cheaper to the planner, and is not.
create function matching_entries(searched_workspace int, question tsquery)
  returns table (file_id int, folder_id int, title_words text)
  language sql stable set enable_seqscan = off as $$
    select e.file_id, e.folder_id, e.title_words from search_entries e
    where e.workspace_id = searched_workspace and not e.is_deleted and e.terms @@ question
  $$;

-- The workspace is one of the terms: the cost of a search does not grow with the other tenants. The first one and two
-- letters of a title's words are terms as well ("^re"), since beginnings as short as that would match half of all terms.
create function title_terms(workspace_id int, title_words text) returns tsvector
  language sql immutable strict parallel safe
  return array_to_tsvector(array['/' || workspace_id]) || coalesce((
    with word as (
      select word, lead(word) over (order by place) as next
      from unnest(string_to_array(title_words, ' ')) with ordinality w (word, place)
      where word <> ''
    ), term as (
      select word as term from word
      union select word || next from word where is_unspaced(word) and is_unspaced(next)
      union select '+' || left(md5(word || ' ' || next), 4) from word
        where next is not null and not (is_unspaced(word) and is_unspaced(next))
      union select '^' || left(word, length) from word, generate_series(1, 2) length where not is_unspaced(word)
    )
    select string_agg('''' || term || ''':1A', ' ')::tsvector from term), '');

-- Locks the content: what becomes known of it meanwhile is either seen here or sees this entry.
create function write_search_entries(changed_workspace int, changed_files int[]) returns void
  language plpgsql as $$
begin
  perform from documents d
    where d.workspace_id = changed_workspace
      and d.blob_id in (select blob_id from files where workspace_id = changed_workspace and id = any(changed_files))
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

create function note_new_files() returns trigger
  language plpgsql as $$
begin
  perform write_search_entries(added.workspace_id, array_agg(added.id)) from added group by added.workspace_id;
  return null;
end $$;
create trigger files_are_new after insert on files referencing new table as added
  for each statement execute function note_new_files();

create function note_changed_file() returns trigger
  language plpgsql as $$
begin
  perform write_search_entries(new.workspace_id, array[new.id]);
  return null;
end $$;
create trigger file_has_changed after update of title, file_name, blob_id on files for each row
  when ((old.title, old.file_name, old.blob_id) is distinct from (new.title, new.file_name, new.blob_id))
  execute function note_changed_file();

create function note_moved_file() returns trigger
  language plpgsql as $$
begin
  update search_entries set folder_id = new.folder_id, is_deleted = new.deleted_at is not null
    where workspace_id = new.workspace_id and file_id = new.id;
  return null;
end $$;
create trigger file_has_moved after update of folder_id, deleted_at on files for each row
  when (old.folder_id <> new.folder_id or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_moved_file();

select write_search_entries(workspace_id, array_agg(id)) from files group by workspace_id;

-- What was read before this is read again, for its text.
insert into jobs (kind, payload, run_at)
select 'ingest', jsonb_build_object('workspace_id', workspace_id, 'blob_id', blob_id),
  now() + row_number() over (order by created_at, blob_id) * interval '200 milliseconds'
from documents
on conflict do nothing;
