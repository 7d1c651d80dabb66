alter table jobs
  -- The process that has the job (process-name.ts), so that its death frees the job before the lease runs out.
  add column leased_by text,
  -- Attempts that ended with the death of the worker, or of a tool that the kernel killed.
  add column deaths int not null default 0;

-- When the admins were mailed that the content is damaged; null until then.
alter table documents add column damage_told_at timestamptz(3);
update documents set damage_told_at = damaged_at where damage is not null;

-- The id that the root folder of the content carries: another folder, or an empty mount point, is not this storage.
create table content_storage (
  singleton boolean primary key default true check (singleton),
  id text not null
);
