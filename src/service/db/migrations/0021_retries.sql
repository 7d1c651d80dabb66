-- Uploaded with unless_same: by a second try, of which the first may still arrive.
alter table file_versions add column is_retry boolean not null default false;
