import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { type ExpiryEffect, foreseeExpiry } from './foresee-expiry.ts'
import { type GroupInfo, groupsQuery, peopleQuery } from '../group-info.ts'

interface Foreseen {
  /** Undefined until people, groups and rights are read. */
  effect: ExpiryEffect | undefined
  error: Error | null
  retry: () => void
}

/** Computes who loses and who keeps access on a day, from people, groups and the rights of All Members. */
export function useExpiryEffect(group: GroupInfo, day: string): Foreseen {
  const { workspace_id } = group
  const people = useReading(peopleQuery(workspace_id))
  const groups = useReading(groupsQuery(workspace_id))
  const everybody = groups.data?.find(({ kind }) => kind === 'all_members')
  const asked = everybody !== undefined && everybody.id !== group.id
  const query = read(api.permissions.list, { params: { id: 0 }, query: { workspace_id, group_id: everybody?.id ?? 0 } })
  const rights = useReading({ ...query, enabled: asked })
  const error = people.error ?? groups.error ?? rights.error
  const retry = () => {
    for (const part of [people, groups, rights]) if (part.error) void part.refetch()
  }
  if (!people.data || !groups.data || (asked && !rights.data)) return { effect: undefined, error, retry }
  // The row of All Folders tells whether rights below it are mixed; if they are not, the top level tells them.
  const allMembersGrant = rights.data?.some(({ view, is_mixed_view }) => view || is_mixed_view) ?? false
  const effect = foreseeExpiry(group, day, { people: people.data, groups: groups.data, allMembersGrant })
  return { effect, error, retry }
}
