import { useSyncExternalStore } from 'react'

export type PaletteView = 'commands' | 'shortcuts'

/** Input from before the palette was loaded. */
export interface Early {
  text: string
  enter: boolean
}

const NOTHING: Early = { text: '', enter: false }

let shown: PaletteView | undefined
let early = NOTHING
let opener: Element | null = null
const listeners = new Set<() => void>()

/** Opens the command palette or the list of shortcuts; undefined closes either. */
export function showPalette(view: PaletteView | undefined) {
  if (!shown) opener = document.activeElement
  if (!shown) early = NOTHING
  shown = view
  tell()
}

export function typeEarly(more: Partial<Early>) {
  early = { ...early, ...more }
  tell()
}

/** Returns the focus to the element that had it before the palette was loaded, which the dialog does not know. */
export function giveBackKeyboard() {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
}

function tell() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePalette = (): PaletteView | undefined => useSyncExternalStore(subscribe, () => shown)

/** Follows the early input, because keys may still arrive while the palette is being rendered. */
export const useEarly = (): Early => useSyncExternalStore(subscribe, () => early)
