import type { ForeseenRights } from '../../../shared/who/foreseen-words.ts'

type Moved = Pick<ForeseenRights['groups']['listed'][number], 'gains' | 'loses'>
type Some = { [K in keyof Moved]?: Partial<Moved[K]> }

const none = { folders: 0, files: 0 }
const filled = ({ gains, loses }: Some): Moved => ({
  gains: { view: none, download: none, upload: none, ...gains },
  loses: { view: none, download: none, upload: none, ...loses },
})

/** Returns the changes of rights for the group Bidders and for Bob Brown; without arguments, no changes. */
export function changed({ group, person }: { group?: Some; person?: Some } = {}): ForeseenRights {
  const user = { id: 3, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }
  const groups = group ? [{ group_id: 12, group_name: 'Bidders', ...filled(group) }] : []
  const people = person ? [{ user, ...filled(person) }] : []
  return {
    groups: { total: groups.length, listed: groups },
    people: { total: people.length, listed: people },
    is_partial: false,
  }
}
