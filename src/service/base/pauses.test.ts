import { afterEach, expect, test, vi } from 'vitest'
import { watchPauses } from './pauses.ts'

afterEach(() => void vi.useRealTimers())

function watched() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now = 10_000
  const pauses = watchPauses(() => now)
  return {
    pauses,
    run(ms: number) {
      for (let passed = 0; passed < ms; passed += 50) {
        now += 50
        vi.advanceTimersByTime(50)
      }
    },
    stop: (ms: number) => void (now += ms),
  }
}

test('a request arrives when it is read, as long as the process runs', () => {
  const { pauses, run, stop } = watched()
  run(5000)
  expect(pauses.earliestArrival()).toBe(15_000)
  stop(400)
  expect(pauses.earliestArrival()).toBe(15_400)
  pauses.close()
})

test('a request that is read just after a pause may have arrived since its beginning', () => {
  const { pauses, run, stop } = watched()
  run(1000)
  stop(30_000)
  expect(pauses.earliestArrival()).toBe(11_000)
  run(1950)
  expect(pauses.earliestArrival()).toBe(11_000)
  run(50)
  expect(pauses.earliestArrival()).toBe(43_000)
  pauses.close()
})

test('a timer notices the pause as well, and two pauses close together are one', () => {
  const { pauses, run, stop } = watched()
  run(1000)
  stop(2000)
  run(1000)
  stop(2000)
  run(500)
  expect(pauses.earliestArrival()).toBe(11_000)
  pauses.close()
})
