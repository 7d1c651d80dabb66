/** Work in pieces, with a `yield` between two of them, at which other work may take its turn. */
export type Work<Result> = Generator<void, Result>

/** Does all of the work at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
