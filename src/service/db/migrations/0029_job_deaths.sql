alter table jobs
  -- The process that has the job (process-name.ts), so that its death frees the job before the lease runs out.
  add column leased_by text,
  -- Attempts that ended with the death of the worker, or of a tool that the kernel killed.
  add column deaths int not null default 0;
