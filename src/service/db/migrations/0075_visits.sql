-- When a member was here last before the present visit. A visit is new after an hour without one.
alter table workspace_memberships add column previous_visit_at timestamptz(3);
