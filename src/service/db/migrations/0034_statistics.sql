-- A workspace that was just imported is a small share of a large table. PostgreSQL would wait for a tenth of the table
-- to change before it looks at the statistics again, and until then it would expect the workspace to be empty.
do $$
declare
  name text;
begin
  foreach name in array array['folders', 'files', 'file_versions', 'folder_permissions', 'trashed_permissions', 'groups',
    'group_memberships', 'workspace_memberships', 'documents', 'document_texts', 'document_terms', 'search_entries',
    'downloads', 'download_members']
  loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 250)', name);
  end loop;
end $$;
