import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { naturally } from '../../ui/words/format.ts'

export type OrganizationInfo = Reply<typeof api.organization.get>

export const organizationQuery = () => read(api.organization.get)

/** The service gives this list to organization admins only, so nobody else sees the page. */
export const usersQuery = () => read(api.organization.listMembers)

/** Returns the users whose name or e-mail address contains the text, by name. */
export function matchingUsers(users: readonly User[], text: string): User[] {
  const wanted = text.trim().toLocaleLowerCase()
  return users
    .filter((user) => `${nameOf(user)} ${user.email}`.toLocaleLowerCase().includes(wanted))
    .toSorted((a, b) => naturally(nameOf(a), nameOf(b)))
}
