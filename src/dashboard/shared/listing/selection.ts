import type { EntryKey } from './entries.ts'

/** The chosen lines and the keyboard position in a list. */
export interface Selection {
  chosen: ReadonlySet<EntryKey>
  /** The line where a range with Shift begins. */
  anchor: EntryKey | undefined
  /** The line from which the arrow keys move. */
  active: EntryKey | undefined
}

export const NOTHING: Selection = { chosen: new Set(), anchor: undefined, active: undefined }

/** The lines in the order on the screen, and the place of each line. */
export interface Order {
  keys: readonly EntryKey[]
  placeOf: ReadonlyMap<EntryKey, number>
}

export function orderOf(keys: readonly EntryKey[]): Order {
  return { keys, placeOf: new Map(keys.map((key, place) => [key, place])) }
}

export const choose = (key: EntryKey): Selection => ({ chosen: new Set([key]), anchor: key, active: key })

export function toggle(selection: Selection, key: EntryKey): Selection {
  const chosen = new Set(selection.chosen)
  if (!chosen.delete(key)) chosen.add(key)
  return { chosen, anchor: key, active: key }
}

/** Chooses everything between the anchor and the line (Shift). `adding` (Ctrl too) keeps the earlier choice. */
export function extend(selection: Selection, order: Order, key: EntryKey, adding = false): Selection {
  const to = order.placeOf.get(key)
  if (to === undefined) return selection
  const from = (selection.anchor && order.placeOf.get(selection.anchor)) ?? to
  const range = order.keys.slice(Math.min(from, to), Math.max(from, to) + 1)
  const chosen = new Set(adding ? [...selection.chosen, ...range] : range)
  return { chosen, anchor: order.keys[from], active: key }
}

/** Moves the active line without choosing it (Ctrl with arrows). */
export const activate = (selection: Selection, key: EntryKey): Selection => ({ ...selection, active: key })

export const chooseAll = (selection: Selection, order: Order): Selection => ({
  chosen: new Set(order.keys),
  anchor: order.keys[0],
  active: selection.active ?? order.keys[0],
})

export const clear = (selection: Selection): Selection => ({ ...NOTHING, active: selection.active })

/** Drops lines that no longer exist; returns the same object if none is gone. */
export function retain(selection: Selection, order: Order): Selection {
  const isThere = (key: EntryKey | undefined) => key === undefined || order.placeOf.has(key)
  const chosen = [...selection.chosen].filter(isThere)
  if (chosen.length === selection.chosen.size && isThere(selection.anchor) && isThere(selection.active))
    return selection
  return {
    chosen: new Set(chosen),
    anchor: isThere(selection.anchor) ? selection.anchor : chosen[0],
    active: isThere(selection.active) ? selection.active : chosen[0],
  }
}

interface Modifiers {
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Handles a click on a line, or on the box before it, as file managers do. */
export function click(selection: Selection, order: Order, key: EntryKey, held: Modifiers, box = false): Selection {
  const adding = box || held.ctrlKey || held.metaKey
  if (held.shiftKey) return extend(selection, order, key, adding)
  return adding ? toggle(selection, key) : choose(key)
}

/** Handles a key that moves; returns undefined for other keys. `page` is the number of lines in view. */
export function arrow(
  selection: Selection,
  order: Order,
  press: Modifiers & { key: string },
  page: number,
): Selection | undefined {
  const place = placeAfter(press.key, (selection.active && order.placeOf.get(selection.active)) ?? -1, order, page)
  const key = place === undefined ? undefined : order.keys[place]
  if (key === undefined) return undefined
  if (press.shiftKey) return extend(selection, order, key)
  return press.ctrlKey || press.metaKey ? activate(selection, key) : choose(key)
}

function placeAfter(key: string, place: number, order: Order, page: number): number | undefined {
  const last = order.keys.length - 1
  const clamp = (wanted: number) => Math.max(0, Math.min(last, wanted))
  const moves: Record<string, number> = {
    ArrowDown: clamp(place + 1),
    ArrowUp: place < 0 ? last : clamp(place - 1),
    PageDown: clamp(place + page),
    PageUp: clamp(place - page),
    Home: 0,
    End: last,
  }
  return moves[key]
}
