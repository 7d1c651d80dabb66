-- How many activities of a workspace were recorded before a moment, so that a count reads only those since. The moment
-- lies behind all transactions that may still commit.
create table activity_totals_until (
  workspace_id int primary key,
  -- The moment before: only activities between the two were added last.
  since timestamptz(3) not null,
  until timestamptz(3) not null
);

-- By day, and for all days at once (-infinity); by user, and for all users at once (-1).
create table activity_totals (
  workspace_id int not null,
  user_id int not null,
  day date not null,
  verb text not null,
  -- '' stands for none.
  subject_type text not null,
  total bigint not null,
  primary key (workspace_id, user_id, day, verb, subject_type)
);

-- Two bounds: without the upper one, PostgreSQL would expect a third of all activities.
create function add_activity_totals(workspace int, before timestamptz) returns void
  language sql volatile
  as $$
    with span as materialized (
      insert into activity_totals_until as u (workspace_id, since, until) values (workspace, '-infinity', before)
      on conflict (workspace_id) do update set since = u.until, until = greatest(u.until, excluded.until)
      returning since, until
    )
    insert into activity_totals as t (workspace_id, user_id, day, verb, subject_type, total)
    select workspace, coalesce(a.user_id, -1), coalesce(a.day, '-infinity'), a.verb, a.subject_type, count(*)
    from (
      select a.user_id, (a.created_at at time zone 'UTC')::date as day, a.verb, coalesce(a.subject_type, '') as subject_type
      from activities a
      where a.workspace_id = workspace and a.created_at >= (select since from span) and a.created_at < (select until from span)
    ) a
    group by a.verb, a.subject_type, grouping sets ((), (a.user_id), (a.day), (a.user_id, a.day))
    on conflict (workspace_id, user_id, day, verb, subject_type) do update set total = t.total + excluded.total
  $$;

select add_activity_totals(workspace_id, now() - interval '10 minutes')
from (select workspace_id from activities group by workspace_id having count(*) >= 250) large;

-- The activities of one file, folder, group or member.
create index activities_of_subject on activities (workspace_id, subject_id, created_at desc, id desc)
  where subject_id is not null;
