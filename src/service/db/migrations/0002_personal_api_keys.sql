-- Personal keys (user_id not null) are limited to scopes, may end, and show when and whence they were used last.
alter table api_keys
  add column scopes text[] not null default '{}',
  add column expires_at timestamptz(3),
  add column last_used_at timestamptz(3),
  add column last_used_ip text,
  add foreign key (organization_id, user_id) references users;
create index api_keys_user on api_keys (organization_id, user_id) where user_id is not null;
