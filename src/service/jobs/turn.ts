/** The time that a job has in its lane. */
export interface Turn {
  /** A single step of the job has all the time that it needs; otherwise a step that exceeds a quick turn is given up. */
  heavy: boolean
  /** Aborts when the turn must end at once, and when the worker stops. */
  signal: AbortSignal
  /**
   * For jobs that keep what they did, between two steps. @param hasProgressed false: a turn like this one would achieve
   * nothing again at once @throws PutBack when it is somebody else's turn
   */
  check(hasProgressed?: boolean): void
}

/** The turn of a job that shares its lane with no other. */
export const wholeTurn = (): Turn => ({ heavy: true, signal: new AbortController().signal, check() {} })

/** Before a job that was put back is tried again. `growing`: with the number of attempts. */
export type Pause = 'none' | 'short' | 'growing'

/** Gives the job back without counting a failure. */
export class PutBack extends Error {
  /** Whether it needs a lane for long jobs from now on; as before when absent. */
  readonly heavy: boolean | undefined
  readonly pause: Pause
  /** A tool was killed over it: after some of those the job is parked. */
  readonly isDeath: boolean

  constructor(
    reason: string,
    { heavy, pause = 'none', isDeath = false }: { heavy?: boolean; pause?: Pause; isDeath?: boolean } = {},
  ) {
    super(reason)
    this.heavy = heavy
    this.pause = pause
    this.isDeath = isDeath
  }
}

/** A quick turn was not enough. */
export const needsMoreTime = () => new PutBack('It needs more time than a quick turn.', { heavy: true })

/** Something that the work needs is exhausted on this machine: no fault of a document, and it comes back. */
export const outOfResources = (reason: string) => new PutBack(reason, { pause: 'growing' })

export const OUT_OF_MEMORY = 'The machine ran out of memory.'

/** The kernel ended a tool: the machine was short of memory for a moment, or the document takes more than there is. */
export const outOfMemory = () => new PutBack(OUT_OF_MEMORY, { pause: 'growing', isDeath: true })
