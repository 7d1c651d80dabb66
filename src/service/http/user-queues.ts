import type { ServerResponse } from 'node:http'
import { refusal, tooManyAtOnce } from '../base/errors.ts'

/** Limits what one user's requests take, so that a pile of them does not delay the requests of others. */
export interface UserQueues {
  /**
   * Does the work when its place in the user's queue has come. A request loses its place when its client goes.
   * @throws ApiError 429 when too many are waiting
   */
  run<T>(user: string, reply: ServerResponse, work: () => Promise<T>): Promise<T>
}

interface Queue {
  working: number
  waiting: Set<() => void>
}

/** Half of the database's connections work for one user at most. */
const LIMITS = { atOnce: 10, maxWaiting: 1000 }
/** However many processes there are, one long request of a user must not hold up their others in its process. */
const LEAST_AT_ONCE = 2

/** @param processes the number of processes over which the requests of a user are spread; they share the limits */
export function createUserQueues(limits = LIMITS, processes: () => number = () => 1): UserQueues {
  const queues = new Map<string, Queue>()
  const mayBegin = ({ working }: Queue) => {
    const share = Math.floor(limits.atOnce / processes())
    return working < Math.max(share, Math.min(LEAST_AT_ONCE, limits.atOnce))
  }

  function enter(queue: Queue, reply: ServerResponse): Promise<void> | undefined {
    if (mayBegin(queue)) return void queue.working++
    if (queue.waiting.size >= limits.maxWaiting / processes()) throw tooManyAtOnce()
    return new Promise((resolve, reject) => {
      const begin = () => {
        reply.off('close', giveUp)
        resolve()
      }
      const giveUp = () => {
        queue.waiting.delete(begin)
        reject(clientGone())
      }
      queue.waiting.add(begin)
      reply.once('close', giveUp)
    })
  }

  /** Hands the place to the next requests of the user, if any wait. */
  function leave(user: string, queue: Queue): void {
    queue.working--
    for (const next of queue.waiting) {
      if (!mayBegin(queue)) return
      queue.waiting.delete(next)
      queue.working++
      next()
    }
    if (queue.working === 0) queues.delete(user)
  }

  return {
    async run(user, reply, work) {
      if (reply.destroyed) throw clientGone()
      const queue = queues.get(user) ?? { working: 0, waiting: new Set() }
      queues.set(user, queue)
      const turn = enter(queue, reply)
      if (turn) await turn
      try {
        return await work()
      } finally {
        leave(user, queue)
      }
    },
  }
}

/** Ends the request. Its client has gone and gets no reply. */
const clientGone = () => refusal('client_gone')
