/** The use of one slot of a pool. */
export interface Claim {
  /** The user with whom the slot is accounted. Work without a user has no share and no limit. */
  user: number | string | undefined
  heavy: boolean
}

export interface Slots {
  /** Takes a slot, at once if one is free; call `leave` afterwards. @throws Error when the pool closes */
  enter(claim: Claim): Promise<void> | undefined
  leave(claim: Claim, cpuMs: number): void
  close(): void
}

/** The same half-life as in jobs/queue.ts. */
const HALF_LIFE_MS = 300_000
const MAX_USERS = 1000

interface Waiter extends Claim {
  resolve(): void
  reject(error: Error): void
}

/**
 * Shares the slots of a pool between users. The user with the least recent use goes first. If there is more than one
 * slot, neither a single user nor heavy work ever has all of them.
 */
export function createSlots(size: number, turnMs: number): Slots {
  const most = Math.max(1, size - 1)
  const taken: Claim[] = []
  const waiting: Waiter[] = []
  const used = new Map<number | string, { ms: number; at: number }>()
  let closed = false

  const usedBy = (user: number | string | undefined): number => {
    const share = user === undefined ? undefined : used.get(user)
    return share === undefined ? 0 : share.ms * 0.5 ** ((performance.now() - share.at) / HALF_LIFE_MS)
  }
  const levelOf = ({ user }: Claim): number => Math.floor(Math.log2(1 + usedBy(user) / turnMs))
  const isFree = ({ user, heavy }: Claim): boolean =>
    taken.length < size &&
    (user === undefined || taken.filter((claim) => claim.user === user).length < most) &&
    (!heavy || taken.filter((claim) => claim.heavy).length < most)

  function admit(): void {
    const ready = waiting.filter(isFree)
    const levels = new Map(ready.map((waiter) => [waiter, levelOf(waiter)]))
    const next = ready.sort((a, b) => (levels.get(a) ?? 0) - (levels.get(b) ?? 0))[0]
    if (next === undefined) return
    waiting.splice(waiting.indexOf(next), 1)
    taken.push(next)
    next.resolve()
    admit()
  }

  return {
    enter(claim) {
      if (closed) throw new Error('the work was given up')
      if (isFree(claim)) return void taken.push(claim)
      return new Promise((resolve, reject) => void waiting.push({ ...claim, resolve, reject }))
    },
    leave({ user, heavy }, cpuMs) {
      taken.splice(
        taken.findIndex((claim) => claim.user === user && claim.heavy === heavy),
        1,
      )
      if (user !== undefined) {
        used.set(user, { ms: usedBy(user) + cpuMs, at: performance.now() })
        if (used.size > MAX_USERS) for (const each of used.keys()) if (usedBy(each) < 1) used.delete(each)
      }
      admit()
    },
    close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('the work was given up'))
    },
  }
}
