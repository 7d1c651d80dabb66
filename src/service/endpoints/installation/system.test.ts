import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { examineApart } from '../../doctor/examine-apart.ts'
import { recordBackup } from '../../store/health/backups.ts'
import { runJobs } from '../../testing/jobs.ts'
import { createRoom } from '../../testing/room.ts'
import { ON_DISK, startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService(ON_DISK)
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  const { db } = service.services
  await db.deleteFrom('examination').execute()
  await db.deleteFrom('jobs').execute()
})

const read = () => world.olivia.call(api.system.get, {})

test('an admin sees versions, processes, jobs and storage as they are', async () => {
  const found = await read()
  expect(Math.abs(Date.parse(found.as_of) - Date.now())).toBeLessThan(60_000)
  expect(found.versions.node).toBe(process.versions.node)
  expect(found.versions.schema).toMatch(/^\d{4}_\w+\.sql$/)
  expect(found.processes).toMatchObject([{ kind: 'service', running: true, version: found.versions.strongroom }])
  expect(found.jobs.map(({ kind }) => kind)).toEqual([
    'mail',
    'email_code',
    'expert_mail',
    'open_drafts',
    'examine',
    'zip',
    'ingest',
  ])
  expect(found.storage).toMatchObject({ kind: 'folder', free: expect.any(Number) as number })
  expect(found).toMatchObject({ backups: [], examination: null })
})

test('an examination runs once however often it is asked for, and its findings stay', async () => {
  await (await createRoom(world)).upload(world.alice, 0, 'a.txt', 'twelve bytes')
  const [first, second] = [
    await world.olivia.call(api.system.examine, {}),
    await world.olivia.call(api.system.examine, {}),
  ]
  expect(second).toEqual(first)
  expect(first).toMatchObject({ ended_at: null, findings: [], content: null })
  expect((await read()).jobs.find(({ kind }) => kind === 'examine')).toMatchObject({ waiting: 1, failed: 0 })
  await runJobs(service)
  const { examination, jobs } = await read()
  expect(examination).toMatchObject({ ended_at: expect.any(String) as string, content: { files: 1, bytes: 12 } })
  expect(examination?.findings).toContainEqual({
    check: 'database',
    state: 'ok',
    message: 'The schema is the one of this release.',
    advice: null,
    code: 'schema_current',
    params: {},
  })
  expect(jobs.find(({ kind }) => kind === 'examine')).toMatchObject({ waiting: 0 })
  expect(await world.olivia.call(api.system.examine, {})).toMatchObject({
    ended_at: null,
    findings: examination?.findings,
  })
})

test('K57: what admins see of the installation has no secret', async () => {
  await world.olivia.call(api.system.examine, {})
  await runJobs(service)
  const told = JSON.stringify(await read())
  const { databaseUrl, masterKey } = service.config
  for (const secret of [masterKey, databaseUrl, encodeURIComponent(databaseUrl), 'postgres://', 'postgresql://'])
    expect(told).not.toContain(secret)
})

test('K58: the installation is for admins of its first organization, not for those of another', async () => {
  const { db } = service.services
  const { olivia } = world
  const { id } = await db
    .insertInto('organizations')
    .values({ name: 'Older' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await olivia.call(api.users.me, {})).toMatchObject({ installation_admin: true })
  expect(await world.alice.call(api.users.me, {})).toMatchObject({ installation_admin: false })
  await sql`update organizations set id = 0 where id = ${id}`.execute(db)
  expect(await olivia.call(api.users.me, {})).toMatchObject({ organization_admin: true, installation_admin: false })
  for (const endpoint of [api.system.get, api.system.examine]) {
    await expect(olivia.call(endpoint, {})).rejects.toThrow(
      'This is for organization admins of the first organization.',
    )
  }
  await db.deleteFrom('organizations').where('id', '=', 0).execute()
  expect(await olivia.statusOf(api.system.get, {})).toBe(200)
})

test('the last ten backups are listed, also those that failed, and a hundred are kept', async () => {
  const { db } = service.services
  for (let n = 0; n < 103; n++) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
    const facts = { begun_at: at, ended_at: at, target: '/backups', files: n, bytes: 2 ** 40, new_bytes: 0, damaged: 0 }
    await recordBackup(db, { ...facts, database_bytes: null, failure: n === 102 ? 'The disk is full.' : null })
  }
  const { backups } = await read()
  expect(backups.map(({ files }) => files)).toEqual([102, 101, 100, 99, 98, 97, 96, 95, 94, 93])
  expect(backups[0]).toMatchObject({ failure: 'The disk is full.', bytes: 2 ** 40, database_bytes: null })
  expect(await db.selectFrom('backups').select('id').execute()).toHaveLength(100)
})

test('an examination ends at its limit with what it has found, and at once when the worker stops', async () => {
  const { signal } = new AbortController()
  const { findings } = await examineApart(service.config, { limitMs: 1, signal })
  expect(findings.at(-1)?.message).toBe('The examination did not end within 0 minutes.')
  const stopping = new AbortController()
  setTimeout(() => stopping.abort(new Error('The worker stops.')), 50)
  await expect(examineApart(service.config, { limitMs: 60_000, signal: stopping.signal })).rejects.toThrow(
    'The worker stops.',
  )
})
