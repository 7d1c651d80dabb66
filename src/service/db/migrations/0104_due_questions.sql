-- form: concurrent
-- Questions that are due, over all workspaces: their time is asked for every quarter of an hour.
create index concurrently if not exists questions_due on questions (due_on)
  where due_on is not null and status in ('to_approve', 'open', 'draft');
