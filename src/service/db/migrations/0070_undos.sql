-- Moves and copies that their user can still undo, for a day.
create table undos (
  workspace_id int not null,
  id int generated always as identity,
  user_id int not null,
  -- The id of the moved or copied file or folder, or of the file that got a version.
  subject_type text not null check (subject_type in ('file', 'folder')),
  subject_id int not null,
  -- The former state, as `UndoneChange` describes it.
  change jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index undos_created_at on undos (created_at);
