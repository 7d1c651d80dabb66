import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { nameOf } from '../../shared/people.ts'

export type Member = Reply<typeof api.workspaces.listMembers>[number]

/** Returns the people whose name, e-mail address or groups contain the text. */
export function matchingPeople(people: readonly Member[], text: string): Member[] {
  const wanted = text.trim().toLocaleLowerCase()
  return people.filter(({ user, groups }) =>
    [nameOf(user), user.email, ...groups.map(({ name }) => name)].some((part) =>
      part.toLocaleLowerCase().includes(wanted),
    ),
  )
}
