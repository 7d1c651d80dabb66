import { memo, useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { SIZES } from '../../../theme.ts'
import { findByName, isLetter, useTyped } from '../../../ui/fields/typeahead.ts'
import { useRowsInView, type RowsInView } from '../../../shared/listing/use-rows-in-view.ts'
import { nameOfRow, TreeItem } from './tree-item.tsx'
import { TreeSurface } from './tree-surface.tsx'
import { treeKey, type TreeMove, type TreeRow } from './tree-rows.ts'
import { useScreen } from '../../../shared/listing/use-screen.ts'
import { folderUnder } from './under.ts'
import { folderKey } from '../../../shared/listing/entries.ts'
import type { RowDrag } from '../list/use-row-drag.ts'
import type { Unread } from '../use-unread.ts'
import type { Tree } from './use-tree.ts'
import { menuPoint } from '../../../ui/menu-point.ts'

/** Row height for touch, in pixels. */
const TOUCH_ROW = 42

interface FolderTreeProps {
  tree: Tree
  label: string
  workspaceName: string
  /** The folder that is shown or chosen. */
  current: number | undefined
  onChoose: (id: number) => void
  onMenu?: (at: { left: number; top: number }, row: TreeRow) => void
  /** Returns why a folder cannot be chosen; undefined if it can. */
  refusalOf?: (row: TreeRow) => string | undefined
  autoFocus?: boolean
  unread?: Unread
  /** Lets lines of the list be dragged onto folders. */
  drag?: RowDrag
}

/** The folder tree of a workspace, for mouse and keyboard (the tree pattern of the ARIA practices). */
export const FolderTree = memo(function FolderTree({
  tree,
  label,
  workspaceName,
  current,
  onChoose,
  onMenu,
  refusalOf,
  drag,
  unread,
  autoFocus = false,
}: FolderTreeProps) {
  const surface = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (autoFocus) surface.current?.focus({ preventScroll: true })
  }, [autoFocus])
  const prefix = useId()
  const { rows } = tree
  const height = useScreen().touch ? TOUCH_ROW : SIZES.treeRow
  const [wanted, setActive] = useState<number>()
  const activeAt = Math.max(
    0,
    rows.findIndex((row) => row.id === (wanted ?? current)),
  )
  const { rows: shown, show } = useRowsInView(surface, { count: rows.length, height, active: activeAt })
  useBringIntoView(show, rows, current)

  const perform = (move: TreeMove) => {
    if ('go' in move) {
      setActive(move.go)
      show(rows.findIndex((row) => row.id === move.go))
    } else if ('choose' in move) choose(move.choose)
    else if ('expand' in move) tree.toggle(move.expand, true)
    else tree.toggle(move.collapse, false)
  }
  const choose = (id: number) => {
    const row = rows.find((row) => row.id === id)
    setActive(id)
    if (row && refusalOf?.(row) === undefined) onChoose(id)
  }
  const typed = useTyped()
  const onKeyDown = (event: KeyboardEvent) => {
    const move = isLetter(event) ? found(rows, activeAt, typed(event.key)) : treeKey(rows, activeAt, event.key)
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    perform(move)
  }
  const onClick = (event: MouseEvent) => {
    const id = folderUnder(event)
    if (id === undefined) return
    const onChevron = (event.target as Element).closest('[data-chevron]')
    const row = rows.find((row) => row.id === id)
    if (onChevron && row) tree.toggle(id, !row.expanded)
    else choose(id)
  }

  const onContextMenu = (event: MouseEvent) => {
    const id = folderUnder(event) ?? rows[activeAt]?.id
    const row = rows.find((each) => each.id === id)
    if (!row || !onMenu) return
    event.preventDefault()
    onMenu(menuPoint(event, document.getElementById(`${prefix}${row.id}`)), row)
  }

  return (
    <TreeSurface
      ref={surface}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${prefix}${rows[activeAt]?.id}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onContextMenu={onContextMenu}
      {...drag?.treeHandlers}
    >
      <div className="body" role="none" style={{ height: rows.length * height }}>
        {shown.map((index) => {
          const row = rows[index]
          if (!row) return null
          return (
            <TreeItem
              key={row.id}
              row={row}
              name={nameOfRow(row, workspaceName)}
              domId={prefix + row.id}
              top={index * height}
              height={height}
              current={row.id === current}
              active={index === activeAt}
              target={row.id === drag?.target}
              unread={row.level > 1 && unread?.has(folderKey(row.id)) === true}
              refusal={refusalOf?.(row)}
            />
          )
        })}
      </div>
    </TreeSurface>
  )
})

function found(rows: readonly TreeRow[], from: number, typed: string): TreeMove | undefined {
  const at = findByName(
    rows.map((row) => row.folder?.name ?? ''),
    from,
    typed,
  )
  const row = at === undefined ? undefined : rows[at]
  return row && { go: row.id }
}

/** Scrolls to a folder that was opened elsewhere, once the tree has a row for it. */
function useBringIntoView(show: RowsInView['show'], rows: readonly TreeRow[], current: number | undefined) {
  const shown = useRef<number>(undefined)
  useEffect(() => {
    const at = rows.findIndex((row) => row.id === current)
    if (at < 0 || shown.current === current) return
    shown.current = current
    show(at)
  }, [show, rows, current])
}
