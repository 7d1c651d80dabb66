import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { type RunningService, startService } from '../app.ts'
import { type Db, openPool } from '../db/pool.ts'
import { openReplica } from '../db/replica.ts'
import { examine } from '../doctor/examine.ts'
import { replicaGauges } from '../store/health/gauges.ts'
import { Client } from './client.ts'
import { type DatabaseRelay, startDatabaseRelay } from './database/database-relay.ts'
import { type DebianPostgres, startDebianPostgres } from './database/debian-postgres.ts'
import { runAsAdmin } from './database/postgres.ts'
import { createRoom, type Room } from './room.ts'
import { startTestService, type TestService } from './start-service.ts'
import { ensureInstalled } from './system-packages.ts'
import { createWorld, type Person, type World } from './world.ts'

// A real streaming replica. `pg_wal_replay_pause` stops it at what was true then.

const isInstalled = await ensureInstalled('postgres15')

describe.skipIf(!isInstalled)('a replica', () => {
  let primary: DebianPostgres
  let replica: DebianPostgres
  let relay: DatabaseRelay
  let service: TestService
  /** Another node on the same databases. */
  let node: RunningService
  let world: World
  let room: Room
  let folder: number
  beforeAll(async () => {
    primary = await startDebianPostgres()
    replica = await primary.replicate()
    relay = await startDatabaseRelay(replica.url)
    service = await startTestService({ databaseReplicaUrl: relay.url }, async () => primary.url)
    node = await startService(service.config)
    world = await createWorld(service)
    room = await createRoom(world)
    folder = await room.folder('Finance')
    await room.grant(folder, 'view')
  })
  afterAll(async () => {
    await node.close()
    await service.close()
    await relay.dispose()
    await replica.dispose()
    await primary.dispose()
  })

  const elsewhere = ({ credentials }: Person) => new Client(node.url, credentials)
  const there = (text: string) => runAsAdmin(replica.url, text)
  const query = () => ({ workspace_id: room.workspace_id })

  const found = async (client: Client | Person, q: string) =>
    (await client.call(api.files.search, { query: { ...query(), q } })).map(({ title }) => title)
  /** What bob sees, by everything that a replica may answer. */
  async function seenBy(client: Client | Person): Promise<string> {
    const [home, folders, files, activities] = await Promise.all([
      client.call(api.workspaces.home, { params: { id: room.workspace_id } }),
      client.call(api.folders.search, { query: { ...query(), q: 'secret' } }),
      client.call(api.files.search, { query: { ...query(), q: 'secret' } }),
      client.call(api.activities.list, { params: { workspace_id: room.workspace_id } }),
    ])
    return JSON.stringify([home, folders, files, activities])
  }
  const isUsed = async () => {
    relay.meter()
    await found(world.bob, 'secret')
    return relay.meter().statements > 0
  }

  test('answers listing, search, reports and feeds with what the primary would', async () => {
    await room.upload(world.alice, folder, 'Secret plan.txt')
    const { alice, bob } = world
    await expect.poll(isUsed).toBe(true)
    const reads = [
      () => bob.call(api.files.search, { query: { ...query(), q: 'secret' } }),
      () => bob.call(api.folders.search, { query: { ...query(), q: 'finance' } }),
      () => bob.call(api.folders.get, { params: { id: folder }, query: query() }),
      () => alice.call(api.workspaces.home, { params: { id: room.workspace_id } }),
      () => alice.call(api.activities.list, { params: { workspace_id: room.workspace_id } }),
      () => alice.call(api.permissions.listPeople, { params: { id: folder }, query: query() }),
    ]
    for (const [at, read] of reads.entries()) {
      relay.meter()
      const answer = await read()
      expect([at, relay.meter().statements > 0]).toEqual([at, true])
      expect(JSON.stringify(answer)).toMatch(/Secret plan|Finance|Bidders/)
    }
    relay.meter()
    const events = await alice.fetch(`/api/v1/workspaces/${room.workspace_id}/events`)
    await expect.poll(() => relay.meter().statements, { interval: 300 }).toBeGreaterThan(0)
    await events.body?.cancel()
  })

  test('K43: shows each change to the next request, on every node, and nothing that was revoked', async () => {
    for (let round = 0; round < 8; round++) {
      const name = `Secret round ${round}`
      const hidden = await room.folder(`Hidden ${round}`, folder)
      await room.upload(world.alice, hidden, `${name}.txt`)
      expect([round, await seenBy(elsewhere(world.bob))]).toEqual([round, expect.stringContaining(name)])
      await room.revoke(hidden, 'view')
      const [here, there] = await Promise.all([seenBy(world.bob), seenBy(elsewhere(world.bob))])
      expect([round, here.includes(name), there.includes(name)]).toEqual([round, false, false])
    }
  })

  test('K43: that stands still shows nothing that was revoked or deleted meanwhile, and hides nothing that was added', async () => {
    await room.upload(world.alice, folder, 'Secret of today.txt')
    await expect.poll(isUsed).toBe(true)
    await there('select pg_wal_replay_pause()')
    try {
      await room.upload(world.alice, folder, 'Secret of tomorrow.txt')
      for (const bob of [world.bob, elsewhere(world.bob)])
        expect(await found(bob, 'tomorrow')).toEqual(['Secret of tomorrow.txt'])
      await room.revoke(folder, 'view')
      for (const bob of [world.bob, elsewhere(world.bob)]) {
        expect(await seenBy(bob)).not.toMatch(/Secret|Finance/)
        const listed = await bob.fetch(`/api/v1/folders/${folder}?workspace_id=${room.workspace_id}`)
        expect(listed.status).toBe(404)
      }
      await room.grant(folder, 'view')
      expect(await seenBy(world.bob)).toContain('Secret of tomorrow')
    } finally {
      await there('select pg_wal_replay_resume()')
    }
    await expect.poll(isUsed).toBe(true)
  })

  const health = async (databaseReplicaUrl: string | undefined) =>
    (await examine({ ...service.config, databaseReplicaUrl }))
      .map(({ code }) => code)
      .filter((code) => code?.startsWith('replica'))

  test('that follows, stands still, is away or is of another database is told by doctor, and its lag by metrics', async () => {
    const reader = openReplica(service.services.db, replica.url)
    const gauges = replicaGauges(reader)
    const { read } = gauges['replica_lag_seconds']!
    const stray = openReplica(service.services.db, replica.url.replace('postgres@', 'nobody@'))
    onTestFinished(async () => void (await Promise.all([reader.close(), stray.close()])))
    expect(await gauges['replica_up']!.read()).toEqual([[{}, 1]])
    expect(await replicaGauges(stray)['replica_up']!.read()).toEqual([[{}, 0]])
    await expect(replicaGauges(stray)['replica_lag_seconds']!.read()).rejects.toThrow('nobody')
    expect(await health(undefined)).toEqual([])
    expect(await health(replica.url)).toEqual(['replica_follows'])
    await expect.poll(read).toEqual([[{}, 0]])
    await there('select pg_wal_replay_pause()')
    try {
      await room.folder('Not replayed')
      expect(await health(replica.url)).toEqual(['replica_behind'])
      await expect.poll(read).toEqual([[{}, expect.toSatisfy((lag: number) => lag > 0)]])
    } finally {
      await there('select pg_wal_replay_resume()')
    }
    await expect.poll(read).toEqual([[{}, 0]])
    expect(await health(primary.url)).toEqual(['replica_foreign'])
    const other = await startDebianPostgres()
    const foreign = await other.replicate()
    onTestFinished(async () => {
      await foreign.dispose()
      await other.dispose()
    })
    expect(await health(foreign.url)).toEqual(['replica_foreign'])
    expect(await health(replica.url.replace('postgres@', 'nobody@'))).toEqual(['replica_away'])
  })

  test('that is away leaves its work to the primary, and gets it back', async () => {
    await expect.poll(isUsed).toBe(true)
    const asking = Array.from({ length: 10 }, () => found(world.bob, 'today'))
    await relay.close()
    for (const titles of [...(await Promise.all(asking)), await found(world.bob, 'today')])
      expect(titles).toEqual(['Secret of today.txt'])
    await relay.open()
    await expect.poll(isUsed, { interval: 500 }).toBe(true)
  })

  test('that refuses the service leaves its work to the primary', async () => {
    for (const wrong of [replica.url.replace('/postgres?', '/absent?'), replica.url.replace('postgres@', 'nobody@')]) {
      const db = openPool(primary.url, 2)
      const reader = openReplica(db, wrong)
      expect(await reader.read(isReplica)).toBe(false)
      await expect(reader.read((at) => sql`select 1 / 0`.execute(at))).rejects.toMatchObject({ code: '22012' })
      await Promise.all([reader.close(), db.destroy()])
    }
  })

  const isReplica = async (db: Db) => {
    const { rows } = await sql<{ there: boolean }>`select pg_is_in_recovery() as there`.execute(db)
    return rows[0]?.there
  }

  test('K43: that follows a lost primary, or was promoted, is not read although its log is longer', async () => {
    const next = await primary.replicate()
    onTestFinished(next.dispose)
    const before = openPool(primary.url, 2)
    onTestFinished(() => before.destroy())
    const reader = openReplica(before, replica.url)
    onTestFinished(reader.close)
    await expect.poll(() => reader.read(isReplica)).toBe(true)
    await next.kill()
    await sql`create table ballast as select repeat(n::text, 100) as text from generate_series(1, 20000) n`.execute(
      before,
    )
    await expect.poll(() => reader.read(isReplica), { interval: 600 }).toBe(true)

    await appendFile(join(next.folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = ''\n`)
    await next.start()
    await next.promote()
    const after = openPool(next.url, 2)
    onTestFinished(() => after.destroy())
    const misled = openReplica(after, replica.url)
    onTestFinished(misled.close)
    await sql`create table news (id int)`.execute(after)
    expect(await misled.read(isReplica)).toBe(false)
    // The promoted server writes more than the primary that the reader knows.
    await sql`create table more as select repeat(n::text, 100) as text from generate_series(1, 40000) n`.execute(after)
    const split = openReplica(before, next.url)
    onTestFinished(split.close)
    const portOf = async (db: Db) =>
      (await sql<{ port: string }>`select current_setting('port') as port`.execute(db)).rows
    expect(await split.read(portOf)).toEqual([{ port: String(primary.port) }])
  })
})
