import { useSyncExternalStore } from 'react'
import type { Upload } from '../upload.ts'
import { busy, totalsOf } from './upload-report.ts'

let answer: ((stop: boolean) => void) | undefined
const listeners = new Set<() => void>()

function change(next: typeof answer) {
  answer = next
  for (const listener of listeners) listener()
}

/** Asks before unfinished uploads are stopped; the tray shows the question. */
export function mayStop(uploads: readonly Upload[]): Promise<boolean> {
  if (!busy(totalsOf(uploads))) return Promise.resolve(true)
  answer?.(false)
  return new Promise((resolve) => {
    change((stop) => {
      change(undefined)
      resolve(stop)
    })
  })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the function that answers the question while it is open. */
export const useStopQuestion = () => useSyncExternalStore(subscribe, () => answer)
