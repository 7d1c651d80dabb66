-- The member marked the news of the workspace up to here as read.
alter table workspace_memberships add column news_read_at timestamptz(3);

-- When a user opened a question last.
create table question_views (
  workspace_id int not null,
  user_id int not null,
  question_id uuid not null,
  viewed_at timestamptz(3) not null,
  primary key (workspace_id, user_id, question_id),
  foreign key (workspace_id, question_id) references questions on delete cascade
);
