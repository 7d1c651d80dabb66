import { t } from '@lingui/core/macro'
import { lazy, memo, Suspense, useCallback, useDeferredValue, useEffect, useState } from 'react'
import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { idOf } from '../../paths.ts'
import { UploadDropzone } from '../../shared/uploads/upload-dropzone.tsx'
import { useWorkspace, workspaceQuery } from '../../shared/workspace.ts'
import { UNPRINTED } from '../../ui/print.ts'
import { actionsAt, type Action } from './actions.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Details } from './details.tsx'
import { DetailsActions, OrderButtons } from './details-actions.tsx'
import { FolderList } from './folder-list.tsx'
import { folderQuery, type Workspace } from './folder-query.ts'
import { FoldersPane } from './folders-pane.tsx'
import { ListHeader } from './list-header.tsx'
import { DetailsAside, ListPane, Panes } from './panes.tsx'
import { useRoomMenu } from './room-menu.tsx'
import { choose } from './selection.ts'
import { ROOT } from './tree-rows.ts'
import { useRoom, type Room } from './use-room.ts'
import { useRoomOffers } from './use-room-offers.ts'
import { useRowDrag } from './use-row-drag.ts'

// Only narrow screens need the drawer.
const Drawer = lazy(() => import('@mui/material/Drawer'))
// Most visits change nothing.
const QuestionDialog = lazy(async () => ({ default: (await import('./question-dialog.tsx')).QuestionDialog }))

/** Reads the open folder and the top of the tree. */
export async function loader({ params }: LoaderFunctionArgs) {
  const workspace = await queryClient.ensureQueryData(workspaceQuery(idOf(params['workspaceId'])))
  const folderId = params['folderId'] === undefined ? ROOT : idOf(params['folderId'])
  return prefetch(folderQuery(workspace, ROOT), folderQuery(workspace, folderId))
}

/** Sort, filter and selection change only the query of the address, which needs no new data. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname

export function FilesPage() {
  const workspace = useWorkspace()
  return <FilesOf key={workspace.id} workspace={workspace} />
}

export { FilesPage as Component }

function FilesOf({ workspace }: { workspace: Workspace }) {
  const room = useRoom(workspace)
  const { url, screen, listing, selection, tree, commands, question, setQuestion } = room
  const { openAt, menu } = useRoomMenu(room)
  const [treeOpen, setTreeOpen] = useState(false)
  const closeTree = useCallback(() => setTreeOpen(false), [])
  const drag = useRowDrag({
    entries: listing.entries,
    order: listing.order,
    selection,
    onSelect: room.select,
    tree,
    folderId: url.folderId,
    workspaceName: workspace.name,
    mayMove: (entries) => actionsAt('lines', room.situation, entries).some(({ id }) => id === 'move'),
    onMove: (entries, to) => setQuestion({ kind: 'drop', entries, to }),
    takesFiles: workspace.admin,
  })
  useEffect(() => {
    document.title = `${room.title} – Strongroom`
  }, [room.title])
  // The list reacts to input at once; the panes around it may lag behind.
  const around = useDeferredValue({ room, drag, openAt })
  useRoomOffers(around.room)
  const { content } = listing
  const mayUpload = room.situation.abilities.upload
  // Until the folder is read, the right to upload is unknown. Allow the drop; the upload itself reports a refusal.
  const mayDrop = mayUpload || (!content && !listing.error)
  return (
    <UploadDropzone
      workspaceId={workspace.id}
      folder={{ id: url.folderId, name: room.title }}
      mayUpload={mayDrop}
      {...drag.files}
    >
      <Panes>
        <FoldersPane room={around.room} drag={around.drag} open={treeOpen} onClose={closeTree} />
        <ListPane aria-label={room.title}>
          <ListHeader
            title={room.title}
            crumbs={<Breadcrumbs workspace={workspace} folderId={url.folderId} folder={content?.folder} />}
            workspaceId={workspace.id}
            folderId={url.folderId}
            mayUpload={mayUpload}
            filter={room.filter}
            onFilter={room.setFilter}
            actions={actionsAt('toolbar', room.situation, [])}
            onRun={(action) => action.run(commands, [])}
            onTree={screen.treeFolded ? () => setTreeOpen(true) : undefined}
            onDetails={screen.folded && content ? () => url.change({ details: true }, true) : undefined}
          />
          <FolderList room={room} drag={drag} onMenu={openAt} />
        </ListPane>
        <DetailsOf room={around.room} onMenu={around.openAt} />
      </Panes>
      {menu}
      <Suspense>
        {question && content && (
          <QuestionDialog
            question={question}
            workspace={workspace}
            folder={content.folder}
            folderName={room.title}
            onCreated={(id) => room.select(choose(`folder-${id}`))}
            onClose={() => setQuestion(undefined)}
          />
        )}
      </Suspense>
    </UploadDropzone>
  )
}

interface DetailsOfProps {
  room: Room
  onMenu: ReturnType<typeof useRoomMenu>['openAt']
}

const DetailsOf = memo(function DetailsOf({ room, onMenu }: DetailsOfProps) {
  const { screen, url, listing, chosen, situation, commands } = room
  const { content } = listing
  const run = (action: Action) => action.run(commands, chosen)
  const actions = (
    <DetailsActions
      actions={actionsAt('details', situation, chosen)}
      onRun={run}
      onMenu={(at) => onMenu(at, chosen[0])}
    />
  )
  const order = <OrderButtons actions={actionsAt('order', situation, chosen)} onRun={run} />
  const details = content && (
    <Details workspace={room.workspace} content={content} chosen={chosen} actions={actions} order={order} />
  )
  if (!screen.folded)
    return (
      <DetailsAside aria-label={t`Details`} className={UNPRINTED}>
        {details}
      </DetailsAside>
    )
  const paper = screen.phone ? { maxHeight: '86vh', borderRadius: '12px 12px 0 0' } : { width: 316 }
  return (
    <Suspense>
      <Drawer
        anchor={screen.phone ? 'bottom' : 'right'}
        open={url.details && details !== undefined}
        onClose={() => void url.closeDetails()}
        slotProps={{ paper: { sx: paper, 'aria-label': t`Details` } }}
      >
        {details}
      </Drawer>
    </Suspense>
  )
})
