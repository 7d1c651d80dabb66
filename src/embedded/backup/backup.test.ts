import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { examine } from '../../service/doctor/examine.ts'
import { addDealRecords, readDealRecords, TERMS_HASH } from '../../service/testing/deal/deal-records.ts'
import { createRoom, type Room } from '../../service/testing/room.ts'
import { createWorld, personOf, type World } from '../../service/testing/world.ts'
import { childEnvironment } from '../../service/base/child-environment.ts'
import { readConfig } from '../config.ts'
import { findPostmaster } from '../postgres/postmaster.ts'
import { backUp } from './back-up.ts'
import { lockBackups } from './backup-store.ts'
import { restore } from './restore.ts'
import { startInstallation } from './testing/installation.ts'

const folder = await mkdtemp(join(tmpdir(), 'strongroom-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const MASTER_KEY = randomBytes(32).toString('hex')

const running: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

const start = (dataDir: string) => startInstallation({ dataDir, masterKey: MASTER_KEY }, running)

const placesOf = (name: string) =>
  ['data', 'backups', 'elsewhere'].map((each) => join(folder, `${each}-${name}`)) as [string, string, string]

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, MASTER_KEY })

function load({ alice }: World, room: Room) {
  const acknowledged = new Map<number, string>()
  const ending = new AbortController()
  const lane = async (name: string) => {
    for (let n = 0; !ending.signal.aborted; n++) {
      const content = `${name} ${n} ${'x'.repeat(n * 100)}`
      const { id } = await room.upload(alice, 0, `${name} ${n}.txt`, content)
      acknowledged.set(id, content)
      await (n % 2 ? room.revoke(0, 'view') : room.grant(0, 'view'))
    }
  }
  const lanes = Promise.all([lane('one'), lane('two')])
  const stop = async () => {
    ending.abort()
    await lanes
  }
  return { acknowledged, stop }
}

test('a backup under load, restored elsewhere, has every act from before, and is sound', async () => {
  const [data, backups, elsewhere] = placesOf('1')
  await mkdir(data, { mode: 0o700 })
  const service = await start(data)
  const world = await createWorld(service)
  const room = await createRoom(world)
  const deal = await addDealRecords(world, room)
  const kept = await readDealRecords(service, world.alice, deal)
  expect(kept).toMatchObject({ sha256: TERMS_HASH, staged: [{ path: '/Staged' }], passes: [{ replied_at: null }] })
  const { acknowledged, stop } = load(world, room)
  while (acknowledged.size < 20) await new Promise((later) => setTimeout(later, 20))
  const before = new Map(acknowledged)
  const first = await backUp(configOf(data), { folder: backups }, Infinity, new Date('2026-01-01T00:00:00Z'))
  await stop()
  expect(first).toMatchObject({ damaged: [], postgres: '18' })
  expect(first.blobs).toBeGreaterThanOrEqual(before.size)

  await room.upload(world.alice, 0, 'late.txt', 'late')
  const second = await backUp(configOf(data), { folder: backups }, 1, new Date('2026-01-02T00:00:00Z'))
  // The late file, and the PDF of the terms.
  expect(second.blobs).toBe(acknowledged.size + 2)
  expect(second.new_bytes).toBeLessThan(second.bytes)
  expect((await readdir(backups)).toSorted()).toEqual(['2026-01-02T00-00-00Z', 'blobs'])

  expect(await restore({ folder: backups }, { dataDir: elsewhere })).toMatchObject({ lost: [], path: second.path })
  const copy = await start(elsewhere)
  const findings = await examine(copy.config)
  expect(findings.filter(({ state }) => state === 'error')).toEqual([])
  const alice = personOf(copy, world.alice)
  const query = { workspace_id: room.workspace_id }
  const { immediate_subfiles } = await alice.call(api.folders.get, { params: { id: 0 }, query })
  expect(immediate_subfiles).toHaveLength(acknowledged.size + 1)
  for (const [id, content] of acknowledged) {
    const { expiring_url } = await alice.call(api.downloads.getFile, { params: { file_id: id }, query })
    const reply = await fetch(copy.url + new URL(expiring_url).pathname)
    expect(await reply.text()).toBe(content)
  }
  expect(await readDealRecords(copy, alice, deal)).toEqual(kept)
})

test('a first backup alone restores the state of its time', async () => {
  const [data, backups, elsewhere] = placesOf('2')
  await mkdir(data, { mode: 0o700 })
  const service = await start(data)
  const world = await createWorld(service)
  const room = await createRoom(world)
  const { acknowledged, stop } = load(world, room)
  while (acknowledged.size < 10) await new Promise((later) => setTimeout(later, 20))
  const before = [...acknowledged.keys()]
  const { path } = await backUp(configOf(data), { folder: backups })
  await stop()
  await restore({ folder: path }, { dataDir: elsewhere })
  const copy = await start(elsewhere)
  expect((await examine(copy.config)).filter(({ state }) => state === 'error')).toEqual([])
  const { immediate_subfiles } = await personOf(copy, world.alice).call(api.folders.get, {
    params: { id: 0 },
    query: { workspace_id: room.workspace_id },
  })
  expect(immediate_subfiles.map(({ id }) => id)).toEqual(expect.arrayContaining(before))
  await expect(restore({ folder: path }, { dataDir: elsewhere })).rejects.toThrow('already runs on')

  const blob = (await readdir(join(backups, 'blobs'), { recursive: true })).find((name) => /[0-9a-f]{32}$/.test(name))
  await writeFile(join(backups, 'blobs', blob ?? ''), 'damaged')
  const { lost } = await restore({ folder: path }, { dataDir: join(folder, 'elsewhere-3') })
  expect(lost).toEqual([blob?.slice(-32)])
})

test('an interrupted restore begins again, a folder of something else is refused', async () => {
  const [data, backups, elsewhere] = placesOf('4')
  await mkdir(data, { mode: 0o700 })
  await start(data)
  await backUp(configOf(data), { folder: backups })
  await mkdir(join(elsewhere, 'blobs'), { recursive: true })
  await expect(restore({ folder: backups }, { dataDir: elsewhere })).rejects.toThrow(
    'has an installation already: blobs.',
  )
  await writeFile(join(elsewhere, 'restoring'), '')
  await restore({ folder: backups }, { dataDir: elsewhere })
  expect((await readdir(elsewhere)).toSorted()).toEqual(['blobs', 'postgres'])
  await expect(restore({ folder: data }, { dataDir: join(folder, 'none') })).rejects.toThrow('is not a backup.')
  await expect(backUp(configOf(data), { folder: join(data, 'inside') })).rejects.toThrow('cannot be in the data folder')
})

test('K59: a backup in a folder never lands in the content that it is of, nor in another installation', async () => {
  const [data, other, elsewhere] = placesOf('5')
  await mkdir(data, { mode: 0o700 })
  const service = await start(data)
  const { alice, olivia, ...world } = await createWorld(service)
  const room = await createRoom({ alice, olivia, ...world })
  await room.upload(alice, 0, 'a.txt', 'content')
  const before = (await readdir(join(data, 'blobs'), { recursive: true })).toSorted()

  const content = join(elsewhere, 'blobs')
  await mkdir(content, { recursive: true })
  await symlink(elsewhere, join(folder, 'link'))
  await mkdir(join(folder, 'linked'))
  await symlink(content, join(folder, 'linked', 'blobs'))
  const config = { ...configOf(data), blobPlace: { folder: content } }
  for (const each of [
    elsewhere,
    content,
    join(content, 'new', 'inside'),
    join(folder, 'link'),
    join(folder, 'linked'),
  ]) {
    await expect(backUp(config, { folder: each }, 1)).rejects.toThrow('cannot be in the content that it is of')
  }
  expect(existsSync(join(content, 'new'))).toBe(false)

  const its = { ...configOf(other), databaseUrl: service.config.databaseUrl }
  await mkdir(join(other, 'blobs'), { recursive: true })
  for (const each of [data, join(data, 'blobs')]) {
    await expect(backUp(its, { folder: each }, 1)).rejects.toThrow('of an installation. Name another folder')
  }
  expect((await readdir(join(data, 'blobs'), { recursive: true })).toSorted()).toEqual(before)
  const { backups } = await olivia.call(api.system.get, {})
  expect(backups[0]).toMatchObject({ failure: expect.stringContaining('Name another folder') as string, files: 0 })
})

test('a restore that ends before its database begins again, and content elsewhere is never overwritten', async () => {
  const [data, backups, elsewhere] = placesOf('6')
  await mkdir(data, { mode: 0o700 })
  await start(data)
  const { path } = await backUp(configOf(data), { folder: backups })
  const target = { dataDir: elsewhere, blobPlace: { folder: join(folder, 'content-6') } }
  await rename(join(path, 'postgres'), join(path, 'aside'))
  await writeFile(join(path, 'postgres'), '')
  await expect(restore({ folder: backups }, target)).rejects.toThrow('ENOTDIR')
  await expect(start(elsewhere)).rejects.toThrow('was interrupted. Run it again')
  await rm(join(path, 'postgres'))
  await rename(join(path, 'aside'), join(path, 'postgres'))
  expect(await restore({ folder: backups }, target)).toMatchObject({ lost: [], path })
  await writeFile(join(elsewhere, 'restoring'), '')
  await start(elsewhere)
  expect(existsSync(join(elsewhere, 'restoring'))).toBe(false)
  const next = { ...target, dataDir: join(folder, 'elsewhere-7') }
  await expect(restore({ folder: backups }, next)).rejects.toThrow('has content already')
})

test('a backup that is interrupted is none, says so, and ends the database that it started', async () => {
  const [data, backups] = placesOf('8')
  await mkdir(data, { mode: 0o700 })
  const service = await start(data)
  const { olivia } = await createWorld(service)
  const signal = AbortSignal.abort(new Error('Interrupted. This backup is not kept.'))
  await expect(backUp(configOf(data), { folder: backups }, 1, new Date(), signal)).rejects.toThrow('Interrupted.')
  const lock = await lockBackups(backups, backups)
  await expect(backUp(configOf(data), { folder: backups })).rejects.toThrow(
    `Another backup to ${backups} is being made`,
  )
  lock.release()
  const { backups: recorded } = await olivia.call(api.system.get, {})
  expect(recorded.map(({ failure }) => failure?.split(' ')[0])).toEqual(['Another', 'Interrupted.'])
  for (const stop of running.splice(0).toReversed()) await stop()

  const env = childEnvironment({ PATH: process.env['PATH'], DATA_DIR: data, MASTER_KEY })
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), backups], { env })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(child, 'close')
  while (child.exitCode === null && !(await findPostmaster(join(data, 'postgres'))))
    await new Promise((later) => setTimeout(later, 5))
  child.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  expect(said).toBe('Interrupted. This backup is not kept.\n')
  expect(await findPostmaster(join(data, 'postgres'))).toBeUndefined()
  expect(await backUp(configOf(data), { folder: backups })).toMatchObject({ damaged: [] })
  expect((await readdir(backups)).filter((name) => name.startsWith('.'))).toEqual([])
})
