import { expect, test } from 'vitest'
import { type Claim, createSlots } from './slots.ts'

const claim = (user: number | undefined, heavy = false): Claim => ({ user, heavy })

/** Records the users in the order in which they get slots; each slot is given back with a use of `ms`. */
function queue(slots: ReturnType<typeof createSlots>) {
  const order: unknown[] = []
  const waiting: Promise<void>[] = []
  return {
    order,
    ask: (user: number | undefined, heavy = false, ms = 5000) => {
      const entered = slots.enter(claim(user, heavy)) ?? Promise.resolve()
      waiting.push(
        entered.then(() => {
          order.push(user)
          setImmediate(() => slots.leave(claim(user, heavy), ms))
        }),
      )
    },
    done: () => Promise.all(waiting),
  }
}

test('K6: a page of one user comes before the backlog of another', async () => {
  const slots = createSlots(1, 1000)
  const { ask, order, done } = queue(slots)
  for (let page = 0; page < 100; page++) ask(1)
  ask(2)
  await done()
  expect(order.indexOf(2)).toBeLessThan(3)
})

test('K6: neither one user nor heavy work ever has all processes', () => {
  const slots = createSlots(3, 1000)
  const isWaiting = (user: number | undefined, heavy = false) => slots.enter(claim(user, heavy)) !== undefined
  expect([isWaiting(1), isWaiting(1), isWaiting(1), isWaiting(2)]).toEqual([false, false, true, false])
  const heavy = createSlots(3, 1000)
  expect([1, 2, 3].map((user) => heavy.enter(claim(user, true)) !== undefined)).toEqual([false, false, true])
  expect(heavy.enter(claim(3))).toBeUndefined()
})

test('work without a user may have all processes, in order of arrival', async () => {
  const slots = createSlots(2, 1000)
  expect([slots.enter(claim(undefined)), slots.enter(claim(undefined))]).toEqual([undefined, undefined])
  const third = slots.enter(claim(undefined))
  slots.leave(claim(undefined), 1)
  await third
})

test('closing rejects waiting and new work', async () => {
  const slots = createSlots(1, 1000)
  void slots.enter(claim(1))
  const waiting = slots.enter(claim(2))
  slots.close()
  await expect(waiting).rejects.toThrow('given up')
  expect(() => slots.enter(claim(3))).toThrow('given up')
})
