-- One row for each timeline of this database from which replicas were read. A replica has the row only if it follows the
-- primary beyond the beginning of the timeline: log positions alone also look new on one that followed a lost primary.
create table database_timelines (
  timeline bigint primary key,
  token uuid not null default gen_random_uuid()
);
