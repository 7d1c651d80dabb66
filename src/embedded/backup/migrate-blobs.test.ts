import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { startService } from '../../service/app.ts'
import { type BlobPlace, readBlobUrl } from '../../service/base/blob-place.ts'
import { childEnvironment } from '../../service/base/child-environment.ts'
import { openPlace } from '../../service/blobs/open-storage.ts'
import { END_OF_TIME, viewStorage } from '../../service/blobs/view-storage.ts'
import { createRoom, type Room } from '../../service/testing/room.ts'
import type { TestService } from '../../service/testing/start-service.ts'
import {
  blobUrlOf,
  credentialsOf,
  startSwift,
  type Swift,
  useCredentials,
} from '../../service/testing/swift/start-swift.ts'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { createWorld, type World } from '../../service/testing/world.ts'
import { startInstallation } from './testing/installation.ts'

// The command as an operator runs it, beside a running service; killed halfway, and run again.

const TOOL = join(import.meta.dirname, 'migrate-blobs.ts')
const hasSwift = await ensureInstalled('swift')
const MASTER_KEY = randomBytes(32).toString('hex')
const SMALL = 60
const LARGE_BYTES = 12 * 1024 ** 2

describe.skipIf(!hasSwift)('blobs:migrate', () => {
  const running: (() => Promise<void>)[] = []
  let dataDir: string
  let service: TestService
  let world: World
  let room: Room
  let swift: Swift
  let ours: Record<string, string>
  const ids: number[] = []
  const contents: Buffer[] = []

  beforeAll(async () => {
    swift = await startSwift()
    useCredentials(swift)
    dataDir = await mkdtemp(join(tmpdir(), 'strongroom-migrate-'))
    service = await startInstallation({ dataDir, masterKey: MASTER_KEY }, running)
    world = await createWorld(service)
    room = await createRoom(world)
    for (let n = 0; n < SMALL; n++) await add(randomBytes(n))
    await add(randomBytes(LARGE_BYTES))
    ours = await hashesIn({ folder: join(dataDir, 'blobs') })
  }, 180_000)
  afterAll(async () => {
    for (const stop of running.toReversed()) await stop()
    await swift?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function add(content: Buffer): Promise<void> {
    contents.push(content)
    ids.push((await room.upload(world.alice, 0, `${ids.length}.bin`, new Uint8Array(content))).id)
  }

  const environment = () =>
    childEnvironment({ PATH: process.env['PATH'], DATA_DIR: dataDir, MASTER_KEY, ...credentialsOf(swift) })

  function migrate(...args: string[]): Promise<{ code: number; said: string[] }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [TOOL, ...args], { env: environment() }, (error, output, complaints) =>
        resolve({ code: Number(error?.code ?? 0), said: (output + complaints).trim().split('\n') }),
      )
    })
  }

  async function idsIn(place: BlobPlace): Promise<string[]> {
    const ids: string[] = []
    for await (const { blob_id } of (await viewStorage(place)).listOlderThan(END_OF_TIME)) ids.push(blob_id)
    return ids
  }

  /** Kills the command once some of the content is in the new place. @returns how much is there */
  async function migrateHalfway(to: BlobPlace, ...args: string[]): Promise<number> {
    const child = spawn(process.execPath, [TOOL, ...args], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    while (child.exitCode === null && (await idsIn(to)).length < 5) await sleep(1)
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    return (await idsIn(to)).length
  }

  async function hashesIn(place: BlobPlace): Promise<Record<string, string>> {
    const store = await openPlace(service.services.db, place, service.config)
    const hashes: [string, string][] = []
    for (const blob_id of await idsIn(place)) {
      const hash = createHash('sha256')
      for await (const chunk of (await store.read(blob_id)) as AsyncIterable<Buffer>) hash.update(chunk)
      hashes.push([blob_id, hash.digest('hex')])
    }
    expect(new Set(hashes.map(([id]) => id)).size).toBe(hashes.length)
    return Object.fromEntries(hashes)
  }

  /** Lets another service with its content in the new place deliver each file. */
  async function expectDelivered(blobPlace: BlobPlace): Promise<void> {
    const other = await startService({ ...service.config, blobPlace, bootstrap: undefined })
    try {
      for (const [n, content] of contents.entries()) {
        const call = { params: { file_id: ids[n] ?? 0 }, query: { workspace_id: room.workspace_id } }
        const { expiring_url } = await world.alice.call(api.downloads.getFile, call)
        const reply = await fetch(other.url + new URL(expiring_url).pathname)
        expect([n, Buffer.from(await reply.arrayBuffer()).equals(content)]).toEqual([n, true])
      }
    } finally {
      await other.close()
    }
  }

  test('that was killed halfway goes on: into a bucket and back into a folder, every byte and nothing twice', async () => {
    expect(Object.keys(ours)).toHaveLength(contents.length)
    const url = blobUrlOf(swift)
    const bucket = readBlobUrl(url)
    const there = await migrateHalfway(bucket, '--to', url)
    expect(there).toBeLessThan(contents.length)

    const second = await migrate('--to', url)
    const [, copied = 0, , kept = 0] =
      /^Copied (\d+) files? \((.*)\), .*; (\d+) were there before\.$/.exec(second.said.at(-1) ?? '')?.map(Number) ?? []
    expect(second.code).toBe(0)
    expect(copied + kept).toBe(contents.length)
    expect(kept).toBeGreaterThanOrEqual(there)
    expect(await hashesIn(bucket)).toEqual(ours)
    await expectDelivered(bucket)

    const again = await migrate('--to', url)
    expect(again.said.at(-1)).toContain(
      `Copied 0 files (0 bytes), each compared with its hash; ${contents.length} were`,
    )

    const folder = join(dataDir, 'returned')
    const target = pathToFileURL(folder).href
    const back = await migrateHalfway({ folder }, '--from', url, '--to', target)
    expect(back).toBeLessThan(contents.length)
    expect(await migrate('--from', url, '--to', target)).toMatchObject({ code: 0 })
    expect(await hashesIn({ folder })).toEqual(ours)
    await expectDelivered({ folder })
  }, 240_000)

  test('says in one sentence what is wrong with its arguments, and exits with 1', async () => {
    const same = pathToFileURL(join(dataDir, 'blobs')).href
    expect(await migrate()).toEqual({ code: 1, said: [expect.stringContaining('npm run blobs:migrate -- --to')] })
    expect(await migrate('--to', 'ftp://x')).toEqual({
      code: 1,
      said: ['--to must be file:///folder or s3://bucket/prefix?endpoint=…&region=….'],
    })
    expect(await migrate('--to', same)).toEqual({
      code: 1,
      said: ['The content is there already: --to and --from are the same.'],
    })
  })

  test('names content that is not as it was uploaded, copies it all the same, and exits with 1', async () => {
    const url = blobUrlOf(swift)
    const [blobId = ''] = Object.keys(ours).filter((id) => ours[id] !== createHash('sha256').digest('hex'))
    const folder = join(dataDir, 'spoiled')
    expect(await migrate('--to', pathToFileURL(folder).href)).toMatchObject({ code: 0 })
    const path = join(folder, blobId.slice(0, 2), blobId.slice(2, 4), blobId)
    const bytes = await readFile(path)
    await writeFile(
      path,
      bytes.map((byte) => byte ^ 1),
    )
    const { code, said } = await migrate('--from', pathToFileURL(folder).href, '--to', url)
    expect([code, said.at(-1)]).toEqual([1, `Not as they were uploaded: ${blobId}`])
    expect(Object.keys(await hashesIn(readBlobUrl(url)))).toHaveLength(contents.length)
  })
})
