import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { failedQuery, PER_PAGE } from '../../shared/documents.ts'
import { count } from '../../ui/format.ts'
import { actionsAt, type Action } from './actions.ts'
import { FolderTree } from './folder-tree.tsx'
import { TreePane } from './panes.tsx'
import type { Room } from './use-room.ts'
import type { RowDrag } from './use-row-drag.ts'

interface FoldersPaneProps {
  room: Room
  drag: RowDrag
  /** In its drawer, where it is folded away. */
  open: boolean
  onClose: () => void
}

/** The tree beside the list; in a drawer where there is no room. */
export function FoldersPane({ room, drag, open, onClose }: FoldersPaneProps) {
  const { tree, workspace, url, screen } = room
  const goTo = (id: number) => {
    onClose()
    void url.goTo(id)
  }
  const trash = actionsAt('tree', room.situation, [])
  const run = (action: Action) => {
    onClose()
    action.run(room.commands, [])
  }
  const pane = (
    <TreePane aria-label="Folders">
      <FolderTree
        tree={tree}
        label="Folders"
        workspaceName={workspace.name}
        current={url.folderId}
        onChoose={goTo}
        drag={drag}
      />
      {tree.failed && <TreeFailure onRetry={tree.retry} />}
      {workspace.admin && <FailedLink workspaceId={workspace.id} />}
      {trash.map((action) => (
        <Footer key={action.id}>
          <Button color="inherit" fullWidth startIcon={<action.icon size={16} />} onClick={() => run(action)}>
            {action.label}
          </Button>
        </Footer>
      ))}
    </TreePane>
  )
  if (!screen.treeFolded) return pane
  return (
    <Drawer open={open} onClose={onClose} slotProps={{ paper: { sx: { width: 'min(320px, 86vw)' } } }}>
      {pane}
    </Drawer>
  )
}

/** To the documents that could not be read, where there are any. */
function FailedLink({ workspaceId }: { workspaceId: number }) {
  const { data = [] } = useQuery({ ...failedQuery(workspaceId), staleTime: 60_000 })
  if (data.length === 0) return null
  const words = data.length < PER_PAGE ? count(data.length, 'document') : `${PER_PAGE} documents or more`
  return (
    <Footer>
      <Button
        color="inherit"
        fullWidth
        startIcon={<FileX2 size={16} />}
        component={Link}
        to={paths.documents(workspaceId, { status: 'failed' })}
      >
        {words} failed
      </Button>
    </Footer>
  )
}

const Footer = styled('div')(({ theme }) => ({
  padding: '6px 8px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '.MuiButton-root': { justifyContent: 'flex-start', fontWeight: 500, color: theme.vars.palette.text.secondary },
}))

function TreeFailure({ onRetry }: { onRetry: () => void }) {
  const again = (
    <Button color="inherit" onClick={onRetry}>
      Retry
    </Button>
  )
  return (
    <Alert severity="warning" variant="outlined" action={again} sx={{ m: 1 }}>
      Not all folders could be loaded.
    </Alert>
  )
}
