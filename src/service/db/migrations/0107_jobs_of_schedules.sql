-- form: concurrent
-- Each publishing looks for the jobs of plans that end with it.
create index concurrently if not exists jobs_of_schedules on jobs ((payload ->> 'schedule_id')) where kind = 'open_drafts';
