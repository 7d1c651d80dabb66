-- A code for each browser that asks for one: nobody's asking replaces the code of somebody else.
alter table sign_in_codes rename to sign_in_addresses;
alter index sign_in_codes_updated rename to sign_in_addresses_updated;
alter table sign_in_addresses rename constraint sign_in_codes_pkey to sign_in_addresses_pkey;

create table sign_in_codes (
  organization_id int not null,
  -- In lower case.
  email text not null,
  -- SHA-256 of the secret of the browser that asked; empty where none was named.
  browser_hash bytea not null,
  -- Under the master key.
  code_sealed bytea not null,
  expires_at timestamptz(3) not null,
  attempts int not null default 0,
  primary key (organization_id, email, browser_hash),
  foreign key (organization_id, email) references sign_in_addresses on delete cascade
);
create index sign_in_codes_expiry on sign_in_codes (expires_at);

insert into sign_in_codes (organization_id, email, browser_hash, code_sealed, expires_at, attempts)
select organization_id, email, coalesce(browser_hash, ''), code_sealed, expires_at, attempts
from sign_in_addresses where code_sealed is not null and expires_at > now() and attempts < 5;

alter table sign_in_addresses drop column code_sealed, drop column expires_at, drop column attempts,
  drop column browser_hash;
