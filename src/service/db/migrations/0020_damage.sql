-- What the content on the disk no longer is: all there, and the bytes that were uploaded.
alter table documents
  add column damage text check (damage in ('missing', 'length', 'bytes')),
  add column damaged_at timestamptz(3),
  -- When the content was last compared with its hash; an upload is hashed as it arrives.
  add column checked_at timestamptz(3) not null default now();
create index documents_checked on documents (checked_at);
create index documents_damaged on documents (blob_id) where damage is not null;

-- Of the current version, repeated from documents.
alter table files add column damaged boolean not null default false;
