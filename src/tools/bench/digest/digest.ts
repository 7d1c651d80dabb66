import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { startPostgres } from '../../../embedded/postgres.ts'
import { createMailer } from '../../../mail/transport.ts'
import { openVault } from '../../../service/base/secrets.ts'
import { migrate } from '../../../service/db/migrate.ts'
import { type Db, openPool } from '../../../service/db/pool.ts'
import { sendNews } from '../../../service/mail/send-news.ts'
import { openUnsubscribeTokens } from '../../../service/mail/unsubscribe-token.ts'
import { ROOT } from '../../sources.ts'
import { type Figure, report } from '../measure.ts'
import { seedRooms } from './seed-rooms.ts'

// `npm run bench:digest`: one pass mails 10,000 people in 100 rooms what is new for them, files, answers and changes of
// access, through SMTP to a server of this process that keeps nothing. Prints a table and writes `bench-digest.json`.

const ROOMS = Number(process.env['BENCH_ROOMS'] ?? 100)
const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 100)
const SAMPLE_MS = 50
/** The pass takes place so much later: by then daily mails are due in each time zone. */
const DAY_MS = 86_400_000

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-digest-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataDir: folder, durable: false })
ends.defer(() => postgres.stop())
await migrate(postgres.databaseUrl)
await connected((db) => seedRooms(db, { rooms: ROOMS, people: PEOPLE }))

const sink = await startSink()
const mailer = createMailer({ smtpUrl: sink.url, from: 'Strongroom <no-reply@rooms.test>', outbox: '/nonexistent' })
ends.defer(() => mailer.close())

const before = await countTransactions()
const memory = watchMemory()
const { sent, statements, ms } = await connected(pass)
const { first, peak } = memory.end()
const transactions = (await countTransactions()) - before
if (sent !== sink.received()) throw new Error(`${sent} mails were handed over, and ${sink.received()} received.`)
console.log(`${sent} mails to ${ROOMS * PEOPLE} people in ${ROOMS} rooms`)

const figures: Figure[] = [
  { work: 'the whole pass', unit: 'ms', ours: ms, goal: '≤ 60,000 for 10,000 people in 100 rooms' },
  { work: 'for 1,000 mails', unit: 'ms', ours: (ms / sent) * 1000 },
  { work: 'statements for a person', unit: 'count', ours: statements / sent, goal: '< 1' },
  { work: 'transactions for a person', unit: 'count', ours: transactions / sent, goal: '< 1' },
  { work: 'memory after the first tenth', unit: 'MiB', ours: first },
  { work: 'most memory', unit: 'MiB', ours: peak, goal: 'as after the first tenth' },
]
await report(figures, join(ROOT, 'bench-digest.json'), { rooms: ROOMS, people: PEOPLE, mails: sent })

/** The counts of a connection are complete once it has ended. */
async function connected<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = openPool(postgres.databaseUrl, 4)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function pass(db: Db) {
  const { counted, count } = counting(db)
  const begun = performance.now()
  const sent = await send(counted)
  return { sent, statements: count(), ms: performance.now() - begun }
}

function send(counted: Db): Promise<number> {
  const means = {
    db: counted,
    tokens: openUnsubscribeTokens(openVault('ab'.repeat(32))),
    publicUrl: 'https://rooms.test',
    send: mailer.send,
    log: { info() {}, warn: (facts: object) => console.warn(facts) },
  }
  return sendNews(means, new Date(Date.now() + DAY_MS), new AbortController().signal)
}

/** The same database, which counts the statements that are sent to it. */
function counting(all: Db) {
  let count = 0
  const counted = all.withPlugin({
    transformQuery: ({ node }) => (count++, node),
    transformResult: async ({ result }) => result,
  })
  return { counted, count: () => count }
}

function countTransactions(): Promise<number> {
  return connected(async (db) => {
    const { rows } = await sql<{ committed: number }>`
      select xact_commit::int as committed from pg_stat_database where datname = current_database()`.execute(db)
    return rows[0]?.committed ?? 0
  })
}

/** The resident memory of this process in MiB: the most of it, and that after a tenth of the mails. */
function watchMemory() {
  let [first, peak] = [0, 0]
  const sample = () => {
    const resident = process.memoryUsage.rss() / 2 ** 20
    peak = Math.max(peak, resident)
    if (first === 0 && sink.received() >= (ROOMS * PEOPLE) / 10) first = resident
  }
  const timer = setInterval(sample, SAMPLE_MS)
  const end = () => {
    clearInterval(timer)
    sample()
    return { first, peak }
  }
  return { end }
}

/** A mail server that takes all mails and keeps none. */
async function startSink() {
  let received = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => {
        received++
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  ends.defer(() => new Promise<void>((closed) => server.close(closed)))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, received: () => received }
}
