export interface Failed<T> {
  item: T
  error: unknown
}

export interface Outcome<T> {
  done: T[]
  failed: Failed<T>[]
  /** Not started, because the run was stopped. */
  left: T[]
}

interface Options {
  atOnce: number
  onProgress?: (finished: number) => void
  signal?: AbortSignal
}

/** Runs the work for every item, `atOnce` at a time. A failure does not stop the other items. */
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
