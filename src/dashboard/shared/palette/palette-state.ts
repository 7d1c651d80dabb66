import { useSyncExternalStore } from 'react'

export type PaletteView = 'commands' | 'shortcuts'

let shown: PaletteView | undefined
const listeners = new Set<() => void>()

/** What was typed before the palette itself was loaded, and what had the keyboard before that. */
export const early: { text: string; enter: boolean; opener: Element | null } = { text: '', enter: false, opener: null }

/** Opens the command palette or the list of shortcuts, from wherever. */
export function showPalette(view: PaletteView | undefined) {
  if (!shown) Object.assign(early, { text: '', enter: false, opener: document.activeElement })
  shown = view
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePalette = (): PaletteView | undefined => useSyncExternalStore(subscribe, () => shown)
