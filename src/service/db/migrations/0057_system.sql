-- Processes that run or ran lately, each of which notes itself every minute.
create table processes (
  name text primary key,
  kind text not null check (kind in ('service', 'worker')),
  host text not null,
  version text not null,
  node text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null default now()
);

-- The last backups that `npm run backup` made, or began without success.
create table backups (
  id int generated always as identity primary key,
  begun_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  -- The folder, or the bucket and prefix.
  target text not null,
  -- Null if the database is backed up by its own tools.
  database_bytes bigint,
  files bigint not null,
  bytes bigint not null,
  new_bytes bigint not null,
  -- Files whose content is not what was uploaded.
  damaged int not null,
  failure text
);

-- The last examination that an admin asked for, if any.
create table examination (
  only_one boolean primary key default true check (only_one),
  requested_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  findings jsonb not null default '[]',
  -- Content of all versions of all files. Null if it was not counted.
  content_files bigint,
  content_bytes bigint
);
