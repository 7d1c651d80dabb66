import { useSyncExternalStore } from 'react'

/** A file that was asked for by itself. One that is marked takes the service a while. */
export interface SingleFile {
  /** Nobody else sees what one person has downloaded. */
  userId: number
  workspaceId: number
  fileId: number
  name: string
  state: 'preparing' | 'saved'
}

let all: readonly SingleFile[] = []
const listeners = new Set<() => void>()

function change(next: readonly SingleFile[]) {
  all = next
  for (const listener of listeners) listener()
}

export const isPreparing = (fileId: number) => all.some((each) => each.fileId === fileId && each.state === 'preparing')

/** Puts the file among the downloads of this page: made ready first, then saved, or gone where that fails. */
export async function withSingleFile<T>(file: Omit<SingleFile, 'state'>, get: () => Promise<T>): Promise<T> {
  const others = () => all.filter((each) => each.fileId !== file.fileId)
  change([{ ...file, state: 'preparing' }, ...others()])
  try {
    const given = await get()
    change([{ ...file, state: 'saved' }, ...others()])
    return given
  } catch (error) {
    change(others())
    throw error
  }
}

export const forgetSingleFile = (fileId: number) => change(all.filter((each) => each.fileId !== fileId))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSingleFiles(userId: number, workspaceId: number): readonly SingleFile[] {
  const known = useSyncExternalStore(subscribe, () => all)
  return known.filter((each) => each.userId === userId && each.workspaceId === workspaceId)
}
