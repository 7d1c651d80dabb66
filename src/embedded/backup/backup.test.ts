import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom } from '../../service/testing/room.ts'
import { createWorld } from '../../service/testing/world.ts'
import { childEnvironment } from '../../service/base/child-environment.ts'
import { readConfig } from '../config.ts'
import { findPostmaster } from '../postgres/postmaster.ts'
import { backUp } from './back-up.ts'
import { lockBackups } from './backup-store.ts'
import { restore } from './restore.ts'
import { drill } from './testing/drill.ts'
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

test('J5: backups under load, restored elsewhere by the commands, have each act as a whole, rights, hashes and trail', async () => {
  const [here, place] = [join(folder, 'drill'), join(folder, 'drill-backups')]
  await mkdir(here)
  const backups = { place, of: (name: string) => join(place, name) }
  expect(await drill({ folder: here, masterKey: MASTER_KEY, backups })).toBe(2)
}, 600_000)

test('a later backup copies only what is new and may replace the first, and a restore names what is lost', async () => {
  const [data, backups, elsewhere] = placesOf('1')
  await mkdir(data, { mode: 0o700 })
  const world = await createWorld(await start(data))
  const room = await createRoom(world)
  for (const name of ['one', 'two', 'three']) await room.upload(world.alice, 0, `${name}.txt`, name)
  const first = await backUp(configOf(data), { folder: backups }, Infinity, new Date('2026-01-01T00:00:00Z'))
  expect(first).toMatchObject({ damaged: [], postgres: '18', blobs: 3, new_bytes: 11 })
  await room.upload(world.alice, 0, 'late.txt', 'late')
  const second = await backUp(configOf(data), { folder: backups }, 1, new Date('2026-01-02T00:00:00Z'))
  expect(second).toMatchObject({ damaged: [], blobs: 4, bytes: 15, new_bytes: 4 })
  expect((await readdir(backups)).toSorted()).toEqual(['2026-01-02T00-00-00Z', 'blobs'])

  expect(await restore({ folder: backups }, { dataDir: elsewhere })).toMatchObject({ lost: [], path: second.path })
  await start(elsewhere)
  await expect(restore({ folder: backups }, { dataDir: elsewhere })).rejects.toThrow('already runs on')
  const blob = (await readdir(join(backups, 'blobs'), { recursive: true })).find((name) => /[0-9a-f]{32}$/.test(name))
  await writeFile(join(backups, 'blobs', blob ?? ''), 'damaged')
  const { lost } = await restore({ folder: backups }, { dataDir: join(folder, 'elsewhere-3') })
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
