-- Imports of questions that clients named, so that one that is sent again is known. `digest` is the SHA-256 of the questions.
create table question_imports (
  workspace_id int not null,
  user_id int not null,
  import_id uuid not null,
  digest bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id, import_id)
);

-- Admins imported it: it does not count towards what the group may ask. Not known of questions of earlier releases.
alter table questions add column imported boolean not null default false;
