import type { Flag } from '../../../contract/endpoints/permissions.ts'
import type { Activity } from '../audit/activities.ts'
import type { Applied } from './permission-changes.ts'

/** The act of a right that is granted or revoked, or of its undo. */
export const rightAct = (
  flag: Flag,
  granted: boolean,
  names: { folder_name: string; group_name: string },
  isUndo = false,
) => ({
  act: isUndo
    ? (`${flag}_${granted ? 'revocation' : 'grant'}_undone` as const)
    : (`${flag}_${granted ? 'granted' : 'revoked'}` as const),
  params: { folder: names.folder_name, group: names.group_name },
})

/** What is set on a draft gives nobody a right yet. */
export const preparedAct = ({ folder_name, group_name }: { folder_name: string; group_name: string }) => ({
  act: 'rights_prepared' as const,
  params: { folder: folder_name, group: group_name },
})

/**
 * Returns activities as if each right had been granted or revoked by hand. A right that only follows another has no
 * activity.
 */
export function actsOf(applied: Applied, isUndo: boolean): Activity[] {
  const { folder_id, group_id, before, after, below } = applied
  const changes = { folder_id: { after: folder_id }, rights: { before: { ...before, below }, after } }
  if (applied.is_draft) return [{ ...preparedAct(applied), subject_id: folder_id, changes }]
  const changed = applied.flags.filter((flag) => before[flag] !== after[flag] || below > 0)
  const isBrought = (flag: Flag) =>
    flag === 'view'
      ? changed.some((other) => other !== 'view' && after[other])
      : changed.includes('view') && !after.view
  return changed
    .filter((flag) => !isBrought(flag))
    .map((flag) => ({
      ...rightAct(flag, after[flag], applied, isUndo),
      subject_id: group_id,
      changes,
    }))
}
