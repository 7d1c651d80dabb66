import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { FileX2 } from 'lucide-react'
import { lazy, memo, Suspense, useCallback, useDeferredValue } from 'react'
import { Link } from 'react-router-dom'
import { useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { failedQuery, PER_PAGE } from '../../../shared/documents.ts'
import { UNPRINTED } from '../../../ui/print.ts'
import { actionsAt, type Action } from '../actions.ts'
import { FolderTree } from './folder-tree.tsx'
import { TreePane } from '../panes.tsx'
import { useRoomCommands } from '../room-commands.tsx'
import type { OpenMenu } from '../room-menu.tsx'
import type { TreeRow } from './tree-rows.ts'
import { folderEntry } from '../../../shared/listing/entries.ts'
import { folderQuery, ROOT } from '../../../shared/listing/folder-query.ts'
import { useRoomAddress, useRoomListing, useRoomTree } from '../room-listing.tsx'
import { useDrag } from '../list/use-row-drag.ts'
import { useUnread } from '../use-unread.ts'
import { useScreen } from '../../../shared/listing/use-screen.ts'

// Only narrow screens need the drawer.
const Drawer = lazy(() => import('@mui/material/Drawer'))
const Alert = lazy(() => import('@mui/material/Alert'))

interface FoldersPaneProps {
  /** Whether the drawer is open, where the tree is folded away. */
  open: boolean
  onClose: () => void
  onMenu: OpenMenu
}

/** The folder tree beside the list, or in a drawer on narrow screens. The list reacts at once; the tree may lag behind. */
export const FoldersPane = memo(function FoldersPane({ open, onClose, onMenu }: FoldersPaneProps) {
  const { workspace, folderId, goTo } = useRoomAddress()
  const { situation } = useRoomListing()
  const { commands } = useRoomCommands()
  const drag = useDrag()
  const { treeFolded } = useScreen()
  const tree = useDeferredValue(useRoomTree())
  const current = useDeferredValue(folderId)
  const unread = useUnread()
  const choose = useCallback(
    (id: number) => {
      onClose()
      goTo(id)
    },
    [onClose, goTo],
  )
  const { data: top } = useReading(folderQuery(workspace, ROOT))
  const root = top?.folder
  const openMenu = useCallback(
    (at: { left: number; top: number }, row: TreeRow) => {
      const folder = row.folder ?? (root && { ...root, name: workspace.name })
      if (folder) onMenu(at, folderEntry(folder), true)
    },
    [onMenu, root, workspace.name],
  )
  const trash = actionsAt('tree', situation, [])
  const run = (action: Action) => {
    onClose()
    action.run(commands, [])
  }
  const pane = (
    <TreePane aria-label={t`Folders`} className={UNPRINTED}>
      <FolderTree
        tree={tree}
        label={t`Folders`}
        workspaceName={workspace.name}
        current={current}
        onChoose={choose}
        onMenu={openMenu}
        drag={drag}
        unread={unread}
      />
      {tree.failed && <TreeFailure onRetry={tree.retry} />}
      {workspace.admin && <FailedLink workspaceId={workspace.id} />}
      {trash.map((action) => (
        <Footer key={action.id}>
          <Button color="inherit" fullWidth startIcon={<action.icon size={16} />} onClick={() => run(action)}>
            {i18n._(action.label)}
          </Button>
        </Footer>
      ))}
    </TreePane>
  )
  if (!treeFolded) return pane
  return (
    <Suspense>
      <Drawer open={open} onClose={onClose} slotProps={{ paper: { sx: { width: 'min(320px, 86vw)' } } }}>
        {pane}
      </Drawer>
    </Suspense>
  )
})

/** Links to the documents that could not be read, if there are any. */
function FailedLink({ workspaceId }: { workspaceId: number }) {
  const { data = [] } = useReading({ ...failedQuery(workspaceId), staleTime: 60_000 })
  if (data.length === 0) return null
  return (
    <Footer>
      <Button
        color="inherit"
        fullWidth
        startIcon={<FileX2 size={16} />}
        component={Link}
        to={paths.documents(workspaceId, { status: 'failed' })}
      >
        {failedWords(data.length)}
      </Button>
    </Footer>
  )
}

function failedWords(failed: number): string {
  return failed < PER_PAGE
    ? plural(failed, { one: '# document failed', other: '# documents failed' })
    : plural(PER_PAGE, { one: '# document or more failed', other: '# documents or more failed' })
}

const Footer = styled('footer')(({ theme }) => ({
  padding: '6px 8px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '.MuiButton-root': { justifyContent: 'flex-start', fontWeight: 500, color: theme.vars.palette.text.secondary },
}))

function TreeFailure({ onRetry }: { onRetry: () => void }) {
  const again = (
    <Button color="inherit" onClick={onRetry}>
      <Trans>Retry</Trans>
    </Button>
  )
  return (
    <Suspense>
      <Alert severity="warning" variant="outlined" action={again} sx={{ m: 1 }}>
        <Trans>Not all folders could be loaded.</Trans>
      </Alert>
    </Suspense>
  )
}
