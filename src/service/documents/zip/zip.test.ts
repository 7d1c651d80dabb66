import { mkdtemp, open as openFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Range } from '../../blobs/blob-store.ts'
import { checkBytesWithPython, checkWithPython, memberOf, readZip } from '../../testing/documents/read-zip.ts'
import { measureZip, writeZip, type ZipEntry } from './zip.ts'

type Held = ZipEntry & { content: Buffer }

const modified = new Date('2026-02-03T04:05:06Z')
const file = (name: string, text: string | Buffer): Held => {
  const content = Buffer.from(text)
  return { name, content, size: content.length, crc32: crc32(content), modified }
}

function sourceOf(held: readonly Held[]) {
  return {
    async *entries() {
      yield* held
    },
    open: ({ content }: Held, { start }: Range) => memberOf(content, start),
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const collected: Buffer[] = []
  for await (const chunk of chunks) collected.push(Buffer.from(chunk))
  return collected
}

async function zipOf(held: readonly Held[], range?: Range): Promise<Buffer> {
  const source = sourceOf(held)
  const whole = { start: 0, end: (await measureZip(source.entries)) - 1 }
  return Buffer.concat(await collect(writeZip(source, range ?? whole)))
}

describe('a zip', () => {
  const held = [
    file('1 Finance/', ''),
    file('1 Finance/1.0.1 Übersicht 契約.txt', 'the plan'),
    file('empty.txt', ''),
    file('📁.bin', Buffer.alloc(100_000, 7)),
  ]

  test('H1: has its contents, under names in any script', async () => {
    const zip = await zipOf(held)
    expect(readZip(zip)).toEqual(Object.fromEntries(held.map(({ name, content }) => [name, content.toString()])))
    expect((await checkBytesWithPython(zip)) ?? { broken: null }).toMatchObject({ broken: null })
  })

  test('H1: can be empty', async () => {
    expect(readZip(await zipOf([]))).toEqual({})
  })

  test('has the measured length, and is the same every time', async () => {
    const zip = await zipOf(held)
    expect(zip).toHaveLength(await measureZip(sourceOf(held).entries))
    expect((await zipOf(held)).equals(zip)).toBe(true)
  })

  test('read in ranges is the same as read whole', async () => {
    const zip = await zipOf(held)
    await fc.assert(
      fc.asyncProperty(fc.nat(zip.length - 1), fc.nat(zip.length - 1), async (one, other) => {
        const range = { start: Math.min(one, other), end: Math.max(one, other) }
        expect((await zipOf(held, range)).equals(zip.subarray(range.start, range.end + 1))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('breaks off if a content ends early', async () => {
    const [first, plan] = held as [Held, Held]
    const wrong = { ...plan, size: plan.size + 1 }
    await expect(collect(writeZip(sourceOf([first, wrong]), { start: 0, end: 10_000 }))).rejects.toThrow(/bytes/)
  })

  test('reads contents of any size together, also across the ends of chunks', async () => {
    const sizes = [0, 1, 70_000, 511_000, 524_288, 1_200_000, 3, 100_000]
    const many = Array.from({ length: 120 }, (_, at) => file(`${at}.bin`, Buffer.alloc(sizes[at % 8] ?? 0, at + 1)))
    const zip = await zipOf(many)
    expect((await checkBytesWithPython(zip)) ?? { broken: null }).toMatchObject({ broken: null })
    expect((await zipOf(many, { start: 700_000, end: 5_000_000 })).equals(zip.subarray(700_000, 5_000_001))).toBe(true)
  })
})

test('H1: more than 65,535 entries are written as ZIP64', async () => {
  const held = Array.from({ length: 70_000 }, (_, index) => file(`${index}.txt`, String(index)))
  const zip = await zipOf(held)
  const verdict = await checkBytesWithPython(zip)
  expect(verdict ?? { broken: null, count: 70_000, last: '69999.txt' }).toEqual({
    broken: null,
    count: 70_000,
    last: '69999.txt',
  })
  expect(zip.subarray(-22).readUInt16LE(10)).toBe(0xffff)
})

test('H1: more than 4 GiB are written as ZIP64, in an entry and after it', async () => {
  const size = 1025 * zeros.length
  let crc = 0
  for (let at = 0; at < size; at += zeros.length) crc = crc32(zeros, crc)
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    yield { name: 'large.bin', size, crc32: crc, modified }
    yield { ...file('after.txt', 'zero'), size: 4, crc32: crc32(Buffer.alloc(4)) }
  }
  const open = () => ({ read: async (into: Buffer) => void into.fill(0), close: async () => {} })
  const total = await measureZip(entries)
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-zip-'))
  try {
    const path = join(folder, 'large.zip')
    await writeSparse(path, writeZip({ entries, open }, { start: 0, end: total - 1 }), total)
    const verdict = { broken: null, count: 2, last: 'after.txt' }
    expect((await checkWithPython(path)) ?? verdict).toEqual(verdict)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)

const zeros = Buffer.alloc(4 * 1024 * 1024)

/** Leaves a hole in the file for the zeros of a large content, so that they are not written. */
async function writeSparse(path: string, chunks: AsyncIterable<Buffer>, total: number): Promise<void> {
  const sink = await openFile(path, 'w')
  let at = 0
  for await (const chunk of chunks) {
    if (!chunk.equals(zeros.subarray(0, chunk.length))) await sink.write(chunk, 0, chunk.length, at)
    at += chunk.length
  }
  expect(at).toBe(total)
  await sink.close()
}
