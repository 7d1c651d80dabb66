/** The time that a job has in its lane. */
export interface Turn {
  /** A single step of the job has all the time that it needs; otherwise a step that exceeds a quick turn is given up. */
  heavy: boolean
  /** Aborts when the turn must end at once, and when the worker stops. */
  signal: AbortSignal
  /** For jobs that keep what they did, between two steps. @throws PutBack when it is somebody else's turn */
  check(): void
}

/** The turn of a job that shares its lane with no other. */
export const wholeTurn = (): Turn => ({ heavy: true, signal: new AbortController().signal, check() {} })

/** Gives the job back without counting a failure. */
export class PutBack extends Error {
  /** Whether it needs a lane for long jobs from now on; as before when absent. */
  readonly heavy: boolean | undefined
  /** Try again after a pause that grows with the number of attempts. */
  readonly pause: boolean

  constructor(reason: string, { heavy, pause = false }: { heavy?: boolean; pause?: boolean } = {}) {
    super(reason)
    this.heavy = heavy
    this.pause = pause
  }
}

/** A quick turn was not enough. */
export const needsMoreTime = () => new PutBack('It needs more time than a quick turn.', { heavy: true })

/** Something that the work needs is exhausted on this machine: no fault of a document, and it comes back. */
export const outOfResources = (reason: string) => new PutBack(reason, { pause: true })
