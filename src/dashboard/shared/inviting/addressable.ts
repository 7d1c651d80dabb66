import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import type { Person } from '../people.ts'
import { useMe } from '../session.ts'
import { useWorkspace } from '../workspace.ts'
import { emailsIn } from './add-people.ts'
import type { InvitationState } from './invitation-chip.tsx'

/** Somebody whom the caller can see and may add. */
export interface Addressable extends Person {
  id: number
  /** Undefined for people who are not in the workspace. */
  state: InvitationState | undefined
  groupIds: readonly number[]
}

/** Addresses that are chosen, and what is still being typed. */
export interface Addressees {
  chosen: readonly string[]
  text: string
}

export const NOBODY: Addressees = { chosen: [], text: '' }

/** Each address once. */
export function emailsOf({ chosen, text }: Addressees): string[] {
  const byAddress = new Map([...chosen, ...emailsIn(text)].map((email) => [email.toLowerCase(), email]))
  return [...byAddress.values()]
}

/** The members of the workspace, then those of its team and the users of the organization, where the caller may see them. */
export function useAddressable(): { people: Addressable[]; known: ReadonlyMap<string, number> } {
  const { id, team_id, team_member } = useWorkspace()
  const { organization_admin } = useMe()
  const members = useReading(read(api.workspaces.listMembers, { params: { id } })).data ?? []
  const team = useReading({ ...read(api.teams.listMembers, { params: { id: team_id } }), enabled: team_member }).data
  const all = useReading({ ...read(api.organization.listMembers, {}), enabled: organization_admin }).data
  const here = members.map(({ user, invitation_state, groups }) => ({
    ...user,
    state: invitation_state,
    groupIds: groups.map((group) => group.id),
  }))
  const elsewhere = [...(team?.memberships.map(({ user }) => user) ?? []), ...(all?.users ?? [])]
  const byId = new Map<number, Addressable>(here.map((person) => [person.id, person]))
  for (const user of elsewhere) if (!byId.has(user.id)) byId.set(user.id, { ...user, state: undefined, groupIds: [] })
  return { people: [...byId.values()], known: new Map(here.map((person) => [person.email.toLowerCase(), person.id])) }
}
