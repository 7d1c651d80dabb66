import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useRead } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import type { Reader, Workspace } from '../listing/folder-query.ts'
import { nameOf } from '../people.ts'

export type SeenWorkspace = Workspace & { seenAs: Reader }

const NOBODY: Reader = { group_id: -1 }

/** The reader that an address names. */
export function readerIn(search: URLSearchParams): Reader | undefined {
  const [group, user] = [search.get('group'), search.get('user')]
  if (user !== null) return { user_id: idOf(user) }
  return group === null ? undefined : { group_id: idOf(group) }
}

/** The workspace as a reader has it: without the rights of an admin, whoever looks. */
export const seenBy = ({ id, name }: Workspace, seenAs: Reader = NOBODY): SeenWorkspace => ({
  id,
  name,
  admin: false,
  seenAs,
})

/** Returns the same object while the address names the same reader; undefined if it names none. */
export function useSeen(workspace: Workspace): SeenWorkspace | undefined {
  const reader = JSON.stringify(readerIn(useSearchParams()[0]))
  return useMemo(
    () => (reader === undefined ? undefined : seenBy(workspace, JSON.parse(reader) as Reader)),
    [workspace, reader],
  )
}

export const peopleQuery = (id: number) => read(api.workspaces.listMembers, { params: { id } })
export const groupsQuery = (workspace_id: number) => read(api.groups.list, { query: { workspace_id } })

/** Only for admins: for others, the service refuses. */
export function useReaderName({ id, seenAs: { group_id, user_id } }: SeenWorkspace): string {
  const people = useRead(peopleQuery(id))
  const groups = useRead(groupsQuery(id))
  if (user_id === undefined) return groups.find((group) => group.id === group_id)?.name ?? t`a group that is gone`
  const member = people.find(({ user }) => user.id === user_id)
  return member ? nameOf(member.user) : t`somebody who is not here any more`
}
