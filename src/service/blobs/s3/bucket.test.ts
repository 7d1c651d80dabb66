import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBlobUrl, type S3Place } from '../../base/blob-place.ts'
import { type Relay, startRelay } from '../../testing/swift/relay.ts'
import { blobUrlOf, startSwift, type Swift, useCredentials } from '../../testing/swift/start-swift.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { type Bucket, openBucket } from './bucket.ts'
import { compose } from './compose.ts'
import { BLOBS, keyOf } from './keys.ts'
import { readWhole } from './read-object.ts'
import { createS3Store } from './s3-store.ts'
import { writeObject } from './write-object.ts'

const hasSwift = await ensureInstalled('swift')
const MIB = 1024 ** 2
const HOUR_MS = 3_600_000
const COMPLETION = /^POST .*[?&]uploadId=/

describe.skipIf(!hasSwift)('multipart uploads', () => {
  let swift: Swift
  let relay: Relay
  beforeAll(async () => {
    swift = await startSwift()
    useCredentials(swift)
    relay = await startRelay(swift.endpoint)
  }, 180_000)
  afterAll(async () => {
    await relay?.close()
    await swift?.stop()
  })
  beforeEach(() => {
    relay.mode = 'pass'
    relay.times = Infinity
    relay.only = COMPLETION
  })

  const place = () => readBlobUrl(blobUrlOf({ ...swift, endpoint: relay.url })) as S3Place
  const streamOf = (content: Buffer) => Readable.from([content], { objectMode: false })
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest()

  async function begin({ client, target }: Bucket, key: string) {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target(key)))
    const send = async (PartNumber: number) => {
      await client.send(new UploadPartCommand({ ...target(key), UploadId, PartNumber, Body: 'x' }))
    }
    return { id: UploadId, send }
  }

  async function unfinished({ client, target }: Bucket): Promise<(string | undefined)[]> {
    const { Bucket, Key: Prefix } = target('')
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
    return Uploads.map(({ UploadId }) => UploadId)
  }

  /** Two chunks that are large enough to be parts. */
  async function putChunks(bucket: Bucket) {
    const bytes = [randomBytes(5 * MIB), randomBytes(1000)]
    const chunks = bytes.map((each, at) => ({ key: `parts/${at}`, size: each.length }))
    for (const [at, each] of bytes.entries()) await bucket.put(`parts/${at}`, each)
    return { chunks, content: Buffer.concat(bytes) }
  }

  test('abandoned ones are aborted on every page of the list, and one that got a part since then is not', async () => {
    const bucket = openBucket(place(), undefined, { page: 2 })
    for (const key of ['a', 'a', 'a', 'b', 'd']) await begin(bucket, `blobs/${key}`)
    const busy = await begin(bucket, 'blobs/c')
    for (const part of [1, 2, 3]) await busy.send(part)
    // Swift tells times in whole seconds.
    await sleep(2100)
    const before = new Date()
    await busy.send(4)
    await begin(bucket, 'elsewhere')
    expect(await unfinished(bucket)).toHaveLength(7)

    await bucket.abortUploads(BLOBS, before)

    const left = await unfinished(bucket)
    expect(left).toHaveLength(2)
    expect(left).toContain(busy.id)
    await bucket.abortUploads('', new Date(Date.now() + HOUR_MS))
    expect(await unfinished(bucket)).toEqual([])
  })

  test('the sweep aborts what a crash left behind, a day after content without a file would go', async () => {
    const at = place()
    const folder = await mkdtemp(join(tmpdir(), 'strongroom-abandoned-'))
    const store = await createS3Store(at, { folder })
    const bucket = openBucket(at)
    const sweep = (afterHours: number) =>
      Readable.from(store.listOlderThan(new Date(Date.now() + afterHours * HOUR_MS))).toArray()
    const { send } = await begin(bucket, keyOf('0'.repeat(32)))
    await send(1)
    expect(await sweep(23)).toEqual([])
    expect(await unfinished(bucket)).toHaveLength(1)
    expect(await sweep(25)).toEqual([])
    expect(await unfinished(bucket)).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('K42: a completion whose answer is lost counts, and leaves nothing behind', async () => {
    const bucket = openBucket(place())
    const content = randomBytes(9 * MIB)
    relay.mode = 'lose'
    relay.times = 1
    expect(await writeObject(bucket, 'written', streamOf(content), Infinity)).toMatchObject({ sha256: sha256(content) })
    const made = await putChunks(bucket)
    relay.times = 1
    await compose(bucket, made.chunks, 'composed')
    expect(relay.times).toBe(0)
    expect((await readWhole(bucket, 'written', content.length)).equals(content)).toBe(true)
    expect((await readWhole(bucket, 'composed', made.content.length)).equals(made.content)).toBe(true)
    expect(await unfinished(bucket)).toEqual([])
  })

  test('K42: a completion may take the store longer than any other request, without a byte meanwhile', async () => {
    const limits = { idleMs: 3000, requestMs: 20_000, completeMs: 60_000 }
    const bucket = openBucket(place(), undefined, { limits })
    const content = randomBytes(9 * MIB)
    const { chunks } = await putChunks(bucket)
    relay.mode = 'late'
    relay.lateMs = 1.5 * limits.idleMs
    await Promise.all([
      writeObject(bucket, 'written', streamOf(content), Infinity),
      compose(bucket, chunks, 'composed'),
    ])
    relay.only = /^HEAD /
    await expect(bucket.sizeOf('written')).rejects.toMatchObject({ status: 503 })
  })
})
