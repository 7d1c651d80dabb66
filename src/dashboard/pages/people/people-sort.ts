import { INVITATION_STATES } from '../../../contract/endpoints/workspaces.ts'
import { nameOf } from '../../shared/people.ts'
import { naturally } from '../../ui/words/format.ts'
import type { Member } from './member.ts'

export interface PeopleSort {
  column: 'name' | 'active' | 'status'
  /** Reverses the default order: names from A, the latest activity first, invited users first. */
  reversed: boolean
}

/**
 * Reads a column from the address, with "-" in front if the order is reversed. Any other text means the order by name.
 */
export function parseSort(text: string | null): PeopleSort {
  const column = COLUMNS.find((each) => text === each || text === `-${each}`) ?? 'name'
  return { column, reversed: text === `-${column}` }
}

/** Returns the text for the address after a click on a column; "" for the order by name. */
export function sortAfter({ column, reversed }: PeopleSort, clicked: PeopleSort['column']): string {
  const next = clicked === column && !reversed ? `-${clicked}` : clicked
  return next === 'name' ? '' : next
}

export function sortPeople(people: readonly Member[], { column, reversed }: PeopleSort): Member[] {
  const byName = (a: Member, b: Member) => naturally(nameOf(a.user), nameOf(b.user))
  const sign = reversed ? -1 : 1
  return people.toSorted((a, b) => sign * COMPARE[column](a, b) || byName(a, b))
}

const COLUMNS = ['name', 'active', 'status'] as const

const COMPARE: Record<PeopleSort['column'], (a: Member, b: Member) => number> = {
  name: (a, b) => naturally(nameOf(a.user), nameOf(b.user)),
  active: (a, b) => lastActive(b) - lastActive(a),
  status: (a, b) => INVITATION_STATES.indexOf(a.invitation_state) - INVITATION_STATES.indexOf(b.invitation_state),
}

const lastActive = ({ last_active_at }: Member) => (last_active_at === null ? 0 : Date.parse(last_active_at))
