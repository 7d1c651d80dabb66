-- A name without a number at its beginning that its outline says anyway: withoutNumber of contract/outline/outline.ts.
create function without_number(name text, outline text) returns text
  language sql immutable parallel safe
  as $$ select case when name ~ '^[0-9]' then coalesce((
      select substr(name, length(found.parts[1] || found.parts[2]) + 1)
      from (select regexp_match(name, '^([0-9]+(?:\.[0-9]+)*)([.):]?[ _]+(?:[–-][ _]+)?)(?=[^ _])') as parts) found
      cross join lateral (select regexp_replace(found.parts[1], '(^|\.)0+(?=[0-9])', '\1', 'g') as number) said
      where said.number = outline or said.number = substring(outline from '[0-9]*$')
        and (said.number <> found.parts[1] or found.parts[2] ~ '[.):_–-]')
    ), name) else name end $$;
