-- form: concurrent
-- The list of admins page by page, its counts, and the answers to all without reading those of others.
create index concurrently if not exists questions_by_work on questions (workspace_id, status, (- number)) include (due_on);
create index concurrently if not exists questions_to_all on questions (workspace_id, id) where reach = 'all';
