import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { readWorkbook } from '../../../ui/words/read-workbook.ts'
import { formatWorkbook } from '../../../ui/words/workbook.ts'
import { formatQuestions } from './export-questions.ts'
import { formatTemplate, readQuestions } from './read-questions.ts'

const group = (group_id: number, name: string) => ({
  group_id,
  name,
  may_ask: true,
  most: 50,
  days: null,
  used: 0,
  has_asked: false,
})
const settings = {
  shown: true,
  groups: [group(7, 'Northgate'), group(8, 'Lenders'), group(9, 'Twins'), group(10, 'Twins')],
  categories: ['Property'],
  admins: [],
  passed: false,
  routes: [],
}

const sheetOf = (rows: string[][]) =>
  formatWorkbook('Questions', [
    {
      name: 'Questions',
      widths: [20],
      head: rows[0] ?? [],
      count: rows.length - 1,
      row: (at) => ({ cells: rows[at + 1] ?? [] }),
    },
  ])

const read = async (rows: string[][]) => readQuestions((await readWorkbook(await sheetOf(rows))) ?? [], settings)

const HEAD = ['Subject', 'Group', 'Priority', 'Question', 'Category', 'Draft answer']

test('a line of a workbook is a question, with columns in any order and texts as they were', async () => {
  const text = 'Is <this> "=1+1" & _x0041_?\nYes'
  const { valid, problems } = await read([
    HEAD,
    ['Who pays?', ' northgate', 'HIGH', text, 'property', 'The seller.'],
    [],
    ['Why?', 'Lenders'],
  ])
  expect(problems).toEqual([])
  expect(valid).toEqual([
    { group_id: 7, subject: 'Who pays?', text, priority: 'high', category: 'Property', draft: 'The seller.' },
    { group_id: 8, subject: 'Why?', text: '', priority: 'normal', draft: '' },
  ])
})

test('each line that is not valid is named by its number, and the others are still read', async () => {
  const { valid, problems } = await read([
    HEAD,
    ['Good', 'Northgate'],
    ['', 'Northgate'],
    ['Of nobody', ''],
    ['Of strangers', 'Strangers'],
    ['Of twins', 'Twins'],
    ['Ranked', 'Lenders', 'urgent'],
    ['Sorted', 'Lenders', '', '', 'Weather'],
    ['x'.repeat(300), 'Lenders'],
  ])
  expect(valid.map(({ subject }) => subject)).toEqual(['Good'])
  expect(problems).toEqual([
    'Line 3: The subject is missing.',
    'Line 4: The group is missing.',
    'Line 5: There is no group “Strangers”.',
    'Line 6: Several groups are named “Twins”.',
    'Line 7: There is no priority “urgent”.',
    'Line 8: There is no category “Weather”.',
    'Line 9: “Subject” is too long or has characters that are not allowed.',
  ])
  expect((await read([['Anything'], ['x']])).problems).toEqual([
    'The first line has no column “Group”.',
    'The first line has no column “Subject”.',
  ])
})

test('a line with characters that the service would refuse is named by its number too', () => {
  const body = (texts: { subject?: string; text?: string; draft?: string }) => {
    const { subject = 'Why?', text = '', draft = '' } = texts
    const { valid, problems } = readQuestions(
      [HEAD, [subject, 'Lenders', '', text, '', draft]].map((cells, at) => ({ row: at + 1, cells })),
      settings,
    )
    return {
      problems,
      isTaken: valid.length > 0 && z.safeParse(api.questions.import.body, { questions: valid }).success,
    }
  }
  for (const sign of ['\u200b', '\u200e', '\u202e', '\u000b', '\u0000', '\ud800', 'a' + '\u0301'.repeat(31)]) {
    const draft = `From Word${sign}.`
    expect(body({ draft })).toEqual({
      problems: ['Line 2: “Draft answer” is too long or has characters that are not allowed.'],
      isTaken: false,
    })
  }
  const text = `${'e\u0301'.repeat(10_000)}`
  expect(body({ text })).toEqual({ problems: [], isTaken: true })
  expect(body({ subject: 'Who\u2028pays\u000bfor it?', text: 'One\n\tTwo' })).toEqual({ problems: [], isTaken: true })
})

test('the empty workbook has the columns that an import reads, and other files are refused', async () => {
  const rows = await readWorkbook(await formatTemplate(settings))
  expect(readQuestions(rows ?? [], settings)).toEqual({ valid: [], problems: [] })
  for (const other of [new Blob(['group;subject']), new Blob([])]) expect(await readWorkbook(other)).toBeUndefined()
})

test('a workbook of another program is read: shared texts, prefixes, numbers, values of formulas and gaps', async () => {
  const parts = {
    'xl/workbook.xml': '<x:workbook><!-- > --><x:sheets><x:sheet name="a>b" r:id="rId3"/></x:sheets></x:workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id='rId1' Target='other.xml'/><Relationship Id='rId3' Target='/xl/worksheets/mine.xml'/></Relationships>`,
    'xl/sharedStrings.xml':
      '<sst><si><r><t>Who </t></r><r><t xml:space="preserve">pays &amp; why&#x3F;</t></r><rPh><t>reading</t></rPh></si><si><t/></si></sst>',
    'xl/worksheets/mine.xml':
      '<x:worksheet><x:sheetData><x:row r="2"><x:c r="A2" t="s"><x:v>0</x:v></x:c><x:c r="C2"><x:f>1+1</x:f><x:v>2</x:v></x:c><x:c r="D2" s="1"/></x:row><x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[<b>]]></x:t></x:is></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>',
  }
  const bytes = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))
  expect(await readWorkbook(new Blob([new Uint8Array(zipSync(bytes))]))).toEqual([
    { row: 2, cells: ['Who pays & why?', '', '2', ''] },
    { row: 3, cells: ['<b>', ''] },
  ])
})

test('K2: a workbook full of unclosed tags, comments and words is read or refused in the time of its size', async () => {
  const parts = {
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/></Relationships>',
    ),
  }
  for (const piece of [
    '<a ',
    '<!--',
    '<![CDATA[',
    '<?',
    '<row r="',
    `<row ${'a'.repeat(200_000)}>`,
    '&#x',
    `<${'a'.repeat(1_000_000)}`,
  ]) {
    const sheet = strToU8(piece.repeat(Math.ceil(1_000_000 / piece.length)))
    const rows = await readWorkbook(new Blob([new Uint8Array(zipSync({ ...parts, 'xl/worksheets/a.xml': sheet }))]))
    expect(rows?.every(({ cells }) => cells.length === 0) ?? true).toBe(true)
  }
})

test('K95: no text of a question becomes a formula of an export, and work on it is for admins only', async () => {
  const line: Reply<typeof api.questions.listTexts>['questions'][number] = {
    id: '00000000-0000-4000-8000-000000000000',
    number: 3,
    own: true,
    status: 'open',
    subject: '=HYPERLINK("https://evil.example")',
    category: null,
    place: null,
    faq: false,
    group: { id: 7, name: '@Northgate' },
    priority: 'normal',
    asked_at: '2026-11-25T10:00:00.000Z',
    answered_at: null,
    assignee: { id: 1, name: 'Alice Admin' },
    due_on: '2026-11-30',
    experts: [{ id: 2, name: 'Eva Expert' }],
    text: '+1',
    asked_by: null,
    answer: '',
  }
  const bytes = async (admin: boolean) =>
    unzipSync(new Uint8Array(await (await formatQuestions('Questions', [line], admin)).arrayBuffer()))
  const sheet = async (admin: boolean) =>
    strFromU8((await bytes(admin))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const own = await sheet(false)
  expect(own).not.toMatch(/<f[ >]/)
  expect(own).toMatch(/t="inlineStr"><is><t[^>]*>=HYPERLINK/)
  expect(own).not.toMatch(/Alice Admin|Eva Expert/)
  expect(await sheet(true)).toMatch(/Alice Admin.*Eva Expert/)
})
