-- The room's last number and categories of questions.
create table question_rooms (
  workspace_id int primary key,
  last_number int not null default 0,
  categories text[] not null default '{}'
);

-- Which groups may ask, and how much: `most` questions within `days`, or at all. `last_number` is that of the group's own numbers.
create table question_groups (
  workspace_id int not null,
  group_id int not null,
  may_ask boolean not null default false,
  most int not null default 50,
  days int,
  last_number int not null default 0,
  primary key (workspace_id, group_id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);

-- In the order of work.
create type question_status as enum ('to_approve', 'open', 'draft', 'answered', 'closed', 'withdrawn');
create type question_priority as enum ('low', 'normal', 'high');
create type question_reach as enum ('group', 'groups', 'all');

create table questions (
  workspace_id int not null,
  -- Random: askers see it, and it tells them nothing.
  id uuid not null default gen_random_uuid(),
  number int not null,
  group_id int,
  group_name text not null,
  group_number int not null,
  status question_status not null default 'open',
  priority question_priority not null default 'normal',
  category text,
  subject text not null,
  text text not null,
  asked_by int not null,
  asked_at timestamptz(3) not null default now(),
  -- No foreign keys: a question on a file that is gone must not become a question on the room, which more people see.
  file_id int,
  page_number int,
  folder_id int,
  assignee_id int,
  approver_id int,
  due_on date,
  draft text not null default '',
  drafted_by int,
  drafted_at timestamptz(3),
  answer text not null default '',
  answered_by int,
  answered_at timestamptz(3),
  reach question_reach not null default 'group',
  question_words text not null generated always as (search_words(subject || ' ' || text)) stored,
  answer_words text not null generated always as (search_words(answer)) stored,
  primary key (workspace_id, id),
  unique (workspace_id, number),
  unique (workspace_id, group_id, group_number),
  foreign key (workspace_id, group_id) references groups on delete set null (group_id)
);

-- Groups that an answer was published to.
create table question_receivers (
  workspace_id int not null,
  question_id uuid not null,
  group_id int not null,
  primary key (workspace_id, question_id, group_id),
  foreign key (workspace_id, question_id) references questions on delete cascade,
  foreign key (workspace_id, group_id) references groups on delete cascade
);
create index question_receivers_group on question_receivers (workspace_id, group_id);

-- Documents that the answer points to.
create table question_files (
  workspace_id int not null,
  question_id uuid not null,
  file_id int not null,
  primary key (workspace_id, question_id, file_id),
  foreign key (workspace_id, question_id) references questions on delete cascade,
  foreign key (workspace_id, file_id) references files on delete cascade
);
create index question_files_file on question_files (workspace_id, file_id);

-- Internal notes, and who did what with a question. Askers never see them.
create table question_entries (
  workspace_id int not null,
  id int generated always as identity,
  question_id uuid not null,
  user_id int not null,
  kind text not null check (kind in ('note', 'drafted', 'changed', 'submitted', 'sent_back', 'answered', 'closed', 'reopened', 'withdrawn')),
  text text not null default '',
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, question_id) references questions on delete cascade
);
create index question_entries_question on question_entries (workspace_id, question_id, id);
