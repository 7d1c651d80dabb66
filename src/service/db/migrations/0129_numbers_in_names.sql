-- Names of folders and files that begin with a number of another index, as in "2.1 Annexes" of a dropped folder.
alter table folders add column number_length smallint not null default 0;
alter table files add column number_length smallint not null default 0;
comment on column folders.number_length is
  'How many characters at the beginning of the name are a number of an index, which is left out where ours is shown.';
comment on column files.number_length is 'As for folders, of the title.';

-- The number at the beginning of a name, {2,1} of "02.01. Annexes", and the length of "02.01. ". Null without one.
-- `is_marked`: it has leading zeros or punctuation, unlike the 3 of "3 years". Years are no numbers of an index, and it has no 0.
create function number_at_start(name text) returns table (number int[], length int, is_marked boolean)
  language sql immutable parallel safe rows 1
  as $$
    select found.number, length(found.parts[1] || found.parts[2])::int, found.parts[1] ~ '(^|\.)0' or found.parts[2] ~ '[.):_–-]'
    from (
      select parts, string_to_array(parts[1], '.')::int[] as number
      from regexp_match(name, '^([0-9]{1,4}(?:\.[0-9]{1,4}){0,15})([.):]?[ _]+(?:[–-][ _]+)?)(?=[^ _])') parts
      where name ~ '^[0-9]'
    ) found
    where parts is not null and not exists (
      select from unnest(found.number) part where part = 0 or part between 1900 and 2100) $$;

-- The last folders and files in a folder whose names have numbers of one level: with the same numbers but the last. Without
-- the named one itself, whose name is about to change. Few, so that a name costs the same in a folder of many.
create function numbered_beside(workspace int, folder int, above int[], self_kind text, self_id int)
  returns table (kind text, id int, place int, length int, rest text, is_known boolean)
  language sql stable
  as $$
    select s.kind, s.id, n.number[cardinality(above) + 1], n.length, regexp_replace(substr(s.name, n.length + 1), '\.\w+$', ''),
      s.number_length > 0
    from (
      (select 'folder' as kind, f.id, f.name, f.number_length from folders f
        where f.workspace_id = workspace and f.parent_id = folder and f.deleted_at is null order by f.index desc limit 40)
      union all
      (select 'file', f.id, f.title, f.number_length from files f
        where f.workspace_id = workspace and f.folder_id = folder and f.deleted_at is null order by f.index desc limit 40)
    ) s cross join lateral number_at_start(s.name) n
    where s.name ~ '^[0-9]' and cardinality(n.number) = cardinality(above) + 1 and n.number[:cardinality(above)] = above
      and not (s.kind = self_kind and s.id = self_id) $$;

-- Recognises a name with `number` that comes into a folder as one of a level of an index, together with the names beside it:
-- these count from 1, at least to 2, or to 3 if the number has one part, and what follows the numbers differs. "1. Amendment"
-- and "2. Amendment" keep their numbers. A number of one part also continues those before it, so that "30. June" keeps its 30.
create function is_of_level(workspace int, folder int, name text, number int[], self_kind text, self_id int) returns boolean
  language plpgsql volatile
  as $$ declare
    above int[] := number[:cardinality(number) - 1];
    own int := number[cardinality(number)];
    is_single boolean := cardinality(number) = 1;
    needed int := case when is_single then 3 else 2 end;
    known int := 0;
    last int;
  begin
    if exists (
      select from numbered_beside(workspace, folder, above, self_kind, self_id) b
      where b.is_known and (not is_single or b.place = own - 1)
    ) then
      if not is_single then return true; end if;
      known := own - 1;
    elsif own > 3 then
      return false;
    end if;
    with beside as materialized (
      select b.place, b.rest from numbered_beside(workspace, folder, above, self_kind, self_id) b where b.place > known
      union all
      select own, regexp_replace(substr(name, n.length + 1), '\.\w+$', '') from number_at_start(name) n
    ), counted as (
      select b.place, known + row_number() over (order by b.place) as at from beside b group by b.place having count(*) = 1
    )
    select max(c.place) into last from counted c
    where c.place = c.at and (known > 0 or (select count(distinct b.rest) from beside b where b.place <= needed) = needed);
    if last is null or known = 0 and last < needed or is_single and own > last then return false; end if;
    update folders f set number_length = b.length from numbered_beside(workspace, folder, above, self_kind, self_id) b
    where f.workspace_id = workspace and f.id = b.id and b.kind = 'folder' and not b.is_known
      and (not is_single or b.place <= last);
    update files f set number_length = b.length from numbered_beside(workspace, folder, above, self_kind, self_id) b
    where f.workspace_id = workspace and f.id = b.id and b.kind = 'file' and not b.is_known
      and (not is_single or b.place <= last);
    return true;
  end $$;

-- The length of the number that a name has when it comes into a folder, if it is one of an index: it is the number that the
-- name gets there, at `place`, or continues that of the folder, or is one of a level.
create function number_length_of(workspace int, folder int, name text, place int, self_kind text, self_id int) returns int
  language plpgsql volatile
  as $$ declare
    found record;
    parent record;
    there int[];
    above record;
  begin
    select * into found from number_at_start(name);
    if found.number is null then return 0; end if;
    select f.name, f.id_path into parent from folders f where f.workspace_id = workspace and f.id = folder;
    select array_agg(a.index order by cardinality(a.id_path)) || place into there from folders a
    where a.workspace_id = workspace and a.id <> 0 and a.id = any(parent.id_path);
    if found.number = there and cardinality(there) > 1 then return found.length; end if;
    select * into above from number_at_start(parent.name);
    if above.number = found.number[:cardinality(above.number)] then
      if cardinality(found.number) > cardinality(above.number) then
        update folders f set number_length = above.length
        where f.workspace_id = workspace and f.id = folder and f.number_length = 0;
        return found.length;
      end if;
      if cardinality(found.number) > 1 or found.is_marked then return found.length; end if;
    end if;
    if is_of_level(workspace, folder, name, found.number, self_kind, self_id) then return found.length; end if;
    return 0;
  end $$;

-- A new name keeps the number that the former one had.
create function folder_numbered() returns trigger
  language plpgsql
  as $$ begin
    if tg_op = 'UPDATE' and left(new.name, old.number_length) = left(old.name, old.number_length) and old.number_length > 0 then
      return new;
    end if;
    new.number_length := number_length_of(new.workspace_id, new.parent_id, new.name, new.index, 'folder', new.id);
    return new;
  end $$;

create function file_numbered() returns trigger
  language plpgsql
  as $$ begin
    if tg_op = 'UPDATE' and left(new.title, old.number_length) = left(old.title, old.number_length) and old.number_length > 0 then
      return new;
    end if;
    new.number_length := number_length_of(new.workspace_id, new.folder_id, new.title, new.index + (
      select coalesce(max(c.index), 0) from folders c
      where c.workspace_id = new.workspace_id and c.parent_id = new.folder_id and c.deleted_at is null and not c.is_draft), 'file', new.id);
    return new;
  end $$;

create trigger folder_named before insert on folders for each row
  when (new.number_length = 0 and new.name ~ '^[0-9.]+[.):]?[ _]') execute function folder_numbered();
create trigger folder_renamed before update on folders for each row
  when (old.name <> new.name and (new.name ~ '^[0-9.]+[.):]?[ _]' or old.number_length > 0)) execute function folder_numbered();
create trigger file_named before insert on files for each row
  when (new.number_length = 0 and new.title ~ '^[0-9.]+[.):]?[ _]') execute function file_numbered();
create trigger file_renamed before update on files for each row
  when (old.title <> new.title and (new.title ~ '^[0-9.]+[.):]?[ _]' or old.number_length > 0)) execute function file_numbered();

-- As in 0101, and a listing says which numbers its subfolders' names begin with.
create or replace function folders_updated() returns trigger
  language plpgsql
  as $$ begin
    perform renew_folders(array_agg(workspace_id), array_agg(folder_id))
    from (
      with pair as materialized (
        select n.workspace_id, o.parent_id as former_id, n.parent_id,
          (o.parent_id, o.deleted_at) is distinct from (n.parent_id, n.deleted_at) as is_counted
        from former o join changed n on n.workspace_id = o.workspace_id and n.id = o.id
        where (o.name, o.index, o.created_at, o.updated_at, o.last_updated_user_id, o.parent_id, o.deleted_at, o.is_draft,
            o.number_length)
          is distinct from (n.name, n.index, n.created_at, n.updated_at, n.last_updated_user_id, n.parent_id, n.deleted_at,
            n.is_draft, n.number_length)
      )
      select workspace_id, former_id as folder_id from pair
      union
      select workspace_id, parent_id from pair
      union
      select workspace_id, parent_of(workspace_id, former_id) from pair where is_counted
      union
      select workspace_id, parent_of(workspace_id, parent_id) from pair where is_counted
    ) place;
    return null;
  end $$;
