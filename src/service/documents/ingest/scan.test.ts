import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Clamd, CLAMD_MAX_BYTES, EICAR, startClamd } from '../../testing/clamd.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createScanner, NotScanned } from './scan.ts'

const LIMITS = { maxBytes: CLAMD_MAX_BYTES, patienceMs: 30_000 }
const isInstalled = await ensureInstalled('clamav')

const bytes = (text: string, chunkSize = text.length) =>
  Readable.from(
    Array.from({ length: Math.ceil(text.length / chunkSize) }, (_, at) =>
      Buffer.from(text.slice(at * chunkSize, (at + 1) * chunkSize)),
    ),
  )
const refusal = (scan: Promise<unknown>): Promise<NotScanned> =>
  scan.then(
    (verdict) => expect.fail(`not refused but ${JSON.stringify(verdict)}`),
    (error: unknown) => error as NotScanned,
  )

describe.skipIf(!isInstalled)('the ClamAV daemon', () => {
  let clamd: Clamd
  let folder: string
  beforeAll(async () => {
    clamd = await startClamd()
    folder = await mkdtemp(join(tmpdir(), 'scan-'))
  })
  afterAll(async () => {
    await clamd.stop()
    await rm(folder, { recursive: true })
  })
  const scanner = (maxBytes = LIMITS.maxBytes) => createScanner(clamd.url, { ...LIMITS, maxBytes })

  test('finds malware in a file and passes a clean file', async () => {
    await writeFile(join(folder, 'bad'), `${'x'.repeat(100_000)}${EICAR}`)
    await writeFile(join(folder, 'good'), 'x'.repeat(100_000))
    expect(await scanner().scan(join(folder, 'bad'))).toEqual({ infected: expect.stringContaining('Eicar') })
    expect(await scanner().scan(join(folder, 'good'))).toBe('clean')
  })

  test('E8: finds malware in chunks of any size', async () => {
    for (const size of [1, 7, 60]) {
      expect(await scanner().scan(bytes(EICAR, size))).toEqual({ infected: expect.any(String) })
    }
  })

  test('passes an empty file', async () => expect(await scanner().scan(bytes(''))).toBe('clean'))

  test('E8: never passes content larger than the configured limit', async () => {
    const { permanent } = await refusal(scanner(1000).scan(bytes(`${'x'.repeat(1000)}${EICAR}`, 100)))
    expect(permanent).toBe(true)
  })

  test('E8: never passes content that it refuses for its size, even if the configured limit is higher', async () => {
    const content = `${'x'.repeat(CLAMD_MAX_BYTES - 10)}${EICAR}`
    await expect(scanner(Infinity).scan(bytes(content))).rejects.toBeInstanceOf(NotScanned)
    await expect(scanner(Infinity).scan(bytes('x'.repeat(5 * CLAMD_MAX_BYTES), 65_536))).rejects.toBeInstanceOf(
      NotScanned,
    )
  })

  test('never passes a source that breaks off', async () => {
    const broken = new Readable({ read: () => {} })
    broken.push('some')
    broken.destroy(new Error('the disk is gone'))
    await expect(scanner().scan(broken)).rejects.toBeInstanceOf(NotScanned)
    await expect(scanner().scan(join(folder, 'absent'))).rejects.toBeInstanceOf(NotScanned)
  })
})

describe('an unavailable scanner', () => {
  test('leaves content unscanned, for now', async () => {
    const scanner = createScanner('unix:/nowhere/clamd.sock', LIMITS)
    expect((await refusal(scanner.scan(bytes(EICAR)))).permanent).toBe(false)
  })

  test.each<[string, (socket: Socket) => void]>([
    ['hangs up at once', (socket) => socket.destroy()],
    ['hangs up in the middle', (socket) => socket.once('data', () => socket.end('stream:'))],
    ['says nothing', () => {}],
    ['says something else', (socket) => socket.once('data', () => socket.end('UNKNOWN COMMAND\0'))],
    ['says OK of another stream', (socket) => socket.once('data', () => socket.end('streams: OK\0'))],
  ])('gives no verdict if it %s', async (_, behave) => {
    const server = createServer((socket) => behave(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const scanner = createScanner(url, { ...LIMITS, patienceMs: 300 })
    expect((await refusal(scanner.scan(bytes('content')))).permanent).toBe(false)
    server.close()
  })

  test('a reported limit counts as neither clean nor infected', async () => {
    const server = createServer((socket) =>
      socket.once('data', () => socket.end('stream: Heuristics.Limits.Exceeded.MaxScanSize FOUND\0')),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const scanner = createScanner(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, LIMITS)
    expect((await refusal(scanner.scan(bytes('')))).permanent).toBe(true)
    server.close()
  })

  test('without an address, there is no scanner', () => expect(createScanner(undefined, LIMITS)).toBeUndefined())
})
