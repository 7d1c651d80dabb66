import { nameOf } from '../../shared/people.ts'
import { naturally } from '../../ui/format.ts'
import type { Member } from './member.ts'

export interface PeopleSort {
  column: 'name' | 'active' | 'status'
  /** Against what a column begins with: names from A, who was here last, who has not come yet. */
  reversed: boolean
}

/** From the address: "active", "-active"; anything else is by name. */
export function parseSort(text: string | null): PeopleSort {
  const column = COLUMNS.find((each) => text === each || text === `-${each}`) ?? 'name'
  return { column, reversed: text === `-${column}` }
}

/** What the address says after a click on a column; by name, it says nothing. */
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
  status: (a, b) => Number(b.status === 'invited') - Number(a.status === 'invited'),
}

const lastActive = ({ last_active_at }: Member) => (last_active_at === null ? 0 : Date.parse(last_active_at))
