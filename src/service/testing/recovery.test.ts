import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { type RunningService, startService } from '../app.ts'
import { verifyTrail } from '../audit/verify.ts'
import type { Config } from '../base/config.ts'
import { Client } from './client.ts'
import { createDatabase, databaseNamed, runAsAdmin } from './database/postgres.ts'
import { createRoom, type Room } from './room.ts'
import { ON_DISK, startTestService, type TestService } from './start-service.ts'
import { createWorld, type Person, type World } from './world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService(ON_DISK)
  world = await createWorld(service)
})
afterAll(() => service.close())

/** The visible state of a service: the rights, the bytes of a file, and the audit trail. */
async function lookAt(url: string, { alice, bob, team_id }: World, room: Room, file: number) {
  const as = ({ credentials }: { credentials: Client['credentials'] }) => new Client(url, credentials)
  const query = { workspace_id: room.workspace_id }
  const params = { id: room.workspace_id }
  const { expiring_url } = await as(bob).call(api.downloads.getFile, { params: { file_id: file }, query })
  const rights = {
    matrix: await as(alice).call(api.permissions.matrix, { query }),
    home: await as(bob).call(api.workspaces.home, { params }),
    sheet: await as(alice).call(api.permissions.sheet, { query: { ...query, group_ids: [room.group_id], below: 0 } }),
    members: await as(alice).call(api.workspaces.listMembers, { params }),
    teams: await as(alice).call(api.teams.get, { params: { id: team_id } }),
  }
  const bytes = await (await fetch(url + new URL(expiring_url).pathname)).text()
  const trail = (await (await as(alice).fetch(`/api/v1/workspaces/${params.id}/audit`)).text()).trimEnd().split('\n')
  return { rights, bytes, trail }
}

test('J5: a restored backup has the same rights, files and audit trail, and continues from there', async () => {
  const database = await createDatabase(inject('databaseUrl'))
  const folders = [await mkdtemp(join(tmpdir(), 'backup-')), await mkdtemp(join(tmpdir(), 'restored-'))] as const
  const original = /^\w+:\/\/[^/]*\/([^?]*)/.exec(database.url)?.[1] ?? ''
  const copy = `${original}_restored`
  const started: RunningService[] = []
  const start = async (config: Partial<Config>) => {
    const running = await startService({ ...service.config, ...config })
    started.push(running)
    return running
  }
  try {
    const first = await start({ databaseUrl: database.url, dataDir: folders[0] })
    const as = (user: { user_token: string }) =>
      new Client(first.url, { ...service.admin.credentials, token: user.user_token })
    const there = await createWorld({
      ...service,
      ...first,
      admin: new Client(first.url, service.admin.credentials),
      as,
    })
    const room = await createRoom(there)
    const open = await room.folder('Open')
    const closed = await room.folder('Closed', open)
    await room.grant(open, 'download')
    await room.revoke(closed, 'view')
    const { id: file } = await room.upload(there.alice, open, 'plan.txt', 'the plan')
    const before = await lookAt(first.url, there, room, file)
    await first.close()

    // A pooler keeps connections to it.
    const leave = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${original}'`
    await runAsAdmin(inject('databaseUrl'), leave)
    await runAsAdmin(inject('databaseUrl'), `create database ${copy} template ${original}`)
    await cp(folders[0], folders[1], { recursive: true })
    const restored = await start({ databaseUrl: databaseNamed(database.url, copy), dataDir: folders[1] })
    const after = await lookAt(restored.url, there, room, file)
    expect(after.rights).toEqual(before.rights)
    expect([before.bytes, after.bytes]).toEqual(['the plan', 'the plan'])
    const earlier = await verifyTrail(before.trail)
    const { head } = await verifyTrail(after.trail, earlier)
    expect(head.seq).toBeGreaterThan(earlier.head.seq)
    await restored.close()
  } finally {
    for (const each of started) await each.close().catch(() => {})
    await runAsAdmin(inject('databaseUrl'), `drop database if exists ${copy} with (force)`)
    await database.drop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
})

test('J3: rights of 10,000 folders are set atomically: concurrent readers see all of it or nothing', async () => {
  const room = await createRoom(world)
  const { workspace_id } = room
  const top = await room.folder('Top')
  const { db } = service.services
  // 100 folders with 100 subfolders each.
  await sql`
    with first as (
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select ${workspace_id}, 100000 + n, ${top}, 'Folder ' || n, n, array[0, ${top}::int, 100000 + n], ${world.alice.id}
      from generate_series(1, 100) n returning id
    )
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select ${workspace_id}, id * 100 + n, id, 'Folder ' || n, n, array[0, ${top}::int, id, id * 100 + n], ${world.alice.id}
    from first cross join generate_series(1, 100) n`.execute(db)

  const cascade = { ends: false }
  const seen = new Set<number>()
  async function read(at: number): Promise<number> {
    let readings = 0
    while (!cascade.ends || readings === 0) {
      const call = { params: { id: 100_001 + ((at * 7 + readings) % 100) }, query: { workspace_id } }
      const response = await world.bob.fetch(`/api/v1/folders/${call.params.id}?workspace_id=${workspace_id}`)
      const reply = (await response.json()) as { immediate_subfolders?: unknown[] }
      expect([200, 404]).toContain(response.status)
      if (response.status === 200) seen.add(reply.immediate_subfolders?.length ?? -1)
      readings++
    }
    return readings
  }
  const readers = Array.from({ length: 10 }, (_, at) => read(at))
  for (let round = 0; round < 4; round++) {
    await room.grant(top, 'download')
    await room.revoke(top, 'view')
  }
  await room.grant(top, 'view')
  cascade.ends = true
  const readings = await Promise.all(readers)
  expect(Math.min(...readings)).toBeGreaterThan(1)
  expect([...seen].filter((count) => count !== 100)).toEqual([])
  expect(
    (await world.bob.call(api.folders.get, { params: { id: 100_050 }, query: { workspace_id } })).totals.folders,
  ).toBe(100)
})

test('J7: nodes whose clocks are ten minutes apart serve one room, and their audit entries chain', async () => {
  const room = await createRoom(world)
  const folder = await room.folder('Shared')
  await room.grant(folder, 'download')
  const behind = await startService(service.config, () => new Date(Date.now() - 600_000))
  try {
    const through = ({ url }: { url: string }, person: Person) => new Client(url, person.credentials)
    const query = { workspace_id: room.workspace_id }
    for (const [at, node] of [service, behind, service, behind].entries()) {
      const place = { ...query, folder_id: folder, file_name: `${at}.txt` }
      await through(node, world.alice).call(api.files.upload, { query: place }, 'content')
    }
    const params = { id: folder }
    const { immediate_subfiles } = await through(behind, world.bob).call(api.folders.get, { params, query })
    expect(immediate_subfiles.map(({ title }) => title)).toEqual(['0.txt', '1.txt', '2.txt', '3.txt'])
    const file_id = immediate_subfiles[0]?.id ?? 0
    const { expiring_url } = await through(behind, world.bob).call(api.downloads.getFile, {
      params: { file_id },
      query,
    })
    const statusAt = async ({ url }: { url: string }) => (await fetch(url + new URL(expiring_url).pathname)).status
    expect([await statusAt(service), await statusAt(behind)]).toEqual([200, 200])
    // The node with the slow clock made the URL, so its fifteen minutes end after five by the other node's clock.
    service.setClock(new Date(Date.now() + 301_000))
    expect([await statusAt(service), await statusAt(behind)]).toEqual([403, 200])
    service.setClock(undefined)
    const trail = await (await world.alice.fetch(`/api/v1/workspaces/${room.workspace_id}/audit`)).text()
    await verifyTrail(trail.trimEnd().split('\n'))
    expect(trail.match(/added the file: \d\.txt/g)).toEqual([0, 1, 2, 3].map((at) => `added the file: ${at}.txt`))
  } finally {
    await behind.close()
  }
})
