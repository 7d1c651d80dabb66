import { randomBytes } from 'node:crypto'
import { mkdtemp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { readBlobUrl, type S3Place } from '../../service/base/blob-place.ts'
import { openBucket } from '../../service/blobs/s3/bucket.ts'
import { examine } from '../../service/doctor/examine.ts'
import { addDealRecords, readDealRecords, TERMS_HASH, TERMS_PDF } from '../../service/testing/deal/deal-records.ts'
import { createRoom } from '../../service/testing/room.ts'
import {
  blobUrlOf,
  credentialsOf,
  startSwift,
  type Swift,
  useCredentials,
} from '../../service/testing/swift/start-swift.ts'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { createWorld, personOf } from '../../service/testing/world.ts'
import { readConfig } from '../config.ts'
import { backUp } from './back-up.ts'
import { restore } from './restore.ts'
import { drill } from './testing/drill.ts'
import { startInstallation } from './testing/installation.ts'

const hasSwift = await ensureInstalled('swift')

describe.skipIf(!hasSwift)('backups with a bucket', () => {
  let folder: string
  let swift: Swift
  let base: string
  const running: (() => Promise<void>)[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'strongroom-bucket-'))
    swift = await startSwift()
    useCredentials(swift)
    base = blobUrlOf(swift)
  }, 180_000)
  afterEach(async () => {
    for (const stop of running.splice(0).toReversed()) await stop()
  })
  afterAll(async () => {
    await swift?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const urlAt = (prefix: string) => base.replace('?', `/${prefix}?`)
  const placeAt = (prefix: string) => readBlobUrl(urlAt(prefix)) as S3Place
  const MASTER_KEY = randomBytes(32).toString('hex')
  const start = (dataDir: string, blobPlace?: S3Place) =>
    startInstallation({ dataDir, masterKey: MASTER_KEY, blobPlace }, running)
  const configOf = (dataDir: string, blobPlace?: S3Place) => ({
    ...readConfig({ DATA_DIR: dataDir, MASTER_KEY }),
    blobPlace,
  })

  async function fill(dataDir: string, blobPlace?: S3Place) {
    await mkdir(dataDir, { mode: 0o700 })
    const service = await start(dataDir, blobPlace)
    const world = await createWorld(service)
    const room = await createRoom(world)
    const contents = ['one', 'x'.repeat(9_000_000), '']
    const ids: number[] = []
    for (const [n, content] of contents.entries()) ids.push((await room.upload(world.alice, 0, `${n}.txt`, content)).id)
    const deal = await addDealRecords(world, room)
    const kept = await readDealRecords(service, world.alice, deal)
    expect(kept.sha256).toBe(TERMS_HASH)
    return { service, world, room, contents, ids, deal, kept }
  }

  async function expectSame(dataDir: string, made: Awaited<ReturnType<typeof fill>>, blobPlace?: S3Place) {
    const copy = await start(dataDir, blobPlace)
    expect((await examine(copy.config)).filter(({ state }) => state === 'error')).toEqual([])
    const alice = personOf(copy, made.world.alice)
    for (const [n, content] of made.contents.entries()) {
      const query = { workspace_id: made.room.workspace_id }
      const { expiring_url } = await alice.call(api.downloads.getFile, { params: { file_id: made.ids[n] ?? 0 }, query })
      expect(await (await fetch(copy.url + new URL(expiring_url).pathname)).text()).toBe(content)
    }
    expect(await readDealRecords(copy, alice, made.deal)).toEqual(made.kept)
  }

  test('a folder of content is backed up into a bucket, each file once, and restored elsewhere', async () => {
    const [data, elsewhere] = [join(folder, 'a'), join(folder, 'a-restored')]
    const made = await fill(data)
    const backups = placeAt('backups-a')
    const first = await backUp(configOf(data), backups, Infinity, new Date('2026-01-01T00:00:00Z'))
    expect(first).toMatchObject({ damaged: [], blobs: 4, new_bytes: 9_000_003 + TERMS_PDF.length, postgres: '18' })
    made.contents.push('late')
    made.ids.push((await made.room.upload(made.world.alice, 0, 'late.txt', 'late')).id)
    const second = await backUp(configOf(data), backups, 1, new Date('2026-01-02T00:00:00Z'))
    expect(second).toMatchObject({ blobs: 5, new_bytes: 4 })
    const names: string[] = []
    for await (const name of openBucket(backups).listFolders('')) names.push(name)
    expect(names.toSorted()).toEqual(['2026-01-02T00-00-00Z', 'blobs'])
    const { backups: recorded } = await made.world.olivia.call(api.system.get, {})
    expect(recorded).toMatchObject([
      { files: 5, new_bytes: 4, damaged: 0, failure: null, target: second.path.slice(0, second.path.indexOf('2026')) },
      { files: 4 },
    ])
    expect(await restore(backups, { dataDir: elsewhere })).toMatchObject({ lost: [], blobs: 5 })
    await expectSame(elsewhere, made)
  }, 240_000)

  test('content in a bucket is backed up into a folder and a bucket, and restored into either', async () => {
    const [data, elsewhere, third] = [join(folder, 'b'), join(folder, 'b-restored'), join(folder, 'b-third')]
    const made = await fill(data, placeAt('content-b'))
    const config = configOf(data, placeAt('content-b'))
    const inFolder = { folder: join(folder, 'b-backups') }
    const backup = await backUp(config, inFolder)
    expect(backup).toMatchObject({ damaged: [], blobs: 4 })
    expect(await backUp(config, placeAt('backups-b'))).toMatchObject({ damaged: [], blobs: 4 })
    await restore(inFolder, { dataDir: elsewhere })
    await expectSame(elsewhere, made)
    const blobPlace = placeAt('content-third')
    const database = join(backup.path, 'postgres')
    await rename(database, join(folder, 'b-aside'))
    await writeFile(database, '')
    await expect(restore(inFolder, { dataDir: third, blobPlace })).rejects.toThrow('ENOTDIR')
    await rm(database)
    await rename(join(folder, 'b-aside'), database)
    await restore(placeAt('backups-b'), { dataDir: third, blobPlace })
    await expectSame(third, made, blobPlace)
    await expect(restore(inFolder, { dataDir: join(folder, 'b-fourth'), blobPlace })).rejects.toThrow(
      'has content already',
    )
  }, 240_000)

  test('J5: backups of a bucket under load, restored into others by the commands, are as they were', async () => {
    const here = join(folder, 'drill')
    await mkdir(here)
    const compared = await drill({
      folder: here,
      masterKey: MASTER_KEY,
      content: { here: urlAt('drill'), there: (copy) => urlAt(`drill-${copy}`) },
      backups: { place: urlAt('drill-backups'), of: (name) => urlAt(`drill-backups/${name}`) },
      env: credentialsOf(swift),
    })
    expect(compared).toBe(2)
  }, 600_000)

  test('K59: a backup never lands in the content that it is of, nor in that of another installation', async () => {
    const data = join(folder, 'c')
    const { world } = await fill(data, placeAt('content-c'))
    const config = configOf(data, placeAt('content-c'))
    for (const prefix of ['content-c', 'content-c/inside']) {
      await expect(backUp(config, placeAt(prefix))).rejects.toThrow('cannot be in the content that it is of')
    }
    await expect(backUp(configOf(data), placeAt('content-c'))).rejects.toThrow('has the content of an installation')
    const { backups } = await world.olivia.call(api.system.get, {})
    expect(backups).toMatchObject([{ failure: expect.stringContaining('Name another prefix') as string, files: 0 }])
  }, 240_000)

  test('a backup that a full bucket interrupts is none, is recorded, and the next one is whole', async () => {
    const data = join(folder, 'd')
    const { world } = await fill(data)
    await swift.limitBytes(1_000_000)
    try {
      await expect(backUp(configOf(data), placeAt('backups-d'))).rejects.toThrow('There is no room left')
    } finally {
      await swift.limitBytes(undefined)
    }
    await expect(restore(placeAt('backups-d'), { dataDir: join(folder, 'd-none') })).rejects.toThrow('is not a backup.')
    const { backups } = await world.olivia.call(api.system.get, {})
    expect(backups).toMatchObject([{ failure: expect.any(String) as string, files: 0 }])
    const { client, target } = openBucket(placeAt('backups-d'))
    const { Bucket, Key: Prefix } = target('')
    const listUploads = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))).Uploads ?? []
    const unfinished = target('2026-01-01T00-00-00Z/postgres/1')
    await client.send(new CreateMultipartUploadCommand(unfinished))
    // The interrupted backup may have left some too.
    expect((await listUploads()).map(({ Key }) => Key)).toContain(unfinished.Key)
    expect(await backUp(configOf(data), placeAt('backups-d'))).toMatchObject({ blobs: 4, damaged: [] })
    expect(await listUploads()).toEqual([])
  }, 240_000)
})
