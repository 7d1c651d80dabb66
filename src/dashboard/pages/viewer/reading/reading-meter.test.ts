import { expect, test } from 'vitest'
import { createReadingMeter, IDLE_MS } from './reading-meter.ts'

let at = 0
const wait = (seconds: number) => (at += seconds * 1000)

/** Twelve pages: [page, seconds of reading]. */
const SCRIPT = [5, 12.4, 48, 3.3, 90, 0.8, 22, 31, 7.5, 64, 2, 18].map(
  (seconds, index) => [index + 1, seconds] as const,
)

/** Moves the mouse every few seconds, as readers do. */
function readFor(meter: ReturnType<typeof createReadingMeter>, seconds: number) {
  for (let left = seconds; left > 0; left -= 4) {
    wait(Math.min(4, left))
    meter.noteInput()
  }
}

test('a scripted reading of twelve pages with hidden, unfocused and idle phases is within 5 % of the truth', () => {
  const meter = createReadingMeter(() => at)
  const found = new Map<number, number>()
  const take = () =>
    meter.take().forEach(({ page_number, ms }) => found.set(page_number, (found.get(page_number) ?? 0) + ms))
  meter.use(true)
  for (const [page, seconds] of SCRIPT) {
    meter.turnTo(page)
    readFor(meter, seconds / 2)
    if (page % 3 === 0) {
      meter.use(false)
      wait(600)
      meter.use(true)
    }
    readFor(meter, seconds / 2)
    take()
  }
  meter.use(false)
  wait(3600)
  take()
  for (const [page, seconds] of SCRIPT)
    expect(Math.abs((found.get(page) ?? 0) - seconds * 1000), `page ${page}`).toBeLessThanOrEqual(seconds * 50)
  expect(found.size).toBe(12)
})

test('a reader without input counts for the idle time and no longer, however often it is asked', () => {
  const meter = createReadingMeter(() => at)
  meter.use(true)
  meter.turnTo(1)
  let ms = 0
  for (let step = 0; step < 40; step += 1) {
    wait(15)
    ms += meter.take()[0]?.ms ?? 0
  }
  expect(ms).toBe(IDLE_MS)
  meter.noteInput()
  wait(2)
  expect(meter.take()).toEqual([{ page_number: 1, ms: 2000 }])
})

test('coming back to the window counts as input, and time away does not count', () => {
  const meter = createReadingMeter(() => at)
  meter.turnTo(4)
  wait(10)
  meter.use(true)
  wait(5)
  meter.use(false)
  wait(500)
  meter.noteInput()
  meter.use(true)
  wait(5)
  expect(meter.take()).toEqual([{ page_number: 4, ms: 10_000 }])
  expect(meter.take()).toEqual([])
})
