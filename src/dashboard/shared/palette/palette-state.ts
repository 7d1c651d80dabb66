import { useSyncExternalStore } from 'react'

export type PaletteView = 'commands' | 'shortcuts'

/** What was typed before the palette itself was there. */
export interface Early {
  text: string
  enter: boolean
}

const NOTHING: Early = { text: '', enter: false }

let shown: PaletteView | undefined
let early = NOTHING
let opener: Element | null = null
const listeners = new Set<() => void>()

/** Opens the command palette or the list of shortcuts, from wherever. */
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

/** To what had the keyboard before the palette was loaded, which its dialog does not know of. */
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

/** Up to the moment in which the palette is there: keys may still come while it is being rendered. */
export const useEarly = (): Early => useSyncExternalStore(subscribe, () => early)
