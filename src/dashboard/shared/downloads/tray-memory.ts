import { useSyncExternalStore } from 'react'

/** State of the tray that survives a reload: where it is open, and the names of the zips requested in this tab. */
interface TrayMemory {
  /** Another user who signs in must not see these downloads. */
  userId: number
  /** The workspace in which the tray is open. */
  openIn: number | undefined
  names: Record<number, string>
}

const KEY = 'strongroom-downloads'
const NOBODY: TrayMemory = { userId: 0, openIn: undefined, names: {} }

let memory = recall()
const listeners = new Set<() => void>()

function recall(): TrayMemory {
  try {
    return { ...NOBODY, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<TrayMemory>) }
  } catch {
    return NOBODY
  }
}

function change(userId: number, changes: Partial<TrayMemory>) {
  memory = { ...ofUser(userId), ...changes }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(memory))
  } catch {
    // Without storage the tray still works, until the next reload.
  }
  for (const listener of listeners) listener()
}

const ofUser = (userId: number): TrayMemory => (memory.userId === userId ? memory : { ...NOBODY, userId })

/** Opens the tray in a workspace, or closes it. */
export const openTray = (userId: number, openIn: number | undefined) => change(userId, { openIn })

export const nameDownload = (userId: number, id: number, name: string) =>
  change(userId, { names: { ...ofUser(userId).names, [id]: name } })

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTrayMemory(userId: number): TrayMemory {
  const known = useSyncExternalStore(subscribe, () => memory)
  return known.userId === userId ? known : NOBODY
}
