import { useSyncExternalStore } from 'react'
import type { Upload } from './upload.ts'
import { busy, totalsOf } from './upload-report.ts'

let answer: ((stop: boolean) => void) | undefined
const listeners = new Set<() => void>()

function change(next: typeof answer) {
  answer = next
  for (const listener of listeners) listener()
}

/** Asks before uploads end of which something is under way; the tray shows the question. */
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

/** The way to answer, while it is asked. */
export const useStopQuestion = () => useSyncExternalStore(subscribe, () => answer)
