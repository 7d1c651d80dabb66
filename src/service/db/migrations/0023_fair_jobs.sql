-- Jobs of one kind share the lanes of the workers fairly: between people first, then organizations and workspaces.
alter table jobs
  -- Whom the job works for; 0 where that is nobody in particular.
  add column workspace_id int not null generated always as (coalesce((payload ->> 'workspace_id')::int, 0)) stored,
  add column user_id int not null generated always as (coalesce((payload ->> 'user_id')::int, 0)) stored,
  -- Exceeded the time of one turn: waits for a lane for long jobs.
  add column heavy boolean not null default false,
  -- Attempts that did not fail but were put back: they do not count towards the limit.
  add column put_back int not null default 0;
drop index jobs_due_of_kind;
create index jobs_by_user on jobs (kind, heavy, workspace_id, user_id, run_at) where parked_at is null;

-- The time that lanes worked for a user recently, which decays by half every few minutes (jobs/queue.ts). Workers delete
-- rows that no longer matter.
create table job_shares (
  kind text not null,
  workspace_id int not null,
  user_id int not null,
  seconds double precision not null,
  as_of timestamptz not null,
  primary key (kind, workspace_id, user_id)
);
