import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { naturally } from '../../ui/format.ts'

export type OrganizationInfo = Reply<typeof api.organization.get>

export const organizationQuery = () => read(api.organization.get)

/** Refused to everyone but organization admins, and so the page is too. */
export const usersQuery = () => read(api.organization.listMembers)

/** By name; the text is looked for in name and e-mail address. */
export function matchingUsers(users: readonly User[], text: string): User[] {
  const wanted = text.trim().toLocaleLowerCase()
  return users
    .filter((user) => `${nameOf(user)} ${user.email}`.toLocaleLowerCase().includes(wanted))
    .toSorted((a, b) => naturally(nameOf(a), nameOf(b)))
}
