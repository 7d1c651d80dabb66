import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { sign } from '../../signing/signature.ts'
import { type RunningService, startService } from '../app.ts'
import { sweepRateBuckets } from '../store/people/rate-buckets.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { ensureInstalled } from '../testing/system-packages.ts'

// Two nodes of one installation, which know nothing of each other but the store of their limits.

const BURST = 40
const GUESSES = 10
const hasRedis = await ensureInstalled('redis')
const limits = {
  rateLimit: { count: 1, periodMs: 60_000, burst: BURST },
  authFailureLimit: { count: 1, periodMs: 60_000, burst: GUESSES },
}

let redis: ChildProcess
let redisUrl: string
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  redisUrl = `redis://127.0.0.1:${(server.address() as { port: number }).port}`
  server.close()
  await once(server, 'close')
})
afterAll(() => void redis?.kill())

async function startRedis(): Promise<void> {
  const { port } = new URL(redisUrl)
  redis = spawn('redis-server', ['--bind', '127.0.0.1', '--port', port, '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of redis.stdout!) if (String(text).includes('Ready to accept')) break
  redis.stdout!.resume()
}

describe.each(hasRedis ? (['postgres', 'redis'] as const) : (['postgres'] as const))('limits in %s', (kind) => {
  let first: TestService
  let second: RunningService
  let users: { user_token: string }[]

  beforeAll(async () => {
    if (kind === 'redis') await startRedis()
    const rateStore = kind === 'redis' ? redisUrl : kind
    first = await startTestService({ ...limits, rateStore })
    second = await startService({ ...first.config, port: 0 })
    users = await Promise.all(
      ['una', 'dora', 'tess'].map((name) =>
        first.admin.call(api.users.create, {
          body: { user: { email: `${name}@example.com`, first_name: name, last_name: 'Tester' } },
        }),
      ),
    )
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  async function ask({ url }: Pick<RunningService, 'url'>, user: { user_token: string }, secret?: string) {
    const { apiKey, apiSecret } = first.config.bootstrap!
    const credentials = { key: apiKey, secret: secret ?? apiSecret, token: user.user_token }
    const headers = { ...sign(credentials, Math.floor(Date.now() / 1000) + 60) }
    const reply = await fetch(`${url}/api/v1/users/me`, { headers })
    await reply.body?.cancel()
    return reply.status
  }

  /** Counts the requests that a node answers before it refuses one. */
  async function countUntilRefused(service: RunningService, user: { user_token: string }, most = 2 * BURST) {
    for (let count = 0; count < most; count++) if ((await ask(service, user)) === 429) return count
    return most
  }

  test('K44: two nodes together give a user little more than the limit, and owe it', async () => {
    const [una] = users as [{ user_token: string }]
    for (let at = 0; at < 30; at++) expect(await ask(first, una)).toBe(200)
    await sleep(200)
    const more = await countUntilRefused(second, una)
    expect(more).toBeGreaterThan(0)
    expect(more).toBeLessThan(BURST - 10)
    expect(await countUntilRefused(first, una)).toBeLessThan(BURST - 30 + 1)
    expect(await ask(second, una)).toBe(429)
  })

  test('K44: a guesser who changes the node is refused', async () => {
    const [, dora] = users as [unknown, { user_token: string }]
    const wrong = 'f'.repeat(64)
    while ((await ask(first, dora, wrong)) === 401);
    await sleep(200)
    const statuses = []
    for (let at = 0; at < 2 * GUESSES; at++) {
      statuses.push(await ask(second, dora, wrong))
      await sleep(20)
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(GUESSES)
    expect(statuses.at(-1)).toBe(429)
  })

  test('a store that is away locks nobody out, and each node still has its limit', async () => {
    const [, , tess] = users as [unknown, unknown, { user_token: string }]
    if (kind === 'redis') {
      redis.kill('SIGKILL')
      await once(redis, 'exit')
    } else await sql`alter table rate_buckets rename to rate_buckets_away`.execute(first.services.db)
    // Guesses of the test before would stop an unknown caller from this address.
    expect([200, 429]).toContain(await ask(first, tess))
    const admin = { user_token: first.config.bootstrap!.adminToken }
    expect(await ask(first, admin)).toBe(200)
    const counts = [await countUntilRefused(first, users[0]!), await countUntilRefused(second, users[0]!)]
    expect(counts).toEqual([0, 0])
    if (kind === 'redis') await startRedis()
    else await sql`alter table rate_buckets_away rename to rate_buckets`.execute(first.services.db)
  })

  test.runIf(kind === 'postgres')('full buckets are swept, and hold no key or address', async () => {
    const { db } = first.services
    const before = await db.selectFrom('rate_buckets').select('name').execute()
    expect(before.length).toBeGreaterThan(0)
    for (const { name } of before) expect(name).toMatch(/^[0-9a-f]{64}$/)
    await sql`update rate_buckets set full_at = now() - interval '1 second'`.execute(db)
    await sweepRateBuckets(db)
    expect(await db.selectFrom('rate_buckets').select('name').execute()).toEqual([])
  })
})

test('a store that cannot be understood stops the start', async () => {
  const { readConfig } = await import('../base/config.ts')
  const required = { DATABASE_URL: 'postgresql://x@y/z', MASTER_KEY: 'ab'.repeat(32) }
  for (const RATE_STORE of ['memcached', 'redis:', 'redis://', 'POSTGRES'])
    expect(() => readConfig({ ...required, RATE_STORE })).toThrow(/^RATE_STORE must be memory, postgres or the URL of/)
})
