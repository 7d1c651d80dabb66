import { lazy, memo, Suspense, useCallback, useState, type ReactNode } from 'react'
import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { idOf } from '../../paths.ts'
import { UploadDropzone } from '../../shared/uploads/drop/upload-dropzone.tsx'
import { useWorkspace, workspaceQuery } from '../../shared/workspace.ts'
import { usePainted } from '../../ui/use-painted.ts'
import { actionsAt } from './actions.ts'
import { Breadcrumbs } from './tree/breadcrumbs.tsx'
import { DetailsPane } from './details/details-pane.tsx'
import { FolderList } from './list/folder-list.tsx'
import type { FolderContent } from '../../shared/listing/entries.ts'
import { folderQuery, type Workspace } from '../../shared/listing/folder-query.ts'
import { ListHeader } from './list/list-header.tsx'
import { ListPane, Panes, TreePane } from './panes.tsx'
import { CommandsOwner, useRoomCommands } from './room-commands.tsx'
import { ListingOwner, useRoomAddress, useRoomListing } from './room-listing.tsx'
import { useRoomMenu, type OpenMenu } from './room-menu.tsx'
import { SelectionOwner } from './room-selection.tsx'
import { ROOT } from '../../shared/listing/folder-query.ts'
import { DragStore, useRowDrag } from './list/use-row-drag.ts'
import { useScreen } from '../../shared/listing/use-screen.ts'

// Loaded after the list is shown.
const FoldersPane = lazy(async () => ({ default: (await import('./tree/folders-pane.tsx')).FoldersPane }))
const DraftNote = lazy(async () => ({ default: (await import('./drafts/draft-note.tsx')).DraftNote }))
const RoomOffers = lazy(async () => ({ default: (await import('./room-offers.ts')).RoomOffers }))

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
  return <Room key={workspace.id} workspace={workspace} />
}

const hasDraft = ({ folder, immediate_subfolders }: FolderContent) =>
  [folder, ...immediate_subfolders].some(({ draft }) => draft)

export { FilesPage as Component }

/**
 * Three owners hold the state of the page: address and listing, selection, commands. Each part subscribes to what it
 * uses, so that choosing a line renders only that line and the parts that show the selection.
 */
const Room = memo(function Room({ workspace }: { workspace: Workspace }) {
  return (
    <ListingOwner workspace={workspace}>
      <SelectionOwner>
        <CommandsOwner>
          <DropArea>
            <RoomPanes />
          </DropArea>
        </CommandsOwner>
      </SelectionOwner>
    </ListingOwner>
  )
})

/** Takes dropped files, and owns the dragging of lines. */
function DropArea({ children }: { children: ReactNode }) {
  const { workspace, folderId } = useRoomAddress()
  const { title, content, error } = useRoomListing()
  const { drag, files } = useRowDrag()
  return (
    <UploadDropzone
      workspace={workspace}
      folder={{ id: folderId, name: title }}
      shown={content !== undefined || error !== null}
      mayUpload={content?.abilities.upload}
      into={files.into}
      folderAt={files.folderAt}
      onOver={files.onOver}
      onEnd={files.onEnd}
    >
      <DragStore value={drag}>{children}</DragStore>
    </UploadDropzone>
  )
}

export function RoomPanes() {
  const { openAt, menu } = useRoomMenu()
  const [treeOpen, setTreeOpen] = useState(false)
  const openTree = useCallback(() => setTreeOpen(true), [])
  const closeTree = useCallback(() => setTreeOpen(false), [])
  const { content, error } = useRoomListing()
  const painted = usePainted(content !== undefined || error !== null)
  return (
    <>
      <Panes>
        <Suspense fallback={<TreePlace />}>
          {painted ? <FoldersPane open={treeOpen} onClose={closeTree} onMenu={openAt} /> : <TreePlace />}
        </Suspense>
        <Listed onTree={openTree} onMenu={openAt} />
        <DetailsPane onMenu={openAt} />
      </Panes>
      {menu}
      <Suspense>{painted && <RoomOffers />}</Suspense>
    </>
  )
}

/** Keeps the place of the tree until its code is loaded. */
const TreePlace = () => (useScreen().treeFolded ? null : <TreePane />)

function Listed({ onTree, onMenu }: { onTree: () => void; onMenu: OpenMenu }) {
  const { workspace, workspaceId, folderId, change } = useRoomAddress()
  const { title, number, content, filter, setFilter, situation } = useRoomListing()
  const { commands } = useRoomCommands()
  const { treeFolded, folded } = useScreen()
  return (
    <ListPane aria-label={title}>
      <ListHeader
        title={title}
        number={number}
        crumbs={<Breadcrumbs workspace={workspace} folderId={folderId} content={content} />}
        workspaceId={workspaceId}
        folderId={folderId}
        mayUpload={situation.abilities.upload}
        filter={filter}
        onFilter={setFilter}
        actions={actionsAt('toolbar', situation, [])}
        onRun={(action) => action.run(commands, [])}
        onTree={treeFolded ? onTree : undefined}
        onDetails={folded && content ? () => change({ details: true }, true) : undefined}
      />
      <Suspense>{content && hasDraft(content) && <DraftNote content={content} />}</Suspense>
      <FolderList onMenu={onMenu} />
    </ListPane>
  )
}
