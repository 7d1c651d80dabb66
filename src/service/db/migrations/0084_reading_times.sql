-- How long a person read a page of a version of a file on a day in UTC.
create table reading_times (
  workspace_id int not null,
  user_id int not null,
  file_id int not null,
  version int not null,
  page int not null,
  day date not null,
  ms int not null,
  primary key (workspace_id, user_id, file_id, version, page, day),
  foreign key (workspace_id, file_id) references files on delete cascade
);
create index reading_times_file on reading_times (workspace_id, file_id, day);
create index reading_times_day on reading_times (workspace_id, day);

-- Until when the time of a reader is used up by what was counted, and the batches that were counted last.
create table reading_clocks (
  workspace_id int not null,
  user_id int not null,
  used_until timestamptz(3) not null,
  batch_ids uuid[] not null,
  primary key (workspace_id, user_id)
);

-- Readers of the workspaces that exist were told less, so only new workspaces measure from the start.
alter table workspaces add column measures_reading boolean not null default false;
alter table workspaces alter column measures_reading set default true;
alter table workspaces add column reading_kept_days int not null default 365;
