import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isDemo } from './demo.ts'
import type { DemoFile, DemoFolder } from './demo/files.ts'
import { workday } from './demo/moments.ts'
import {
  ACCOUNTS,
  EMPLOYEES,
  ebitda,
  equity,
  netProfit,
  OFFERED,
  revenue,
  SHAREHOLDERS,
  totalAssets,
  YEARS,
} from './demo/room/figures.ts'
import { TERM_SHEET } from './demo/room/finance.ts'
import { HARBOUR } from './demo/room/harbour.ts'
import { OFFER, SECOND_SPA, WITH_NAMES } from './demo/room/legal.ts'
import { BOARD_PAPERS, SERIES_B } from './demo/room/others.ts'

const TYPES: Record<string, string | undefined> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

const filesOf = (folders: DemoFolder[]): DemoFile[] =>
  folders.flatMap(({ files = [], folders: below = [] }) => [...files, ...filesOf(below)])

const harbour = filesOf(HARBOUR)
const handedIn = [OFFER, TERM_SHEET, SECOND_SPA, WITH_NAMES]
const files = [...harbour, ...filesOf([...BOARD_PAPERS, ...SERIES_B]), ...handedIn]
const named = (pattern: RegExp) => files.filter(({ name }) => pattern.test(name))

describe('the files of the demo', () => {
  test('are about seventy, in ten top-level folders', () => {
    expect(HARBOUR).toHaveLength(10)
    expect(harbour.length).toBeGreaterThanOrEqual(60)
    expect(harbour.length).toBeLessThanOrEqual(80)
  })

  test.each(files)('$name has the type of its extension, and is small', async ({ name, content }) => {
    const bytes = await content()
    expect((await fileTypeFromBuffer(bytes))?.mime).toBe(TYPES[name.split('.').at(-1) ?? ''])
    expect(bytes.length).toBeLessThan(200_000)
  })

  test.each(named(/\.pdf$/))('$name has a correct cross-reference table', async ({ content }) => {
    const text = Buffer.from(await content()).toString('latin1')
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
    expect(text.slice(start, start + 4)).toBe('xref')
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset))
    for (const [index, offset] of offsets.entries())
      expect(text.slice(offset, offset + 12)).toMatch(new RegExp(`^${index + 1} 0 obj`))
  })

  test.each(named(/\.(docx|xlsx|pptx)$/))('$name lists only parts that exist', async ({ content }) => {
    const parts = unzipSync(await content())
    const types = Buffer.from(parts['[Content_Types].xml'] ?? []).toString()
    const listed = [...types.matchAll(/PartName="\/([^"]+)"/g)].map(([, part]) => part)
    expect(Object.keys(parts)).toEqual(expect.arrayContaining(listed))
    for (const part of Object.values(parts)) expect(Buffer.from(part).toString()).toMatch(/^<\?xml/)
  })
})

describe('the figures of the demo', () => {
  test.each(YEARS)('balance in %i', (year) => {
    const { loans, payables, provisions } = ACCOUNTS[year]
    expect(equity(year) + loans + payables + provisions).toBeCloseTo(totalAssets(year), 5)
  })

  test.each([2024, 2025] as const)('add the profit of %i to equity', (year) => {
    expect(equity(year) - equity(year === 2025 ? 2024 : 2023)).toBeCloseTo(netProfit(year), 5)
  })

  test('match those in other documents', () => {
    expect([revenue(2023), revenue(2024), revenue(2025)]).toEqual([52.4, 56.5, 61.3])
    expect(ebitda(2025)).toBe(14.8)
    expect(EMPLOYEES).toBe(299)
    expect(SHAREHOLDERS.reduce((all, { percent }) => all + percent, 0)).toBe(100)
    expect(OFFERED).toBe(84 + 58)
  })
})

test.each([
  ['2026-11-21', 1, '2026-11-20'],
  ['2026-11-23', 1, '2026-11-20'],
  ['2026-11-24', 2, '2026-11-20'],
  ['2026-11-18', 0, '2026-11-18'],
])('counted from %s, %i working days back is %s', (today, days, expected) => {
  expect(workday(new Date(`${today}T12:00:00Z`), days, '09:30').toISOString()).toBe(`${expected}T09:30:00.000Z`)
})

describe('the demo state', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
  })

  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  test('is decided by the first start', async () => {
    expect(await isDemo(dataDir, false)).toBe(false)
    expect(await isDemo(dataDir, true)).toBe(false)
  })

  test('can be switched off and on again where the first start was a demo', async () => {
    expect(await isDemo(dataDir, true)).toBe(true)
    expect(await isDemo(dataDir, false)).toBe(false)
    expect(await isDemo(dataDir, true)).toBe(true)
  })
})
