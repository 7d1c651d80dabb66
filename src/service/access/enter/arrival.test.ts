import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { sign } from '../../../signing/signature.ts'
import { hashOfToken } from '../../base/secrets.ts'
import { type Db, openPool } from '../../db/pool.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { arriveAt } from './arrival.ts'

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

describe('K29: what is read along with the authentication of a request', () => {
  const inRoom = () => ({ params: { id: folder }, query: { workspace_id: room.workspace_id } })

  test('serves its caller only: an admin who views as others sees what they see', async () => {
    const { alice, bob } = world
    for (const who of [{ group_id: room.group_id }, { user_id: bob.id }]) {
      const call = { ...inRoom(), query: { ...inRoom().query, ...who } }
      expect(await alice.statusOf(api.permissions.viewAs, call)).toBe(404)
    }
    await room.grant(folder, 'view')
    const call = { ...inRoom(), query: { ...inRoom().query, user_id: bob.id } }
    expect((await alice.call(api.permissions.viewAs, call)).abilities).toEqual({
      view: true,
      download: false,
      upload: false,
      manage: false,
      sealed: false,
    })
  })

  test('serves one request only: a right or membership that ends is gone with the next one', async () => {
    const { alice, bob } = world
    await room.grant(folder, 'view')
    expect(await bob.statusOf(api.folders.get, inRoom())).toBe(200)
    await room.revoke(folder, 'view')
    expect(await bob.statusOf(api.folders.get, inRoom())).toBe(404)
    await room.grant(folder, 'upload')
    const body = { workspace_id: room.workspace_id, parent_id: folder, name: 'New' }
    expect(await bob.statusOf(api.folders.create, { body })).toBe(201)
    const query = { workspace_id: room.workspace_id, user_id: bob.id }
    await alice.call(api.groups.removeMember, { params: { id: room.group_id }, query })
    expect(await bob.statusOf(api.folders.create, { body: { ...body, name: 'Newer' } })).toBe(404)
  })

  test('is not mixed between workspaces: a folder or group of another one is not found', async () => {
    const { alice } = world
    const other = await createRoom(world)
    const query = { workspace_id: other.workspace_id }
    expect(await alice.statusOf(api.folders.get, { params: { id: folder }, query })).toBe(404)
    expect(await alice.statusOf(api.groups.get, { params: { id: room.group_id }, query })).toBe(404)
    const body = { ...query, parent_id: folder, name: 'New' }
    expect(await alice.statusOf(api.folders.create, { body })).toBe(404)
    const grid = { params: { id: folder }, query: { workspace_id: room.workspace_id, group_id: other.group_id } }
    expect(await alice.statusOf(api.permissions.list, grid)).toBe(404)
  })

  test.each(['', '{"workspace_id": 1, "name": "New'])(
    'does not wait for a body that stops after %j: a forged request is refused',
    async (begin) => {
      const headers = { ...sign({ ...world.alice.credentials, secret: 'guess' }, Math.floor(Date.now() / 1000) + 60) }
      const status = await new Promise((resolve, reject) => {
        const sent = request(`${service.url}/api/v1/folders`, {
          method: 'POST',
          headers: { ...headers, 'content-length': 100 },
        })
        sent.on('error', reject).on('response', (reply) => {
          resolve(reply.statusCode)
          // The service would wait for the rest of the body before it stops.
          sent.destroy()
        })
        sent.flushHeaders()
        if (begin) sent.write(begin)
      })
      expect(status).toBe(401)
    },
  )

  test('is the same in which pieces a body arrives', async () => {
    const body = JSON.stringify({ workspace_id: room.workspace_id, parent_id: folder, name: 'In pieces' })
    const signed = sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60)
    const headers = { ...signed, 'content-length': Buffer.byteLength(body) }
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${service.url}/api/v1/folders`, { method: 'POST', headers })
      sent.on('response', (reply) => resolve(reply.statusCode)).on('error', reject)
      sent.write(body.slice(0, 10))
      setTimeout(() => sent.end(body.slice(10)), 50)
    })
    expect(status).toBe(201)
  })
})

describe('entering a workspace', () => {
  const MEMBERS = 200
  const TABLES = ['workspace_memberships', 'group_memberships']
  let other: TestService
  let db: Db
  let workspace_id: number
  let group_id: number
  beforeAll(async () => {
    other = await startTestService()
    db = openPool(other.config.databaseUrl, 1)
    const { admin } = other
    const team = await admin.call(api.teams.create, { body: { team: { name: 'Deals' } } })
    const workspace = { name: 'Harbour', team_id: team.id }
    workspace_id = (await admin.call(api.workspaces.create, { body: { workspace } })).id
    group_id = (await admin.call(api.groups.create, { body: { group: { name: 'Bidders', workspace_id } } })).id
  })
  afterAll(async () => {
    await db.destroy()
    await other.close()
  })

  async function enter(tx: Db): Promise<void> {
    const { key, token } = other.admin.credentials
    const asked = { key, token_hash: hashOfToken(token), session: null, now: new Date() }
    const [caller] = await arriveAt({ workspace_id, group_id }).find(tx, asked)
    expect(caller).toMatchObject({ workspace: { admin: true } })
  }

  /** The rows of memberships that the caller reads on entering. */
  async function countReads(): Promise<number> {
    return db.transaction().execute(async (tx) => {
      const count = async () => {
        const { rows } = await sql<{ reads: number }>`
          select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as reads
          from pg_stat_xact_user_tables where relname = any(${TABLES}::text[])`.execute(tx)
        return rows[0]?.reads ?? 0
      }
      const before = await count()
      await enter(tx)
      return (await count()) - before
    })
  }

  async function addMembers(): Promise<void> {
    await sql`
      with joined as (
        insert into users (organization_id, email, token_hash, token_sealed)
        select w.organization_id, gen_random_uuid() || '@example.com', gen_random_uuid()::text::bytea, ''
        from workspaces w cross join generate_series(1, ${MEMBERS}::int) where w.id = ${workspace_id}
        returning organization_id, id
      ), inside as (
        insert into workspace_memberships (workspace_id, user_id, organization_id)
        select ${workspace_id}::int, id, organization_id from joined
      )
      insert into group_memberships (workspace_id, group_id, user_id)
      select ${workspace_id}::int, ${group_id}::int, id from joined`.execute(other.services.db)
  }

  test('K32: with a plan from when the workspace was empty does not read all groups of all members', async () => {
    for (const table of TABLES) {
      await sql.raw(`alter table ${table} set (autovacuum_enabled = false)`).execute(other.services.db)
    }
    await sql`analyze`.execute(other.services.db)
    // PostgreSQL keeps the plan of the sixth execution.
    for (let at = 0; at < 6; at++) await enter(db)

    await addMembers()
    expect(await countReads()).toBeLessThan(5 * MEMBERS)
    await addMembers()
    expect(await countReads()).toBeLessThan(10 * MEMBERS)
  })
})
