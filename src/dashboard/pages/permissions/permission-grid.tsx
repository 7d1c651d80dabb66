import { useId, useRef, useState, type CSSProperties, type MouseEvent, type SyntheticEvent } from 'react'
import { FLAGS } from '../../../contract/permissions.ts'
import { CellHint, type Pointed } from './cell-hint.tsx'
import { GridHead } from './grid-head.tsx'
import type { GridGroup } from './grid-row.tsx'
import { GridRows, useRowWindow } from './grid-rows.tsx'
import { GridSurface } from './grid-surface.tsx'
import type { PermissionSheet } from './permission-sheet.ts'
import { type Cell, cellAt, hintFor } from './sheet-cells.ts'
import { useGridFocus } from './use-grid-focus.ts'

interface PermissionGridProps {
  sheet: PermissionSheet
  groups: readonly GridGroup[]
  /** Folder ids. */
  rows: readonly number[]
  /** While rows are filtered, every folder with rows below is shown open. */
  filtered: boolean
  onChange: (cell: Cell, revoke: boolean) => void
  onToggle: (folderId: number) => void
}

/** Folders by rights: a tree grid, drawn by hand so that a hundred thousand rows scroll like a hundred. */
export function PermissionGrid({ sheet, groups, rows, filtered, onChange, onToggle }: PermissionGridProps) {
  const surface = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [pointed, setPointed] = useState<Pointed>()
  const { stop, stopRow, setStop, onKeyDown, bind } = useGridFocus({ sheet, groups, rows, surface, onChange, onToggle })
  const window = useRowWindow(surface, rows, stopRow)
  bind(window)

  const onClick = (event: MouseEvent) => {
    const place = placeOf(event)
    if (!place) return
    setStop(place)
    const cell = cellAt(groups, place.folderId, place.column)
    if (cell) onChange(cell, event.altKey)
    else onToggle(place.folderId)
  }
  const onPoint = (event: SyntheticEvent) => {
    const place = placeOf(event)
    if (place?.element !== pointed?.element) setPointed(place && place.column > 0 ? place : undefined)
  }
  const pointedCell = pointed && cellAt(groups, pointed.folderId, pointed.column)
  return (
    <>
      <GridSurface
        ref={surface}
        role="treegrid"
        aria-label="Permissions"
        aria-rowcount={rows.length + 2}
        aria-colcount={1 + groups.length * FLAGS.length}
        style={{ '--rights': groups.length * FLAGS.length } as CSSProperties}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onMouseOver={onPoint}
        onMouseLeave={() => setPointed(undefined)}
        onFocus={(event) => event.target.matches(':focus-visible') && onPoint(event)}
        onBlur={() => setPointed(undefined)}
        onScroll={() => setPointed(undefined)}
      >
        <GridHead groups={groups} />
        <GridRows sheet={sheet} groups={groups} rows={rows} window={window} stop={stop} filtered={filtered} />
      </GridSurface>
      <CellHint id={hintId} pointed={pointed} lines={pointedCell ? hintFor(sheet, pointedCell) : []} />
    </>
  )
}

/** The folder and column that an event happened on. */
function placeOf(event: SyntheticEvent): Pointed | undefined {
  if (!(event.target instanceof Element)) return undefined
  const inside = event.target.closest<HTMLElement>('[data-column], .right')
  const element = inside?.dataset['column'] === undefined ? inside?.querySelector<HTMLElement>('[data-column]') : inside
  const folder = element?.closest<HTMLElement>('[data-folder]')?.dataset['folder']
  if (!element || folder === undefined) return undefined
  return { element, folderId: Number(folder), column: Number(element.dataset['column']) }
}
