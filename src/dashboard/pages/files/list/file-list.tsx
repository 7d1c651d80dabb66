import {
  useEffect,
  useId,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import type { Press } from '../../../shared/actions/shortcut.ts'
import { SIZES } from '../../../theme.ts'
import { usePrinting } from '../../../ui/print.ts'
import { findByName, isLetter, useTyped } from '../../../ui/fields/typeahead.ts'
import type { Entry, EntryKey } from '../../../shared/listing/entries.ts'
import { ListHead } from './list-head.tsx'
import type { Guarded } from './protection.tsx'
import { ListRow } from './list-row.tsx'
import { HEAD_HEIGHT, ListSurface, TOUCH_ROW } from '../../../shared/listing/list-surface.tsx'
import { useRowsInView, type RowsInView } from '../../../shared/listing/use-rows-in-view.ts'
import {
  arrow,
  choose,
  chooseAll,
  clear,
  click,
  toggle,
  type Order,
  type Selection,
} from '../../../shared/listing/selection.ts'
import type { Sort } from '../../../shared/listing/sort.ts'
import { keyUnder } from '../tree/under.ts'
import type { Unread } from '../use-unread.ts'
import type { RowDrag } from './use-row-drag.ts'
import { below, isMenuKey, menuPoint } from '../../../ui/menu-point.ts'

interface FileListProps {
  /** Accessible name of the list: the name of the folder. */
  label: string
  entries: readonly Entry[]
  order: Order
  selection: Selection
  onSelect: (selection: Selection) => void
  sort: Sort
  onSort: (sort: Sort) => void
  onOpen: (entry: Entry) => void
  /** Begins or continues choosing on touch screens. */
  onChoose: (entry: Entry) => void
  /** Opens the menu after a right click, the ⋮ of a line or the menu key. `entry` is undefined beside the lines. */
  onMenu: (at: { left: number; top: number }, entry: Entry | undefined) => void
  /** Called for each key before the list handles it; returns true if the key had a meaning. */
  onKey: (press: Press) => boolean
  drag: RowDrag
  touch: boolean
  /** A tap chooses a line instead of opening it. */
  choosing: boolean
  /** Focuses the list when it appears, unless another element has the focus. */
  autoFocus: boolean
  /** Whether lines show how they are protected, and that, by line. */
  guarded: boolean
  protection: ReadonlyMap<EntryKey, Guarded> | undefined
  renaming: { key: EntryKey; field: ReactNode } | undefined
  unread: Unread
}

/** The lines of a folder. Only lines in view are in the DOM. */
export function FileList(props: FileListProps) {
  const { entries, order, selection, onSelect, drag, touch, renaming } = props
  const surface = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const activeAt = selection.active === undefined ? -1 : (order.placeOf.get(selection.active) ?? -1)
  const height = touch ? TOUCH_ROW : SIZES.row
  const head = touch ? 0 : HEAD_HEIGHT
  const printing = usePrinting()
  const { rows, show } = useRowsInView(surface, { count: order.keys.length, height, head, active: activeAt, printing })
  const withPages = useMemo(() => entries.some((entry) => entry.kind === 'file' && entry.source.pages > 0), [entries])
  const columns = props.guarded ? 'protected' : withPages && 'with-pages'
  // At least as wide as the head of the column.
  const digits = useMemo(
    () => entries.reduce((most, { outline }) => Math.max(most, outline.length), touch ? 0 : 5),
    [entries, touch],
  )
  const isAll = selection.chosen.size === entries.length
  const entryOf = (key: EntryKey | undefined) => entries[(key && order.placeOf.get(key)) ?? -1]
  useBringIntoView(show, activeAt)
  useFocusBack(surface, renaming !== undefined)
  useAutoFocus(surface, props.autoFocus)

  const onClick = (event: MouseEvent) => {
    const entry = entryOf(keyUnder(event))
    const target = event.target as Element
    const [more, box] = [target.closest('[data-more]'), target.closest('.check')]
    if (!entry && box) return onSelect(isAll ? clear(selection) : chooseAll(selection, order))
    if (!entry) return target === event.currentTarget && onSelect(clear(selection))
    if (more) openMenu(below(more), entry)
    else if (!touch) onSelect(click(selection, order, entry.key, event, box !== null))
    else if (box || props.choosing) props.onChoose(entry)
    else props.onOpen(entry)
  }
  const openMenu = (at: { left: number; top: number }, entry: Entry | undefined) => {
    if (entry && !selection.chosen.has(entry.key) && !touch) onSelect(choose(entry.key))
    props.onMenu(at, entry)
  }
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault()
    const entry = entryOf(isMenuKey(event) ? selection.active : keyUnder(event))
    openMenu(menuPoint(event, surface.current?.querySelector('.line.active .title')), entry)
  }
  const typed = useTyped()
  const find = (letter: string) => {
    const at = findByName(
      entries.map(({ label }) => label),
      activeAt,
      typed(letter),
    )
    const entry = at === undefined ? undefined : entries[at]
    return entry && choose(entry.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((surface.current?.clientHeight ?? 0) / SIZES.row) - 2)
    if (props.onKey(event)) return event.preventDefault()
    const next = isLetter(event) ? find(event.key) : moveFor(event, selection, order, page)
    if (!next) return
    event.preventDefault()
    onSelect(next)
  }

  return (
    <ListSurface
      ref={surface}
      role="grid"
      aria-label={props.label}
      aria-multiselectable
      aria-rowcount={entries.length + 1}
      aria-activedescendant={activeAt < 0 ? undefined : prefix + selection.active}
      tabIndex={0}
      style={{ '--outline': `${digits / 2}rem` } as CSSProperties}
      className={[columns, touch && 'touch', isAll && 'all'].filter(Boolean).join(' ')}
      onClick={onClick}
      onDoubleClick={(event) => openUnder(event, entryOf, props)}
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
      {...drag.listHandlers}
    >
      <ListHead sort={props.sort} columns={columns} onSort={props.onSort} />
      <div role="rowgroup" className="body" style={{ height: entries.length * height }}>
        {rows.map((index) => {
          const entry = entries[index]
          if (!entry) return null
          const { key } = entry
          return (
            <ListRow
              key={key}
              entry={entry}
              domId={prefix + key}
              rowIndex={index + 2}
              top={index * height}
              touch={touch}
              columns={columns}
              protection={props.protection?.get(key)?.protection}
              holds={props.protection?.get(key)?.holds}
              selected={selection.chosen.has(key)}
              active={index === activeAt}
              drag={drag.stateOf(key)}
              draggable={!touch}
              unread={props.unread.has(key)}
              nameField={renaming?.key === key ? renaming.field : undefined}
            />
          )
        })}
      </div>
    </ListSurface>
  )
}

function moveFor(event: KeyboardEvent, selection: Selection, order: Order, page: number): Selection | undefined {
  if (event.key === ' ' && selection.active) return toggle(selection, selection.active)
  return event.altKey ? undefined : arrow(selection, order, event, page)
}

function openUnder(event: MouseEvent, entryOf: (key: EntryKey | undefined) => Entry | undefined, props: FileListProps) {
  const entry = entryOf(keyUnder(event))
  const onButton = (event.target as Element).closest('button, .check')
  if (entry && !onButton && !props.touch) props.onOpen(entry)
}

/** Shows the active line. The first time (a link to a file) it centres the line, so that its neighbours are in view too. */
function useBringIntoView(show: RowsInView['show'], activeAt: number) {
  const isFirst = useRef(true)
  useEffect(() => {
    if (activeAt >= 0) show(activeAt, isFirst.current ? 'center' : 'nearest')
    isFirst.current = false
  }, [show, activeAt])
}

function useAutoFocus(surface: { current: HTMLDivElement | null }, wanted: boolean) {
  useEffect(() => {
    if (wanted && document.activeElement === document.body) surface.current?.focus({ preventScroll: true })
  }, [surface, wanted])
}

/** Returns the focus to the list when the name field closes. */
function useFocusBack(surface: { current: HTMLDivElement | null }, isRenaming: boolean) {
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !isRenaming && document.activeElement === document.body) surface.current?.focus()
    was.current = isRenaming
  }, [surface, isRenaming])
}
