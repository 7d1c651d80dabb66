import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { api } from '../contract/index.ts'
import { migrate } from './db/migrate.ts'
import { enqueueInvitation } from './mail/invitation.ts'
import { databaseNamed, runAsAdmin } from './testing/database/postgres.ts'
import { freePort } from './testing/free-port.ts'
import { createRoom } from './testing/room.ts'
import { type ServiceProcess, spawnProcess } from './testing/spawn-process.ts'
import { startTestService, type TestService } from './testing/start-service.ts'
import { createWorld } from './testing/world.ts'

let service: TestService
let worker: ServiceProcess
beforeAll(async () => {
  service = await startTestService()
  worker = spawnProcess('worker', service.config, { SWEEP_AFTER: '1' })
  await worker.line(/^worker: ready/)
})
afterAll(async () => {
  if (worker.child.exitCode === null) await worker.end('SIGKILL')
  await service.close()
})

test('the worker sends an invitation once', async () => {
  const outbox = join(service.config.dataDir, 'outbox')
  const { id: organization_id } = await service.admin.call(api.organization.get, {})
  const alice = {
    id: 1,
    organization_id,
    first_name: 'Alice',
    last_name: 'Tester',
    email: 'alice@example.com',
    now: new Date(),
    request_id: null,
  }
  const invitation = { to: 'bob@example.com', workspace_name: 'Harbour', url: 'http://dashboard.test/' }
  await enqueueInvitation(service.services.db, alice, invitation)
  const mails = () => readdir(outbox).then((names) => names.filter((name) => name.endsWith('.eml')))
  await vi.waitFor(async () => expect(await mails()).toHaveLength(1), 20_000)
  await vi.waitFor(
    async () => expect(await service.services.db.selectFrom('jobs').selectAll().execute()).toEqual([]),
    20_000,
  )
  const [name = ''] = await mails()
  const text = await readFile(join(outbox, name), 'utf8')
  expect(text).toContain('To: bob@example.com')
  expect(text).toContain('Subject: Alice Tester invites you to Harbour')
})

test('the worker prepares a download', async () => {
  const world = await createWorld(service)
  const room = await createRoom(world)
  const { id } = await room.upload(world.alice, await room.folder('Finance'), 'plan.txt')
  const { workspace_id } = room
  await world.alice.call(api.downloads.create, { body: { workspace_id, download: { file_ids: [id] } } })
  await vi.waitFor(async () => {
    const { downloads } = await world.alice.call(api.downloads.listStatus, { params: { workspace_id } })
    expect(downloads.map((download) => download.status)).toEqual(['done'])
  }, 8000)
})

test('the worker sweeps by itself', async () => {
  const { blobs } = service.services
  const { blob_id } = await blobs.write(Readable.from(['nobody names this'], { objectMode: false }), 100)
  const isThere = () =>
    blobs.read(blob_id).then(
      (stream) => Boolean(stream.destroy()),
      () => false,
    )
  expect(await isThere()).toBe(true)
  await vi.waitFor(async () => expect(await isThere()).toBe(false), 20_000)
})

test('the worker chains the audit trail by itself', async () => {
  const { id: team_id } = await service.admin.call(api.teams.create, { body: { team: { name: 'Auditors' } } })
  const workspace = { name: 'Chained', team_id }
  const { id } = await service.admin.call(api.workspaces.create, { body: { workspace } })
  const chained = service.services.db.selectFrom('audit_records').select('seq').where('workspace_id', '=', id)
  await vi.waitFor(async () => expect(await chained.execute()).toEqual([{ seq: 1 }]), 20_000)
})

test('the worker ends on SIGTERM', async () => {
  expect(await worker.end('SIGTERM')).toBe(0)
})

test('a worker that does not read documents releases nothing that others hold', async () => {
  const { db } = service.services
  await db.updateTable('documents').set({ held: true }).execute()
  const mailing = spawnProcess('worker', service.config, { WORKER_KINDS: 'mail' })
  await mailing.line(/^worker: ready/)
  await db.insertInto('jobs').values({ kind: 'examine', payload: '{}' }).execute()
  // It takes jobs once it has applied what it applies.
  const examined = db.selectFrom('jobs').select('id').where('kind', '=', 'examine')
  await expect.poll(() => examined.execute(), { timeout: 40_000 }).toEqual([])
  expect(await db.selectFrom('documents').select('held').execute()).toEqual([{ held: true }])
  expect(await mailing.end('SIGTERM')).toBe(0)
})

test('a worker that starts before the migration waits for the schema', async () => {
  const databaseUrl = inject('databaseUrl')
  await runAsAdmin(databaseUrl, 'create database worker_first')
  const config = { ...service.config, databaseUrl: databaseNamed(databaseUrl, 'worker_first') }
  const METRICS_PORT = String(await freePort())
  const early = spawnProcess('worker', config, { METRICS_PORT })
  const ready = early.line(/^worker: ready/)
  const isAlive = () =>
    fetch(`http://127.0.0.1:${METRICS_PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isAlive, { timeout: 20_000 }).toBe(true)
  await migrate(config.databaseUrl)
  await ready
  expect(await early.end('SIGINT')).toBe(0)
  await runAsAdmin(databaseUrl, 'drop database worker_first with (force)')
})
