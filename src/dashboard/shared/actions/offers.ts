import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import type { Shortcut } from './shortcut.ts'

/** An action that may be done now, ready to run. */
export interface Offer {
  id: string
  label: string
  icon: LucideIcon
  shortcut?: Shortcut | undefined
  run: () => void
}

/** Keys as people read them, and what they do. */
export interface KeyHint {
  keys: string
  label: string
}

/** What a page offers to the command palette and to the list of shortcuts while it is open. */
export interface Offers {
  /** "Files", or what the actions are done to: “Lease.pdf”. */
  title: string
  offers: readonly Offer[]
  /** All its keys, also of what may not be done just now. */
  keys: readonly KeyHint[]
}

let offered: readonly Offers[] = []
const listeners = new Set<() => void>()

function publish(next: readonly Offers[]) {
  offered = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Offers something while the component is there. */
export function useOffers(offers: Offers) {
  useEffect(() => {
    publish([...offered, offers])
    return () => publish(offered.filter((each) => each !== offers))
  }, [offers])
}

/** What the open page offers. */
export const useOffered = (): readonly Offers[] => useSyncExternalStore(subscribe, () => offered)
