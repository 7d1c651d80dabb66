import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EngagementReport, ReportedFile } from '../../../store/engagement/engagement-report.ts'
import { openRenderer, type Renderer } from '../../render.ts'
import { PAGE_WIDTH } from '../../render/page-size.ts'
import { PORTRAIT } from '../blocks.ts'

let folder: string
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'set-report-'))
  renderer = openRenderer({ size: 1 })
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true })
})

const HOSTILE = [
  'עסקה של נמל',
  'عقد الإيجار – مستودع',
  '東海海運 業務委託契約書',
  'Rocket 🚀👩🏽‍🚀',
  'x'.repeat(20_000),
  'Zalgo\u0301'.padEnd(3000, '\u0301'),
  '\u202egnp.exe\u0000\u0007\n\u2028End',
  '\ud800) Tj ET (',
  '\u2067\u2067never closed',
]
const named = (at: number) => HOSTILE[at % HOSTILE.length] ?? ''

const at = { first_at: '2026-11-12T08:00:00.000Z', last_at: '2026-11-24T23:50:00.000Z' }
const NOBODY = { people: 0, readers: 0, ms: 0, views: 0, downloads: 0, used: 0, viewable: 0, unread: 0 }
const EMPTY: EngagementReport = {
  totals: { ...NOBODY, days: [], unread_files: [] },
  groups: [],
  all_groups: 0,
  files: [],
  all_files: 0,
  people: [],
}

const listOf = <Row>(count: number, make: (at: number) => Row): Row[] =>
  Array.from({ length: count }, (_, n) => make(n))

function fileAt(n: number): ReportedFile {
  const page_count = n % 3 === 0 ? 2000 : n % 7
  return {
    file_id: n,
    outline: `${n}.123456.123456.123456`,
    title: named(n),
    ms: 9e9 / (n + 1),
    readers: 1_234_567,
    views: 12_345_678,
    downloads: 12_345_678,
    page_count,
    pages: {
      readers: 3,
      page_times: listOf(page_count, (page) => ({ page_number: page + 1, ms: page * 1000 + 1 })),
      stops: page_count > 1 ? [{ page_number: 1, readers: 3 }] : [],
    },
    read_by: HOSTILE.slice(n % 6, (n % 6) + 3).map((name) => ({ name, ms: 60_000 })),
    more_groups: 40,
  }
}

const LARGE: EngagementReport = {
  totals: {
    people: 10_000,
    readers: 9999,
    ms: 123_456_789_000,
    views: 1_234_567_890,
    downloads: 1_234_567_890,
    days: [{ day: '2026-11-10', ms: 123_456_789_000 }],
    used: 9000,
    viewable: 10_000,
    unread: 1000,
    unread_files: listOf(100, (n) => ({ file_id: n, outline: `9.${n + 1}`, title: named(n) })),
  },
  groups: listOf(40, (n) => ({
    group_id: n,
    name: named(n),
    members: 1000,
    active: 1000,
    ms: 9e9,
    former_ms: 9e9,
    days: [],
    viewable: 10_000_000,
    opened: 10_000_000,
    views: 123_456_789,
    downloads: 123_456_789,
    ...at,
  })),
  all_groups: 41,
  files: listOf(25, fileAt),
  all_files: 10_000,
  people: listOf(100, (n) => ({
    user_id: n,
    user_name: named(n),
    group_ids: [1],
    group_names: HOSTILE,
    ms: 9e9,
    views: 123_456_789,
    downloads: 123_456_789,
    ...at,
  })),
}

interface Changes {
  language?: 'en' | 'de'
  title?: string
  period?: { from: string; to: string }
}

async function print(report: EngagementReport, changes: Changes = {}) {
  const [source, target] = [join(folder, 'report'), join(folder, `${randomUUID()}.pdf`)]
  await writeFile(source, `${JSON.stringify(report)}\n`)
  await renderer.setReport({
    source,
    target,
    title: 'Falcon',
    madeBy: 'Alice Kern',
    period: { from: '2026-11-11', to: '2026-11-24' },
    timeZone: 'Europe/Berlin',
    at: '2026-11-25T23:30:00Z',
    language: 'en',
    ...changes,
  })
  const pdf = { path: target, type: 'application/pdf' }
  const boxes = await renderer.boxes(pdf)
  const texts = await renderer.text(pdf, boxes.length)
  return {
    pdf,
    boxes,
    texts: texts.map((text) => text.replaceAll(/[\s\u00a0]+/g, ' ')),
    words: await renderer.words(pdf, { from: 1, count: boxes.length }),
  }
}

test('an empty room has a report too, which says so', async () => {
  const { texts } = await print(EMPTY)
  expect(texts).toHaveLength(1)
  expect(texts[0]).toContain(
    'Engagement report Falcon Period 11 Nov 2026 – 24 Nov 2026 · 14 days, in UTC Times Europe/Berlin',
  )
  expect(texts[0]).toContain('Made by Alice Kern · 26 Nov 2026, 00:30 Shows All groups (0), all documents (0)')
  expect(texts[0]).toContain('No reading time in these days.')
})

test('E3: hostile names, long lists and large numbers stay within the text of the page', async () => {
  for (const title of HOSTILE) {
    const { words, boxes } = await print(LARGE, { title })
    expect(boxes.length).toBeLessThan(20)
    const rights = words.flatMap((page) => page.words.map(([, , x, , width]) => x + width))
    expect(rights.length).toBeGreaterThan(1000)
    expect(Math.max(...rights)).toBeLessThan(((PORTRAIT.width - PORTRAIT.margin + 1) / PORTRAIT.width) * PAGE_WIDTH)
  }
})

test('no digit is left out, and each list says how many more there are', async () => {
  const { texts } = await print(LARGE)
  const all = texts.join(' ')
  for (const figure of ['34293 h 33', '1,234,567,890', '9,999 of 10,000', '10,000,000 of 10,000,000', '123,456,789'])
    expect(all).toContain(figure)
  for (const more of [
    'and 1 more group,',
    'and 8,975 more documents,',
    'and 9,900 more people,',
    'and 900 more documents,',
  ])
    expect(all).toContain(more)
})

test('each page names the room, the time and its number, in the language of the reader', async () => {
  const { texts } = await print(LARGE, { language: 'de' })
  for (const [at, text] of texts.entries())
    expect(text.trim().endsWith(`Falcon 26.11.2026, 00:30 · Seite ${at + 1} von ${texts.length}`)).toBe(true)
  expect(texts.join(' ')).toMatch(
    /Bericht über Lesezeiten.*Lesezeit pro Tag.*Gruppen.*Meistgelesene.*Personen.*Ungelesene/,
  )
})

test('a long period has a bar for each week', async () => {
  const period = { from: '2025-11-25', to: '2026-11-25' }
  expect((await print(LARGE, { period })).texts[0]).toContain('Reading time per week')
})
