-- A row for each admin who wants the weekly report of a workspace by mail. It stays while its person is no admin, who gets
-- no report then.
create table weekly_reports (
  workspace_id int not null,
  user_id int not null,
  organization_id int not null,
  -- Weeks that ended before were reported, or were not asked for.
  reported_until timestamptz(3) not null,
  -- A report could not be handed over and is tried again then.
  retry_at timestamptz(3),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references workspace_memberships on delete cascade
);
create index weekly_reports_due on weekly_reports (reported_until);
