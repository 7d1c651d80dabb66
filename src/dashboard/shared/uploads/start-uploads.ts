import { useSyncExternalStore } from 'react'
import type { ChosenFile } from './upload.ts'

// The queue and its tray are loaded with the first upload, or where an earlier page may have left some.

const MARK = 'strongroom-uploads'

let wanted = mayBeLeft()
const listeners = new Set<() => void>()

function mayBeLeft(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return false
  }
}

/** For the next page: whether anything is unfinished. */
export function noteLeft(left: boolean) {
  try {
    if (left) localStorage.setItem(MARK, '')
    else localStorage.removeItem(MARK)
  } catch {
    // Without storage nothing is kept either.
  }
}

export interface Drop {
  userId: number
  workspaceId: number
  folderId: number
  files: Promise<readonly ChosenFile[]>
}

/** Files on their way: directories among them become folders, names that are taken are asked about. */
export async function startUploads(drop: Drop): Promise<void> {
  wanted = true
  for (const listener of listeners) listener()
  const { addFiles } = await import('./late-uploads.ts')
  await addFiles(drop)
}

/** Asks, where uploads are under way. */
export async function mayStopUploads(): Promise<boolean> {
  if (!wanted) return true
  const { mayStop, uploads } = await import('./late-uploads.ts')
  return mayStop(uploads.snapshot().uploads)
}

/** Whoever signs out leaves nothing behind. */
export async function stopUploads(): Promise<void> {
  if (wanted) (await import('./late-uploads.ts')).uploads.clear()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploadsWanted = () => useSyncExternalStore(subscribe, () => wanted)
