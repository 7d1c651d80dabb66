import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Layers2, Lock, Undo2 } from 'lucide-react'
import { Suspense, useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useRead } from '../../api/query.ts'
import { type StagedChange, useStagedRights } from '../../shared/who/staged-rights.ts'
import { SIZES } from '../../theme.ts'
import { Note } from '../../ui/states/note.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import type { GridGroup } from './grid/grid-row.tsx'
import { GridFrame } from './grid/grid-surface.tsx'
import { rememberAccess } from './grid/remembered.ts'
import { Legend } from './grid/legend.tsx'
import { PermissionGrid } from './grid/permission-grid.tsx'
import { PermissionTools } from './tools/permission-tools.tsx'
import { StagingBar } from './staging/staging-bar.tsx'
import { useIsStaged } from './staging/use-is-staged.ts'
import { sheetQuery } from './sheet/sheet-query.ts'
import type { Done } from './changes/undo-history.ts'
import { useRightChanges } from './changes/use-right-changes.ts'
import { useSheetRows } from './sheet/use-sheet-rows.ts'
import type { PermissionSheet } from './sheet/permission-sheet.ts'

interface PermissionsPaneProps {
  userId: number
  workspace: { id: number; name: string; admin: boolean }
  groups: readonly GridGroup[]
  picker: ReactNode
  /** The grid stages changes and shows the rights as they will be. */
  isStaging: boolean
  onStaging: (isStaging: boolean) => void
}

export function PermissionsPane(props: PermissionsPaneProps) {
  return (
    <Pane>
      <Suspense fallback={<Waiting picker={props.picker} />}>
        <Sheet {...props} />
      </Suspense>
      <Legend isStaging={props.isStaging} />
    </Pane>
  )
}

const NONE: readonly StagedChange[] = []

function* loadedOf({ expanded, tree }: PermissionSheet): Generator<number> {
  for (const id of expanded) if (tree.nodes.has(id)) yield id
}

function Sheet({ userId, workspace, groups, picker, isStaging, onStaging }: PermissionsPaneProps) {
  const groupIds = groups.map(({ id }) => id)
  const sheet = useRead(sheetQuery({ workspaceId: workspace.id, groupIds, staged: isStaging }, userId))
  const { data, refetch } = useStagedRights(workspace.id, workspace.admin)
  const staged = data?.changes ?? NONE
  const isStaged = useIsStaged(staged)
  const onStaged = isStaging ? () => void refetch() : undefined
  const { change, toggle, expandAll, failed, undo, did } = useRightChanges(sheet, onStaged)
  const [filter, setFilter] = useState('')
  // Typing has priority over filtering a hundred thousand rows.
  const appliedFilter = useDeferredValue(filter.trim())
  const rows = useSheetRows(sheet, appliedFilter, failed)
  const { rowsVersion } = sheet
  useEffect(() => {
    rememberAccess(userId, workspace.id, { expanded: loadedOf(sheet) })
    // oxlint-disable-next-line react/exhaustive-deps -- the sheet changes in place and counts its changes
  }, [sheet, rowsVersion, userId, workspace.id])
  const [, setSearch] = useSearchParams()
  const showWho = (folderId: number) =>
    setSearch((before) => {
      before.set('who', String(folderId))
      return before
    })
  const [expanding, setExpanding] = useState(false)
  const expand = async () => {
    setExpanding(true)
    await expandAll()
    setExpanding(false)
  }
  return (
    <>
      <PageHeader title={t`Access`}>
        <Typography role="status" color="textSecondary">
          {sheet.isReadingAll ? t`Reading all folders…` : countText(rows.length - 1)}
        </Typography>
        {picker}
        <SearchField value={filter} onChange={setFilter} label={t`Filter folders`} width="clamp(140px, 14vw, 180px)" />
        {sheet.expanded.size > 1 && (
          <Button onClick={() => sheet.collapseAll()}>
            <Trans>Collapse</Trans>
          </Button>
        )}
        <Button variant="outlined" loading={expanding} onClick={expand}>
          <Trans>Expand all</Trans>
        </Button>
        {workspace.admin && (
          <>
            {!isStaging && staged.length === 0 && (
              <Button
                startIcon={<Layers2 size={16} />}
                onClick={() => onStaging(true)}
                sx={{ display: { xs: 'none', lg: 'inline-flex' } }}
              >
                <Trans>Stage changes</Trans>
              </Button>
            )}
            {!isStaging && <UndoButton last={sheet.history.last} onUndo={undo} />}
            <PermissionTools
              workspace={workspace}
              sheet={sheet}
              groups={groups}
              isStaging={isStaging}
              onStaging={onStaging}
              onDone={did}
            />
          </>
        )}
      </PageHeader>
      <div>
        {workspace.admin && (isStaging || staged.length > 0) && (
          <StagingBar workspaceId={workspace.id} changes={staged} isStaging={isStaging} onStaging={onStaging} />
        )}
        <Locks groups={groups} />
      </div>
      <GridFrame>
        <PermissionGrid
          workspaceId={workspace.id}
          isStaged={isStaging ? isStaged : undefined}
          sheet={sheet}
          groups={groups}
          rows={rows}
          filtered={appliedFilter !== ''}
          onChange={change}
          onToggle={toggle}
          onWho={workspace.admin ? showWho : undefined}
          onUndo={undo}
        />
        {rows.length <= 1 && !sheet.isReadingAll && <Nothing filter={appliedFilter} />}
      </GridFrame>
    </>
  )
}

const countText = (folders: number) => plural(folders, { one: '# row', other: '# rows' })

function Nothing({ filter }: { filter: string }) {
  return (
    <Typography color="textSecondary" sx={{ position: 'absolute', top: 120, left: 16 }}>
      {filter === '' ? t`There are no folders yet. They are made under Files.` : t`No folder is called “${filter}”.`}
    </Typography>
  )
}

function UndoButton({ last, onUndo }: { last: Done | undefined; onUndo: () => void }) {
  const text = last?.text ?? ''
  const label = last ? t`Undo: ${text}` : t`Nothing to undo`
  return (
    <span title={t`${label} (Ctrl+Z)`}>
      <IconButton aria-label={label} disabled={!last} onClick={onUndo}>
        <Undo2 size={18} />
      </IconButton>
    </span>
  )
}

function Locks({ groups }: { groups: readonly GridGroup[] }) {
  const reasons = [...new Set(groups.flatMap(({ locked }) => locked ?? []))]
  return (
    <Box sx={{ display: 'grid', gap: 1, mx: 2, mb: reasons.length > 0 ? 1.25 : 0 }}>
      {reasons.map((reason) => (
        <Note key={reason} icon={Lock}>
          {reason}
        </Note>
      ))}
    </Box>
  )
}

function Waiting({ picker }: { picker: ReactNode }) {
  return (
    <>
      <PageHeader title={t`Access`}>{picker}</PageHeader>
      <div />
      <GridFrame>
        <SkeletonRows height={SIZES.gridRow} rows={18} columns="16px minmax(0, 380px) 18px 18px 18px" />
      </GridFrame>
    </>
  )
}

const Pane = styled('div')({ display: 'grid', gridTemplateRows: 'auto auto minmax(0, 1fr) auto', height: '100%' })
