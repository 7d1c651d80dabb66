import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Range } from '../../blobs/blob-store.ts'
import { checkBytesWithPython, checkWithPython, readZip } from '../../testing/documents/read-zip.ts'
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
    async *read({ content }: Held, { start, end }: Range) {
      yield content.subarray(start, end + 1)
    },
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const collected: Buffer[] = []
  for await (const chunk of chunks) collected.push(chunk)
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

  test.each([-1, 1])('breaks off if the size of a content is off by %i byte', async (difference) => {
    const [first, plan] = held as [Held, Held]
    const wrong = { ...plan, size: plan.size - difference }
    const read = writeZip(
      { ...sourceOf([first, wrong]), read: (entry) => sourceOf([]).read(entry, { start: 0, end: 1e9 }) },
      { start: 0, end: 10_000 },
    )
    await expect(collect(read)).rejects.toThrow(/bytes/)
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
  const zeros = Buffer.alloc(4 * 1024 * 1024)
  const size = 1025 * zeros.length
  let crc = 0
  for (let at = 0; at < size; at += zeros.length) crc = crc32(zeros, crc)
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    yield { name: 'large.bin', size, crc32: crc, modified }
    yield { ...file('after.txt', 'zero'), size: 4, crc32: crc32(Buffer.alloc(4)) }
  }
  const read = async function* (_: ZipEntry, { start, end }: Range) {
    for (let at = start; at <= end; at += zeros.length) yield zeros.subarray(0, Math.min(zeros.length, end + 1 - at))
  }
  const total = await measureZip(entries)
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-zip-'))
  try {
    const path = join(folder, 'large.zip')
    await writeSparse(path, writeZip({ entries, read }, { start: 0, end: total - 1 }), total)
    const verdict = { broken: null, count: 2, last: 'after.txt' }
    expect((await checkWithPython(path)) ?? verdict).toEqual(verdict)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)

/** Leaves a hole in the file for the zeros of a large content, so that they are not written. */
async function writeSparse(path: string, chunks: AsyncIterable<Buffer>, total: number): Promise<void> {
  const sink = await open(path, 'w')
  let at = 0
  for await (const chunk of chunks) {
    if (chunk.length < 4 * 1024 * 1024) await sink.write(chunk, 0, chunk.length, at)
    at += chunk.length
  }
  expect(at).toBe(total)
  await sink.close()
}
