import { useSyncExternalStore } from 'react'
import type { ChosenFile } from '../upload.ts'

// The queue and its tray are loaded with the first upload, or if an earlier page may have left unfinished uploads.

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

/** Tells the next page whether uploads are unfinished. */
export function noteLeft(left: boolean) {
  try {
    if (left) localStorage.setItem(MARK, '')
    else localStorage.removeItem(MARK)
  } catch {
    // Without storage no uploads are kept either.
  }
}

export interface Drop {
  userId: number
  workspaceId: number
  folderId: number
  files: Promise<readonly ChosenFile[]>
}

/** Uploads dropped files: directories become folders, and the user is asked about taken names. */
export async function startUploads(drop: Drop): Promise<void> {
  wanted = true
  for (const listener of listeners) listener()
  const { addFiles } = await import('../send/late-uploads.ts')
  await addFiles(drop)
}

/** Asks whether uploads may be stopped, if any are running. */
export async function mayStopUploads(): Promise<boolean> {
  if (!wanted) return true
  const { mayStop, uploads } = await import('../send/late-uploads.ts')
  return mayStop(uploads.snapshot().uploads)
}

/** Stops and forgets all uploads, because the user signs out. */
export async function stopUploads(): Promise<void> {
  if (wanted) (await import('../send/late-uploads.ts')).uploads.clear()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploadsWanted = () => useSyncExternalStore(subscribe, () => wanted)
