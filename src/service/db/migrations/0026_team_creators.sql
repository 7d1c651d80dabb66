-- Who created the team: it stays when the team is handed to another owner.
alter table teams add column creator_id int;
update teams t set creator_id = coalesce(
  (
    select (r.entry::jsonb ->> 'user_id')::int from audit_records r
    where r.workspace_id = 0 and r.organization_id = t.organization_id
      and r.entry::jsonb @> jsonb_build_object('verb', 'created', 'subject_type', 'Team', 'subject_id', t.id)
    order by r.seq limit 1
  ),
  t.team_owner_id
);
alter table teams alter column creator_id set not null;
-- The API says true for a team created without the field.
alter table teams alter column suppress_emails set default true;
