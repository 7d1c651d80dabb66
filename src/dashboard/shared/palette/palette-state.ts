import { useSyncExternalStore } from 'react'

export type PaletteView = 'commands' | 'shortcuts'

let shown: PaletteView | undefined
const listeners = new Set<() => void>()

/** Opens the command palette or the list of shortcuts, from wherever. */
export function showPalette(view: PaletteView | undefined) {
  shown = view
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePalette = (): PaletteView | undefined => useSyncExternalStore(subscribe, () => shown)
