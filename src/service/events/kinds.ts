import type { FeedSubject, FeedVerb } from '../../contract/acts.ts'
import type { EventKind } from '../../contract/endpoints/events.ts'
import type { RecentActivity } from '../store/audit/recent-activities.ts'

/** Verbs of acts that change nothing. */
const READING_VERBS: readonly FeedVerb[] = ['viewed', 'downloaded', 'opened', 'refused', 'reminded']
const READINGS = new Set<string>(READING_VERBS)

const BY_SUBJECT: Record<FeedSubject, readonly EventKind[]> & Record<string, readonly EventKind[]> = {
  Asset: ['files'],
  Folder: ['files', 'permissions'],
  Group: ['permissions'],
  GroupMembership: ['members', 'permissions'],
  Membership: ['members', 'permissions'],
  Terms: ['members'],
  Question: ['questions'],
  Workspace: ['workspace'],
}

/** Whether an act is told to users who can see the file or folder. */
export const isOfFiles = (subjectType: string | null): boolean => subjectType === 'Asset' || subjectType === 'Folder'

type Told = Pick<RecentActivity, 'verb' | 'subject_type' | 'subject_id' | 'user_id'>

interface Reader {
  id: number
  admin: boolean
  groupIds: readonly number[]
  /** The reader can see the file or folder of the act, or could see it before. */
  sees: boolean
}

/**
 * Returns what an activity tells a follower. Members hear only of acts that may change their own screens. Only admins
 * hear that other users read, come and go, that groups of others change, and what happens in folders out of the
 * reader's sight.
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
