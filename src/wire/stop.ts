import type { Server, ServerResponse } from 'node:http'

/** How a program stops: milliseconds in which it still accepts connections, and after which it exits in any case. */
export interface Patience {
  graceMs: number
  withinMs: number
}

/** After the supervisor has gone, the next start waits for the port. */
export const ORPHANED: Patience = { graceMs: 0, withinMs: 1000 }

interface Steps {
  /** Called at once: load balancers must learn early that this program is about to stop. */
  drain(): void
  /** Called after the grace. The process exits when it resolves. */
  close(): Promise<unknown> | undefined
}

/** Returns a function that stops the process in steps; further calls have no effect. */
export function createStop({ drain, close }: Steps): (patience: Patience) => void {
  let isStopping = false
  return ({ graceMs, withinMs }) => {
    if (isStopping) return
    isStopping = true
    const exit = () => process.exit(0)
    // Connections that do not end by themselves must not delay the stop.
    setTimeout(exit, withinMs)
    drain()
    setTimeout(() => void Promise.resolve(close()).then(exit, exit), graceMs)
  }
}

export function stopOnSignals(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
}

/** From now on, each connection ends with its next reply, so that its client opens the next one elsewhere. */
export function endConnectionsWithReplies(server: Server): void {
  const end = (_request: unknown, reply: ServerResponse) => void (reply.shouldKeepAlive = false)
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    // A first listener would replace Node's own answer.
    if (server.listenerCount(event) > 0) server.prependListener(event, end)
  }
}
