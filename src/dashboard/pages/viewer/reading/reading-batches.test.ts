import { expect, test } from 'vitest'
import { createReadingBatches, type ReadingBatch } from './reading-batches.ts'

const page = (page_number: number) => ({ page_number, ms: 1000 })

test('a batch without an answer is sent again under its id, and an answered one is not', async () => {
  const posted: ReadingBatch[] = []
  let answers = false
  const batches = createReadingBatches(async (batch) => {
    posted.push(batch)
    return answers
  })
  await batches.send([page(1)])
  answers = true
  await batches.send([page(2)])
  await batches.send([])
  expect(posted.map(({ pages }) => pages[0]?.page_number)).toEqual([1, 1, 2])
  expect(posted[0]?.batch_id).toBe(posted[1]?.batch_id)
  expect(posted[2]?.batch_id).not.toBe(posted[1]?.batch_id)
  expect(posted[0]?.batch_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
})

test('few batches wait while the service is away, and a long one is divided', async () => {
  const posted: ReadingBatch[] = []
  const batches = createReadingBatches(async (batch) => posted.push(batch) < 0)
  for (let at = 1; at <= 10; at += 1) await batches.send([page(at)])
  posted.length = 0
  await batches.send([])
  expect(posted.map(({ pages }) => pages[0]?.page_number)).toEqual([7, 8, 9, 10])
  posted.length = 0
  await batches.send(Array.from({ length: 250 }, (_, at) => page(at + 1)))
  expect(posted.map(({ pages }) => pages.length)).toEqual([1, 100, 100, 50])
})
