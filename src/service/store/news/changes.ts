import { sql } from 'kysely'

// The activities `a` that news are made of.

export const CHANGED_FILE = sql`a.subject_type = 'Asset' and a.verb in ('created', 'updated', 'copied')`
export const CHANGED_ACCESS = sql`a.subject_type in ('Group', 'GroupMembership')
  and (a.verb in ('added', 'removed') or a.act in ('access_expiry_removed', 'group_member_added'))`
