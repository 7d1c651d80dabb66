import { memo, type ReactNode } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../../api/query.ts'
import { queryClient } from '../../../api/query-client.ts'
import { idOf, paths } from '../../../paths.ts'
import { folderQuery, ROOT } from '../../../shared/listing/folder-query.ts'
import {
  groupsQuery,
  peopleQuery,
  readerIn,
  seenBy,
  useSeen,
  type SeenWorkspace,
} from '../../../shared/view-as/seen-by.ts'
import { SeenFrame } from '../../../shared/view-as/seen-frame.tsx'
import { useWorkspace, workspaceQuery } from '../../../shared/workspace.ts'
import { RoomPanes } from '../files-page.tsx'
import { DragStore, useRowDrag } from '../list/use-row-drag.ts'
import { ListingOwner, useRoomAddress } from '../room-listing.tsx'
import { SelectionOwner } from '../room-selection.tsx'
import { ReadingCommandsOwner } from './reading-commands.tsx'

export async function loader({ params, request }: LoaderFunctionArgs) {
  const workspace = await queryClient.ensureQueryData(workspaceQuery(idOf(params['workspaceId'])))
  const seen = seenBy(workspace, readerIn(new URL(request.url).searchParams))
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
 * nothing.
 */
export function ViewAsPage() {
  const workspace = useWorkspace()
  const seen = useSeen(workspace) ?? seenBy(workspace)
  return <SeenRoom key={JSON.stringify(seen)} workspace={seen} />
}

export { ViewAsPage as Component }

const SeenRoom = memo(function SeenRoom({ workspace }: { workspace: SeenWorkspace }) {
  return (
    <ListingOwner workspace={workspace}>
      <SelectionOwner>
        <ReadingCommandsOwner>
          <NoDrops>
            <Frame workspace={workspace}>
              <RoomPanes />
            </Frame>
          </NoDrops>
        </ReadingCommandsOwner>
      </SelectionOwner>
    </ListingOwner>
  )
})

function Frame({ workspace, children }: { workspace: SeenWorkspace; children: ReactNode }) {
  const { folderId } = useRoomAddress()
  return (
    <SeenFrame workspace={workspace} tab="files" leaveTo={paths.files(workspace.id, folderId)}>
      {children}
    </SeenFrame>
  )
}

/** Only admins drag lines, and here nobody is one. Files from outside are not taken. */
const NoDrops = ({ children }: { children: ReactNode }) => <DragStore value={useRowDrag().drag}>{children}</DragStore>
