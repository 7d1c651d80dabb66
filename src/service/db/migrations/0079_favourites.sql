-- The member's own mark; the record does not have it.
alter table workspace_memberships add column favourite boolean not null default false;
