-- People to whom admins may pass single questions. Whoever leaves the workspace is none any more.
create table question_experts (
  workspace_id int not null,
  user_id int not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references workspace_memberships on delete cascade
);

-- Questions that were passed to experts, and wait for them while `replied_at` is null. A withdrawn pass has no row.
create table question_passes (
  workspace_id int not null,
  question_id uuid not null,
  user_id int not null,
  -- The admin who passed the question or asked again last.
  asked_by int not null,
  -- Not the time at which a transaction began: whoever read before it ended has not read this.
  asked_at timestamptz(3) not null default clock_timestamp(),
  replied_at timestamptz(3),
  -- Replies since `asked_at`.
  replies int not null default 0,
  -- The day, in UTC, on which the expert was last reminded of it by mail.
  reminded_on date,
  primary key (workspace_id, question_id, user_id),
  foreign key (workspace_id, question_id) references questions on delete cascade,
  foreign key (workspace_id, user_id) references question_experts on delete cascade
);
create index question_passes_expert on question_passes (workspace_id, user_id);

-- The expert to whom or by whom an entry is. Experts see no others, and of these only what was said.
alter table question_entries add column expert_id int;
-- Every row satisfies the longer list already.
alter table question_entries drop constraint question_entries_kind_check,
  add constraint question_entries_kind_check check (kind in ('note', 'drafted', 'changed', 'submitted', 'sent_back', 'answered', 'closed', 'reopened', 'withdrawn', 'written', 'edited', 'placed', 'removed', 'passed', 'asked_back', 'expert_drafted', 'expert_remarked', 'pass_withdrawn')) not valid;
