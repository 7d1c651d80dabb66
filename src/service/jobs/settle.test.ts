import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openPool } from '../db/pool.ts'
import { type DatabaseRelay, startDatabaseRelay } from '../testing/database/database-relay.ts'
import { createDatabase } from '../testing/database/postgres.ts'
import { enqueue } from './queue.ts'
import { runNextJob } from './run.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let relay: DatabaseRelay
beforeEach(async () => {
  database = await createDatabase(inject('databaseUrl'))
  relay = await startDatabaseRelay(database.url)
})
afterEach(async () => {
  await relay.dispose()
  await database.drop()
})

const never = () => Promise.reject(new Error('there is no such job'))
const others = {
  email_code: never,
  expert_mail: never,
  open_drafts: never,
  examine: async () => {},
  zip: never,
  ingest: never,
}

test('J4: a mail that was sent while the database went away is recorded as sent, and not given up', async () => {
  const db = openPool(relay.url, 2)
  await enqueue(db, 'mail', { to: 'bob@example.com', subject: '', text: '', html: '' })
  let sent = 0
  const mail = async () => {
    sent++
    await relay.close()
    setTimeout(() => void relay.open(), 1500)
  }
  expect(
    await runNextJob(db, {
      mail,
      ...others,
    }),
  ).toBe(true)
  expect(sent).toBe(1)
  expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([])
  await db.destroy()
})

test('J4: a mail that could not be sent while the database went away is retried, and not given up', async () => {
  const db = openPool(relay.url, 2)
  await enqueue(db, 'mail', { to: 'bob@example.com', subject: '', text: '', html: '' })
  const mail = async () => {
    await relay.close()
    setTimeout(() => void relay.open(), 1500)
    throw new Error('the mail server is away')
  }
  expect(
    await runNextJob(db, {
      mail,
      ...others,
    }),
  ).toBe(true)
  const jobs = await db.selectFrom('jobs').select(['error', 'leased_until', 'parked_at']).execute()
  expect(jobs).toEqual([{ error: 'the mail server is away', leased_until: null, parked_at: null }])
  await db.destroy()
})
