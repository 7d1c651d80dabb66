/** The time that a job has in its lane. */
export interface Turn {
  /** If true, a single step has all the time that it needs; otherwise a step that exceeds a quick turn is aborted. */
  heavy: boolean
  /** Aborts when the turn must end at once, and when the worker stops. */
  signal: AbortSignal
  /**
   * Jobs that keep their progress call this between two steps.
   * @param hasProgressed false if a turn like this one would achieve nothing again at once
   * @throws PutBack if it is another user's turn or the worker stops
   */
  check(hasProgressed?: boolean): void
}

/** The turn of a job that shares its lane with no other. */
export const wholeTurn = (): Turn => ({ heavy: true, signal: new AbortController().signal, check() {} })

/** The pause before a job that was put back is tried again. `growing` grows with the number of attempts. */
export type Pause = 'none' | 'short' | 'growing'

/** Gives the job back without counting a failure. */
export class PutBack extends Error {
  /** Whether the job needs a lane for long jobs from now on; unchanged if absent. */
  readonly heavy: boolean | undefined
  readonly pause: Pause
  /** A tool was killed during the job. After several deaths the job is parked. */
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

export const needsMoreTime = () => new PutBack('It needs more time than a quick turn.', { heavy: true })

/** A resource of this machine is exhausted. This is temporary and not the fault of a document. */
export const outOfResources = (reason: string) => new PutBack(reason, { pause: 'growing' })

export const OUT_OF_MEMORY = 'The machine ran out of memory.'

/** The kernel killed a tool: the machine was briefly short of memory, or the document needs more than there is. */
export const outOfMemory = () => new PutBack(OUT_OF_MEMORY, { pause: 'growing', isDeath: true })
