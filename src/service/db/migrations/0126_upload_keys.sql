-- Uploads that clients named by an idempotency key, so that one that is sent again is known, however late its first try arrives.
-- `digest` is the SHA-256 of the person, the folder, the name, the bytes and the key. Rows are deleted after a day.
create table upload_keys (
  workspace_id int not null,
  digest bytea not null,
  file_id int not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, digest)
);
create index upload_keys_created on upload_keys (created_at);
