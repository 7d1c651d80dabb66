-- Who created the team: it stays when the team is handed to another owner.
alter table teams add column creator_id int;
with created as materialized (
  select distinct on (organization_id, team_id) organization_id, (entry ->> 'subject_id')::int as team_id,
    (entry ->> 'user_id')::int as user_id
  from (
    select organization_id, seq, entry::jsonb as entry from audit_records
    where workspace_id = 0 and entry like '%"Team"%'
  ) r
  where entry @> '{"verb":"created","subject_type":"Team"}'
  order by organization_id, team_id, seq
)
update teams t set creator_id = coalesce(c.user_id, x.team_owner_id)
from teams x left join created c on c.organization_id = x.organization_id and c.team_id = x.id
where x.organization_id = t.organization_id and x.id = t.id;
alter table teams alter column creator_id set not null;
-- The API says true for a team created without the field.
alter table teams alter column suppress_emails set default true;
