-- Who somebody is: addresses that were proved, changes of address that wait for their proof, names that admins have seen.

-- When a code mailed to the address, the identity provider or the configuration last proved it; null: an admin gave the
-- address, and nobody has proved it yet.
alter table users add column email_verified_at timestamptz(3);

-- The name is the user's own choice; false: it is the one that an admin gave.
alter table users add column self_named boolean not null default false;

-- Before this migration a user could take any address. A sign-in by mail or by the identity provider after the last change
-- of the account proved the address, and so did the first sign-in of everybody who never changed their account. The others
-- prove theirs by the next sign-in.
with changed as materialized (
  select organization_id, (entry::jsonb ->> 'user_id')::int as user_id from (
    select organization_id, entry from audit_records where workspace_id = 0
    union all select organization_id, entry from audit_inbox where workspace_id = 0
  ) e
  where entry like '%"updated their account"%'
  group by 1, 2
), proved as materialized (
  select organization_id, user_id, max(created_at) as at from sessions where method in ('code', 'oidc') group by 1, 2
)
update users u set email_verified_at = now()
from users x
left join changed c on c.organization_id = x.organization_id and c.user_id = x.id
left join proved p on p.organization_id = x.organization_id and p.user_id = x.id
where x.organization_id = u.organization_id and x.id = u.id and u.deleted_at is null and u.status = 'active'
  and (c.user_id is null or p.at >= u.updated_at);

-- At most one for each user; asking again replaces it.
create table email_changes (
  organization_id int not null,
  user_id int not null,
  -- The new address.
  email text not null,
  -- Hash of the newest code under a key of the service; null until the mail is written, and where the address is in use.
  code_hash bytea,
  code_expires_at timestamptz(3),
  -- Of the newest code.
  attempts int not null default 0,
  created_at timestamptz(3) not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);
create index email_changes_created on email_changes (created_at);

-- How many mails were asked for in a window that begins with the first: by a user, to an address, from a place.
create table mail_budgets (
  organization_id int not null references organizations,
  name text not null,
  count int not null,
  ends_at timestamptz(3) not null,
  primary key (organization_id, name)
);
create index mail_budgets_ends on mail_budgets (ends_at);

-- SHA-256 of the secret of the browser that asked for the code; null: the code works anywhere.
alter table sign_in_codes add column browser_hash bytea;

-- The name in the marks of this workspace while its admins have not accepted the user's present name; null: that one.
alter table workspace_memberships add column marked_first_name text, add column marked_last_name text,
  add column name_changed_at timestamptz(3);
