-- form: concurrent
-- The questions on a document, which its viewer and details count.
create index concurrently if not exists questions_on_files on questions (workspace_id, file_id) where file_id is not null;
