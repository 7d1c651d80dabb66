import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isDemo } from './demo.ts'
import { BOARD_PAPERS, type DemoFolder, HARBOUR, OFFER } from './demo/room.ts'

const TYPES: Record<string, string | undefined> = {
  pdf: 'application/pdf',
  png: 'image/png',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const filesOf = (folders: DemoFolder[]): (typeof OFFER)[] =>
  folders.flatMap(({ files = [], folders: below = [] }) => [...files, ...filesOf(below)])

const files = [...filesOf(HARBOUR), ...filesOf(BOARD_PAPERS), OFFER]

describe('the files of the demo', () => {
  test('are some twenty-five, in eight folders at the top', () => {
    expect(HARBOUR).toHaveLength(8)
    expect(files.length).toBeGreaterThanOrEqual(25)
  })

  test.each(files)('$name is what its name says', async ({ name, content }) => {
    const found = await fileTypeFromBuffer(content())
    expect(found?.mime).toBe(TYPES[name.split('.').at(-1) ?? ''])
  })

  test.each(files.filter(({ name }) => name.endsWith('.pdf')))('$name points at its objects rightly', ({ content }) => {
    const text = Buffer.from(content()).toString('latin1')
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
    expect(text.slice(start, start + 4)).toBe('xref')
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset))
    for (const [index, offset] of offsets.entries())
      expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj`))
  })

  test.each(files.filter(({ name }) => /\.(docx|xlsx)$/.test(name)))(
    '$name names parts that are there',
    ({ content }) => {
      const parts = unzipSync(content())
      const types = Buffer.from(parts['[Content_Types].xml'] ?? []).toString()
      const named = [...types.matchAll(/PartName="\/([^"]+)"/g)].map(([, part]) => part)
      expect(Object.keys(parts)).toEqual(expect.arrayContaining(named))
      for (const part of Object.values(parts)) expect(Buffer.from(part).toString()).toMatch(/^<\?xml/)
    },
  )
})

describe('whether it is a demo', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
  })

  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  test('is decided by the first start', async () => {
    expect(await isDemo(dataDir, false)).toBe(false)
    expect(await isDemo(dataDir, true)).toBe(false)
  })

  test('can be switched off and on again for one that is', async () => {
    expect(await isDemo(dataDir, true)).toBe(true)
    expect(await isDemo(dataDir, false)).toBe(false)
    expect(await isDemo(dataDir, true)).toBe(true)
  })
})
