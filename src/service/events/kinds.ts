import type { EventKind } from '../../contract/events.ts'
import type { RecentActivity } from '../store/recent-activities.ts'

/** Who did these has changed nothing. */
const READINGS = new Set(['viewed', 'downloaded', 'opened', 'refused', 'reminded'])

const BY_SUBJECT: Record<string, readonly EventKind[]> = {
  Asset: ['files'],
  Folder: ['files', 'permissions'],
  Group: ['permissions'],
  GroupMembership: ['members', 'permissions'],
  Membership: ['members', 'permissions'],
  Workspace: ['workspace'],
}

/** Members hear of what may change their own screens; that others read, come and go is for admins. */
const FOR_MEMBERS = new Set<EventKind>(['files', 'permissions', 'workspace'])

/** What an activity tells a follower. */
export function kindsOf(
  { verb, subject_type, user_id }: Pick<RecentActivity, 'verb' | 'subject_type' | 'user_id'>,
  follower: { id: number; admin: boolean },
): readonly EventKind[] {
  const kinds: readonly EventKind[] = READINGS.has(verb)
    ? ['activities']
    : ['activities', ...(BY_SUBJECT[subject_type ?? ''] ?? (['members'] as const))]
  return follower.admin || follower.id === user_id ? kinds : kinds.filter((kind) => FOR_MEMBERS.has(kind))
}
