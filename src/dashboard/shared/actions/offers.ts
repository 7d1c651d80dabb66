import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import type { Shortcut } from './shortcut.ts'

/** An action that is allowed now, ready to run. */
export interface Offer {
  id: string
  label: string
  icon: LucideIcon
  shortcut?: Shortcut | undefined
  run: () => void
}

/** A shortcut as the dashboard displays it, and its effect. */
export interface KeyHint {
  keys: string
  label: string
}

/** The actions and keys that an open page adds to the command palette and the list of shortcuts. */
export interface Offers {
  /** "Files", or the subject of the actions, such as “Lease.pdf”. */
  title: string
  offers: readonly Offer[]
  /** All keys, including those of actions that are not allowed now. */
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

/** Publishes offers while the component is mounted. */
export function useOffers(offers: Offers) {
  useEffect(() => {
    publish([...offered, offers])
    return () => publish(offered.filter((each) => each !== offers))
  }, [offers])
}

/** Returns the offers of the open page. */
export const useOffered = (): readonly Offers[] => useSyncExternalStore(subscribe, () => offered)
