import { t } from '@lingui/core/macro'
import {
  lazy,
  Suspense,
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
  type SyntheticEvent,
} from 'react'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { menuPoint } from '../../../ui/menu-point.ts'
import { CellHint, type Pointed } from './cell-hint.tsx'
import type { CellMenuPlace } from './cell-menu.tsx'
import { GridHead } from './grid-head.tsx'
import type { GridGroup } from './grid-row.tsx'
import { GridRows, useRowWindow } from './grid-rows.tsx'
import { GridSurface } from './grid-surface.tsx'
import type { PermissionSheet } from '../sheet/permission-sheet.ts'
import { type Cell, cellAt, hintFor } from '../sheet/sheet-cells.ts'
import { ROOT } from '../sheet/folder-tree.ts'
import { useDrafts } from '../sheet/use-drafts.ts'
import type { IsStaged } from '../staging/use-is-staged.ts'
import { useReachOfRows } from '../sheet/use-reach-of-rows.ts'
import { useGridKeys, useGridStop } from './use-grid-focus.ts'

const CellMenu = lazy(async () => ({ default: (await import('./cell-menu.tsx')).CellMenu }))

interface PermissionGridProps {
  workspaceId: number
  /** Marks staged changes; undefined while the grid shows the rights as they are. */
  isStaged: IsStaged | undefined
  sheet: PermissionSheet
  groups: readonly GridGroup[]
  rows: readonly number[]
  /** While rows are filtered, every folder with rows below is shown open. */
  filtered: boolean
  onChange: (cell: Cell, revoke: boolean) => void
  onToggle: (folderId: number) => void
  /** Shows who can see a folder; undefined for users who may not know. */
  onWho: ((folderId: number) => void) | undefined
  onUndo: () => void
}

/** A tree grid of folders by rights. It has its own virtual rows, so that 100,000 rows scroll like 100. */
export function PermissionGrid({
  workspaceId,
  isStaged,
  sheet,
  groups,
  rows,
  filtered,
  onChange,
  onToggle,
  onWho,
  onUndo,
}: PermissionGridProps) {
  const surface = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [pointed, setPointed] = useState<Pointed>()
  const [menu, setMenu] = useState<CellMenuPlace>()
  const place = useGridStop(sheet, rows)
  const window = useRowWindow(surface, rows, place.stopRow)
  const onKeyDown = useGridKeys({ ...place, sheet, groups, rows, surface, window, onChange, onToggle, onWho, onUndo })

  const onClick = (event: MouseEvent) => {
    const clicked = placeOf(event)
    if (!clicked) return
    place.setStop(clicked)
    if (event.target instanceof Element && event.target.closest('.seen')) return
    if (event.target instanceof Element && event.target.closest('.who')) return onWho?.(clicked.folderId)
    const cell = cellAt(groups, clicked.folderId, clicked.column)
    if (cell) onChange(cell, event.altKey)
    else onToggle(clicked.folderId)
  }
  const onContextMenu = (event: MouseEvent) => {
    const clicked = placeOf(event)
    const group = clicked && cellAt(groups, clicked.folderId, clicked.column)?.group
    if (!onWho || !group) return
    event.preventDefault()
    setPointed(undefined)
    setMenu({ at: menuPoint(event, clicked.element), folderId: clicked.folderId, group })
  }
  const onPoint = (event: SyntheticEvent) => {
    const next = placeOf(event)
    if (next?.element !== pointed?.element) setPointed(next && next.column > 0 ? next : undefined)
  }
  const isAdmin = onWho !== undefined
  const groupIds = useMemo(() => (isAdmin ? groups.map(({ id }) => id) : []), [groups, isAdmin])
  const shown = groupIds.length > 0 ? window.getVirtualItems().map(({ index }) => rows[index] ?? ROOT) : []
  const reaches = useReachOfRows(
    sheet,
    { workspaceId, groupIds, staged: isStaged !== undefined },
    { shown, pointed: pointed?.folderId },
  )
  const drafts = useDrafts(workspaceId, isAdmin)
  const about = { ...reaches, drafts, isStaged }
  const pointedCell = pointed && cellAt(groups, pointed.folderId, pointed.column)
  return (
    <>
      <GridSurface
        ref={surface}
        className={onWho && 'admin'}
        role="treegrid"
        aria-label={t`Permissions`}
        aria-rowcount={rows.length + 2}
        aria-colcount={1 + groups.length * FLAGS.length}
        style={{ '--rights': groups.length * FLAGS.length } as CSSProperties}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
        onMouseOver={onPoint}
        onMouseLeave={() => setPointed(undefined)}
        onFocus={(event) => event.target.matches(':focus-visible') && onPoint(event)}
        onBlur={() => setPointed(undefined)}
        onScroll={() => setPointed(undefined)}
      >
        <GridHead workspaceId={workspaceId} groups={groups} isAdmin={isAdmin} />
        <GridRows
          sheet={sheet}
          groups={groups}
          rows={rows}
          window={window}
          stop={place.stop}
          filtered={filtered}
          about={about}
          pointed={
            isAdmin && pointedCell ? { folderId: pointedCell.folderId, groupId: pointedCell.group.id } : undefined
          }
          workspaceId={workspaceId}
        />
      </GridSurface>
      <Suspense>
        {menu && onWho && (
          <CellMenu {...menu} workspaceId={workspaceId} onWho={onWho} onClose={() => setMenu(undefined)} />
        )}
      </Suspense>
      <CellHint id={hintId} pointed={pointed} lines={pointedCell ? hintFor(sheet, pointedCell, about) : []} />
    </>
  )
}

/** Returns the folder and the column of an event. */
function placeOf(event: SyntheticEvent): Pointed | undefined {
  if (!(event.target instanceof Element)) return undefined
  const inside = event.target.closest<HTMLElement>('[data-column], .right')
  const element = inside?.dataset['column'] === undefined ? inside?.querySelector<HTMLElement>('[data-column]') : inside
  const folder = element?.closest<HTMLElement>('[data-folder]')?.dataset['folder']
  if (!element || folder === undefined) return undefined
  return { element, folderId: Number(folder), column: Number(element.dataset['column']) }
}
