import { sql } from 'kysely'

// The activities `a` that news are made of.

export const CHANGED_FILE = sql`a.subject_type = 'Asset' and a.verb in ('created', 'updated', 'copied')`
export const CHANGED_ACCESS = sql`a.subject_type in ('Group', 'GroupMembership')
  and (a.verb in ('added', 'removed') or a.act in ('access_expiry_removed', 'group_member_added'))`

/** Acts that set when the access of a group ends. */
export const changesEnd = sql`a.act like 'access\\_expiry%'`
/** Acts on a group that are news to its members, among those of `CHANGED_ACCESS`. */
export const isNewAccess = sql`(a.subject_type = 'Group' and (a.verb = 'added' or ${changesEnd}))`
