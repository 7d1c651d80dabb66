import { setTimeout as sleep } from 'node:timers/promises'

export interface Attempts {
  tries?: number
  pauseMs?: number
  /** Whether another attempt may succeed; always if absent. */
  mayHelp?: (error: unknown) => boolean
}

/** Repeats an attempt after a pause. @throws the error of the last one */
export async function again<T>(
  attempt: () => Promise<T>,
  { tries = 3, pauseMs = 1000, mayHelp = () => true }: Attempts = {},
): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left <= 0 || !mayHelp(error)) throw error
      await sleep(pauseMs)
    }
  }
}
