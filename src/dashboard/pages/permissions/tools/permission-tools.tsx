import { plural } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { idOf } from '../../../paths.ts'
import { Opening } from '../../../ui/states/opening.tsx'
import { nameIn, ROOT } from '../sheet/folder-tree.ts'
import type { GridGroup } from '../grid/grid-row.tsx'
import type { Inverse } from '../changes/inverse.ts'
import { MoreMenu } from './more-menu.tsx'
import type { PermissionSheet } from '../sheet/permission-sheet.ts'
import type { Done } from '../changes/undo-history.ts'

// Loaded on demand, when they are opened.
const WhoDrawer = lazy(async () => ({ default: (await import('../../../shared/who/who-drawer.tsx')).WhoDrawer }))
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

interface PermissionToolsProps {
  workspace: { id: number; name: string }
  sheet: PermissionSheet
  groups: readonly GridGroup[]
  isStaging: boolean
  onStaging: (isStaging: boolean) => void
  onDone: (done: Done) => void
}

/** The tools of an admin around the grid: who can see a folder, view as others, export and import. */
export function PermissionTools(props: PermissionToolsProps) {
  const { workspace, sheet, groups, onDone } = props
  const [search, setSearch] = useSearchParams()
  const [importing, setImporting] = useState(false)
  const who = search.get('who')
  const showWho = (folderId: number | undefined) =>
    setSearch((before) => {
      before.delete('who')
      if (folderId !== undefined) before.set('who', String(folderId))
      return before
    })
  const imported = (effects: number, inverse: Inverse) => {
    setImporting(false)
    onDone(sheet.accept(plural(effects, { one: '# change made', other: '# changes made' }), inverse))
  }
  const folderId = idOf(who ?? undefined)
  return (
    <>
      <MoreMenu
        workspaceId={workspace.id}
        workspaceName={workspace.name}
        groups={groups}
        onWho={() => showWho(ROOT)}
        isStaging={props.isStaging}
        onStaging={props.onStaging}
        onImport={() => setImporting(true)}
      />
      <Suspense fallback={<Opening onClose={() => (showWho(undefined), setImporting(false))} />}>
        {who !== null && (
          <WhoDrawer
            workspaceId={workspace.id}
            kind="folder"
            id={folderId}
            folderId={folderId}
            name={nameIn(sheet.tree, folderId)}
            onClose={() => showWho(undefined)}
          />
        )}
        {importing && <ImportDialog workspaceId={workspace.id} onDone={imported} onClose={() => setImporting(false)} />}
      </Suspense>
    </>
  )
}
