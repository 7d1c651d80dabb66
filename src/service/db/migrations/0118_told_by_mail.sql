-- Since when the question has its answerer and its approver, and which admin named them: nobody is told what they did themselves.
alter table questions add column assigned_at timestamptz(3), add column assigned_by int,
  add column approver_at timestamptz(3), add column approver_by int;
-- The Monday for which the last report was sent, in the time zone of its reader; null before the first one.
-- `reported_until` may also be when the report was chosen.
alter table weekly_reports add column reported_at timestamptz(3);
-- Mails tell of questions from then on, and of none that were asked or answered before this release.
alter table workspace_memberships add column questions_from timestamptz(3) not null default now();
