import { useSyncExternalStore } from 'react'
import type { FileKind } from '../../../contract/endpoints/files.ts'

/** A file downloaded on its own. The service takes a while to make a stamped copy. */
export interface SingleFile {
  /** Another user who signs in must not see these downloads. */
  userId: number
  workspaceId: number
  fileId: number
  name: string
  fileKind: FileKind | undefined
  state: 'preparing' | 'saved'
}

let all: readonly SingleFile[] = []
const listeners = new Set<() => void>()

function change(next: readonly SingleFile[]) {
  all = next
  for (const listener of listeners) listener()
}

export const isPreparing = (fileId: number) => all.some((each) => each.fileId === fileId && each.state === 'preparing')

/** Lists the file as being prepared while `get` runs, and then as saved; removes it if `get` fails. */
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
