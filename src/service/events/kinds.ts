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

/** Whether whoever may see the file or folder is told of the act. */
export const isOfFiles = (subjectType: string | null): boolean => subjectType === 'Asset' || subjectType === 'Folder'

type Told = Pick<RecentActivity, 'verb' | 'subject_type' | 'subject_id' | 'user_id'>

interface Reader {
  id: number
  admin: boolean
  groupIds: readonly number[]
  /** May see the file or folder that the act is about, or could see it before. */
  sees: boolean
}

/**
 * What an activity tells a follower. Members hear of what may change their own screens alone: that others read, come and
 * go, that groups of others change, and what happens in folders out of their sight, is for admins.
 */
export function kindsOf({ verb, subject_type, subject_id, user_id }: Told, reader: Reader): readonly EventKind[] {
  const kinds: readonly EventKind[] = READINGS.has(verb)
    ? ['activities']
    : ['activities', ...(BY_SUBJECT[subject_type ?? ''] ?? (['members'] as const))]
  if (reader.admin || reader.id === user_id) return kinds
  if (READINGS.has(verb)) return []
  if (isOfFiles(subject_type)) return reader.sees ? (BY_SUBJECT[subject_type ?? ''] ?? []) : []
  if (subject_type === 'Group')
    return subject_id !== null && reader.groupIds.includes(subject_id) ? ['permissions'] : []
  return subject_type === 'Workspace' ? ['workspace'] : []
}
