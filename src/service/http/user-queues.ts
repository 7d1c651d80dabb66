import type { ServerResponse } from 'node:http'
import { ApiError, refusal } from '../base/errors.ts'

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
  /** In the order of arrival. */
  waiting: Set<() => void>
}

/** Half of the database's connections work for one user at most. */
const LIMITS = { atOnce: 10, maxWaiting: 1000 }

export function createUserQueues({ atOnce, maxWaiting } = LIMITS): UserQueues {
  const queues = new Map<string, Queue>()

  function enter(queue: Queue, reply: ServerResponse): Promise<void> | undefined {
    if (queue.working < atOnce) return void queue.working++
    if (queue.waiting.size >= maxWaiting) throw tooManyAtOnce()
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

  /** Hands the place to the next request of the user, if one waits. */
  function leave(user: string, queue: Queue): void {
    const [next] = queue.waiting
    if (next) {
      queue.waiting.delete(next)
      next()
    } else if (--queue.working === 0) queues.delete(user)
  }

  return {
    async run(user, reply, work) {
      if (reply.destroyed) throw clientGone()
      const queue = queues.get(user) ?? { working: 0, waiting: new Set() }
      queues.set(user, queue)
      await enter(queue, reply)
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

const tooManyAtOnce = () => new ApiError('too_many_at_once', {}, { headers: { 'Retry-After': '1' } })
