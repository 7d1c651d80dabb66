import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { memo, useMemo, type ReactNode } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { prefetch, read, useRead } from '../../../api/query.ts'
import { queryClient } from '../../../api/query-client.ts'
import { idOf } from '../../../paths.ts'
import { folderQuery, ROOT, type Reader, type Workspace } from '../../../shared/listing/folder-query.ts'
import { nameOf } from '../../../shared/people.ts'
import { useWorkspace, workspaceQuery } from '../../../shared/workspace.ts'
import { RoomPanes } from '../files-page.tsx'
import { DragStore, useRowDrag } from '../list/use-row-drag.ts'
import { ListingOwner } from '../room-listing.tsx'
import { RoomOffers } from '../room-offers.ts'
import { SelectionOwner } from '../room-selection.tsx'
import { ReaderBanner } from './reader-banner.tsx'
import { ReadingCommandsOwner } from './reading-commands.tsx'

export async function loader({ params, request }: LoaderFunctionArgs) {
  const workspace = await queryClient.ensureQueryData(workspaceQuery(idOf(params['workspaceId'])))
  const seen = seenBy(workspace, new URL(request.url).searchParams)
  const folderId = idOf(params['folderId'] ?? String(ROOT))
  return prefetch(
    folderQuery(seen, ROOT),
    folderQuery(seen, folderId),
    peopleQuery(workspace.id),
    groupsQuery(workspace.id),
  )
}

export { shouldRevalidate } from '../files-page.tsx'

/**
 * The files page as a group or a person has it: the same panes, read with their rights, below owners that can change
 * nothing. It fills the window, because the rail and the search are the admin's own.
 */
export function ViewAsPage() {
  const workspace = useWorkspace()
  const [search] = useSearchParams()
  const [group, user] = [search.get('group'), search.get('user')]
  const seen = useMemo(() => seenBy(workspace, inQuery({ group, user })), [workspace, group, user])
  const name = useReaderName(workspace.id, seen.seenAs)
  return <SeenRoom key={`${workspace.id} ${group} ${user}`} workspace={seen} name={name} />
}

export { ViewAsPage as Component }

const SeenRoom = memo(function SeenRoom({ workspace, name }: { workspace: SeenWorkspace; name: string }) {
  return (
    <ListingOwner workspace={workspace}>
      <SelectionOwner>
        <ReadingCommandsOwner>
          <NoDrops>
            <Window>
              <ReaderBanner name={name} />
              <RoomPanes />
            </Window>
          </NoDrops>
          <RoomOffers />
        </ReadingCommandsOwner>
      </SelectionOwner>
    </ListingOwner>
  )
})

/** Only admins drag lines, and here nobody is one. Files from outside are not taken. */
const NoDrops = ({ children }: { children: ReactNode }) => <DragStore value={useRowDrag().drag}>{children}</DragStore>

type SeenWorkspace = Workspace & { seenAs: Reader }

const inQuery = (values: Record<'group' | 'user', string | null>) =>
  new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

/** The workspace as its reader has it: without the rights of an admin, whoever looks. */
function seenBy({ id, name }: Workspace, search: URLSearchParams): SeenWorkspace {
  const user = search.get('user')
  const seenAs = user === null ? { group_id: idOf(search.get('group') ?? undefined) } : { user_id: idOf(user) }
  return { id, name, admin: false, seenAs }
}

const peopleQuery = (id: number) => read(api.workspaces.listMembers, { params: { id } })
const groupsQuery = (workspace_id: number) => read(api.groups.list, { query: { workspace_id } })

/** The page is for admins only: for others, the service refuses. */
function useReaderName(id: number, { group_id, user_id }: Reader): string {
  const people = useRead(peopleQuery(id))
  const groups = useRead(groupsQuery(id))
  if (user_id === undefined) return groups.find((group) => group.id === group_id)?.name ?? t`a group that is gone`
  const member = people.find(({ user }) => user.id === user_id)
  return member ? nameOf(member.user) : t`somebody who is not here any more`
}

const Window = styled('div')({
  display: 'grid',
  gridTemplateRows: 'auto minmax(0, 1fr)',
  height: '100%',
  minHeight: 0,
})
