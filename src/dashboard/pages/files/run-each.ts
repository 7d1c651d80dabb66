export interface Failed<T> {
  item: T
  error: unknown
}

export interface Outcome<T> {
  done: T[]
  failed: Failed<T>[]
  /** Not begun, because it was stopped. */
  left: T[]
}

interface Options {
  atOnce: number
  onProgress?: (finished: number) => void
  signal?: AbortSignal
}

/** Runs the work for every item, a few at a time; a failure does not keep the others from running. */
export async function runEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { atOnce, onProgress, signal }: Options,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failed: [], left: [] }
  const waiting = [...items]
  const worker = async () => {
    for (;;) {
      const item = signal?.aborted ? undefined : waiting.shift()
      if (item === undefined) return
      await work(item).then(
        () => outcome.done.push(item),
        (error: unknown) => outcome.failed.push({ item, error }),
      )
      onProgress?.(outcome.done.length + outcome.failed.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { ...outcome, left: waiting }
}
