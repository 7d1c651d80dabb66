import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { groups } from '../../../../contract/endpoints/groups.ts'
import { MAX_SHEET_GROUPS } from '../../../../contract/endpoints/permissions.ts'
import { isAdminGroup, isBuiltIn } from '../../../../contract/rules.ts'
import { endDay, isNear, protectionWords } from '../../../shared/who/group-terms.ts'
import { calendarDate, naturally, number } from '../../../ui/words/format.ts'
import type { GridGroup } from './grid-row.tsx'

export type GroupInfo = Reply<typeof groups.get>

/** As on the page of the groups: built-in groups last, otherwise by name. */
export function inOrder(groups: readonly GroupInfo[]): GroupInfo[] {
  return groups.toSorted((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)) || naturally(a.name, b.name))
}

/** Widths in pixels: rail and margins, the folder column, three rights of a group. */
const AROUND = 106
const FOLDERS = 260
const RIGHTS = 204

const fitting = (width: number): number =>
  Math.min(MAX_SHEET_GROUPS, Math.max(1, Math.floor((width - AROUND - FOLDERS) / RIGHTS)))

/**
 * Returns the groups in the address (`?group=3&group=5`) that exist; otherwise those that were shown last; otherwise all
 * that fit, without those of the admins, who have every right.
 * @param all in the order of the columns
 */
export function chosenGroups(
  all: readonly GroupInfo[],
  wanted: readonly string[],
  { remembered, width }: { remembered: readonly number[] | undefined; width: number },
): GroupInfo[] {
  const chosen = [wanted.map(Number), remembered ?? []]
    .map((ids) => all.filter(({ id }) => ids.includes(id)).slice(0, MAX_SHEET_GROUPS))
    .find((groups) => groups.length > 0)
  if (chosen) return chosen
  const limited = all.filter((group) => !isAdminGroup(group))
  const [custom, others] = [limited.filter(isActiveCustom), limited.filter((group) => !isActiveCustom(group))]
  const fit = new Set([...custom, ...others].slice(0, fitting(width)))
  return fit.size > 0 ? all.filter((group) => fit.has(group)) : all.slice(0, 1)
}

const isActiveCustom = ({ kind, expired }: GroupInfo) => kind === 'custom' && !expired

export function gridGroup(group: GroupInfo, admin: boolean): GridGroup {
  const { id, name, is_draft, expire_workspace_access_at: end } = group
  return {
    id,
    name,
    isDraft: is_draft,
    locked: whyLocked(group, admin),
    people: peopleWords(group),
    protection: isAdminGroup(group) ? '' : protectionWords(group),
    end: end === null ? undefined : { words: endWords(group, end), isNear: isNear(end) },
  }
}

/** Only admins may know how many are in a group. */
function peopleWords({ members_count, uninvited_count }: GroupInfo): string {
  if (members_count === null) return ''
  const people = plural(members_count, { 0: 'Nobody', one: '# person', other: '# people' })
  const uninvited = number(uninvited_count ?? 0)
  return uninvited_count ? t`${people}, ${uninvited} not invited` : people
}

function endWords({ expired }: GroupInfo, end: string): string {
  const day = endDay(end)
  return expired ? t`ended ${day}` : t`until ${day}`
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
