import { t } from '@lingui/core/macro'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { groups } from '../../../../contract/endpoints/groups.ts'
import { isAdminGroup } from '../../../../contract/rules.ts'
import { calendarDate } from '../../../ui/words/format.ts'
import type { GridGroup } from './grid-row.tsx'

export type GroupInfo = Reply<typeof groups.get>

/** Users would scroll through more groups than this instead of reading them. */
export const COMPARE_LIMIT = 5

/** Returns the groups in the address (`?group=3&group=5`) that exist; otherwise the newest one that can be changed. */
export function chosenGroups(all: readonly GroupInfo[], wanted: readonly string[]): GroupInfo[] {
  const chosen = all.filter(({ id }) => wanted.includes(String(id))).slice(0, COMPARE_LIMIT)
  if (chosen.length > 0) return chosen
  const first =
    all.find(({ kind, expired }) => kind === 'custom' && !expired) ??
    all.find((group) => !isAdminGroup(group)) ??
    all[0]
  return first ? [first] : []
}

export function gridGroup(group: GroupInfo, admin: boolean): GridGroup {
  return { id: group.id, name: group.name, locked: whyLocked(group, admin) }
}

function whyLocked(group: GroupInfo, admin: boolean): string | undefined {
  const { name } = group
  if (isAdminGroup(group)) return t`${name} have every right on every folder. This cannot be changed.`
  if (!admin) return t`Only workspace admins change permissions.`
  const { expired, expire_workspace_access_at: end } = group
  if (!expired || end === null) return undefined
  const day = calendarDate(end)
  return t`The access of ${name} ended on ${day}, so it grants nothing. Move its expiry to change its rights.`
}
