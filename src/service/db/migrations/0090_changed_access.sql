-- form: concurrent
-- Changes of the access of groups, which mails of news tell.
create index concurrently if not exists activities_of_changed_access
  on activities (workspace_id, created_at desc, id desc) include (user_id, subject_id, act)
  where subject_type in ('Group', 'GroupMembership')
    and (verb in ('added', 'removed') or act in ('access_expiry_removed', 'group_member_added'));
