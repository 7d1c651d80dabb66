-- What is deleted is found by its deletion, to restore it, and by its age, to purge it.
create index folders_trash on folders (workspace_id, deletion_id) where deleted_at is not null;
create index files_trash on files (workspace_id, deletion_id) where deleted_at is not null;
create index folders_deleted on folders (deleted_at) where deleted_at is not null;
create index files_deleted on files (deleted_at) where deleted_at is not null;
