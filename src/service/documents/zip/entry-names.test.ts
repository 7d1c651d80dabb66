import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { extractWithPython, memberOf, readZip } from '../../testing/documents/read-zip.ts'
import { stampedName } from '../watermark/carry/stamp-source.ts'
import { createEntryNamer, safeName } from './entry-names.ts'
import { measureZip, writeZip } from './zip.ts'

describe('E1: a safe name', () => {
  test.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..', '_'],
    ['a\\b:c*?"<>|', 'a_b_c______'],
    ['C:\\x', 'C__x'],
    ['plan. . ', 'plan'],
    ['', '_'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['COM1.pdf', '_COM1.pdf'],
    ['console.txt', 'console.txt'],
    ['a\u202etxt.exe', 'atxt.exe'],
    ['a\0\n\u001bb', 'a___b'],
    ['e\u0301.txt', '\u00e9.txt'],
  ])('for %j is %j', (name, safe) => expect(safeName(name)).toBe(safe))

  test('K2: is made in linear time from many dots', () => {
    const begun = process.cpuUsage()
    expect(safeName(`${'. '.repeat(50_000)}x`)).toMatch(/^\./)
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(3000)
  })

  test('has no dot or space at its end after it was shortened', () => {
    expect(safeName(`Minutes of May. ${'and more '.repeat(9)}`, 16)).toBe('Minutes of May')
  })

  test('is short enough for every file system and keeps its extension', () => {
    const safe = safeName(`${'契'.repeat(250)}.pdf`)
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240)
    expect(safe).toMatch(/^契+\.pdf$/)
  })
})

describe('entries', () => {
  const loose = (name: string) => ({ file_id: 1, directories: [], name })

  test('K25: of thousands of files with one name get their numbers in linear time', () => {
    const nameOf = createEntryNamer('MANIFEST.csv')
    const names = Array.from({ length: 100_000 }, () => nameOf(loose('a.txt')))
    expect(new Set(names).size).toBe(names.length)
    expect(names.at(-1)).toBe('a (100000).txt')
  })

  test('H1: with the same name in any case get distinct names at the top level', () => {
    const nameOf = createEntryNamer('MANIFEST.csv')
    expect(['a.txt', 'A.TXT', 'a.txt', 'manifest.csv', 'a:txt', 'a?txt'].map((name) => nameOf(loose(name)))).toEqual([
      'a.txt',
      'A (2).TXT',
      'a (3).txt',
      'manifest (2).csv',
      'a_txt',
      'a_txt (2)',
    ])
  })

  test('H5: stay within their folder', () => {
    const nameOf = createEntryNamer('MANIFEST.csv')
    nameOf(loose('1 Fin'))
    const folder = { file_id: null, directories: [], name: '1 Fin' }
    const below = { file_id: null, directories: ['1 Fin'], name: '1.1 ..' }
    const file = { file_id: 2, directories: ['1 Fin', '1.1 ..'], name: '1.1.0.1 ../x.txt' }
    expect([folder, below, file].map(nameOf)).toEqual([
      '1 Fin (2)/',
      '1 Fin (2)/1.1/',
      '1 Fin (2)/1.1/1.1.0.1 .._x.txt',
    ])
  })
})

describe('K47: the marked copies of a download', () => {
  const shapes = `README|Vertrag Nr. 17|Vertrag Nr. 18|Nr. 17|Nr. 18|v4.0.7|plan.docx|PLAN.DOCX|plan.odt|plan|Plan.pdf
    |report.final|report.draft|.docx|.docx.|a.b.c|con.doc|契約.xlsx|x. y|`.split(/\s*\|/)
  const anyText = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 250 }))
  const titles = [...shapes, ...fc.sample(anyText, { numRuns: 480, seed: 17 })]
  const inTree = titles.map((title, at) => ({
    file_id: at,
    directories: ['4 Releases', `4.0 ${'Long '.repeat(at % 40)}`],
    name: stampedName(`4.0.0.${at + 1} ${title}`, 'application/pdf'),
  }))
  const loose = titles.map((title, at) => ({
    file_id: titles.length + at,
    directories: [],
    name: stampedName(title, 'application/pdf'),
  }))
  const members = [
    ...loose,
    ...inTree.toSorted((a, b) => (a.directories[1] ?? '').localeCompare(b.directories[1] ?? '')),
  ]
  const nameOf = createEntryNamer('MANIFEST.csv')
  const entries = members.map((member) => {
    const content = Buffer.from(String(member.file_id))
    return { name: nameOf(member), content, size: content.length, crc32: crc32(content), modified: new Date(0) }
  })
  const expected = Object.fromEntries(entries.map(({ name, content }) => [name, content.toString()]))

  test('have 1,000 names, one for each title of any shape', () => {
    expect(entries).toHaveLength(1000)
    expect(new Set(entries.map(({ name }) => name.toLowerCase())).size).toBe(entries.length)
  })

  test('are all there after three independent programs have read the zip', async () => {
    const source = {
      async *entries() {
        yield* entries
      },
      open: ({ content }: (typeof entries)[number]) => memberOf(content),
    }
    const chunks: Buffer[] = []
    const range = { start: 0, end: (await measureZip(source.entries)) - 1 }
    for await (const chunk of writeZip(source, range)) chunks.push(Buffer.from(chunk))
    const zip = Buffer.concat(chunks)
    expect(readZip(zip)).toEqual(expected)
    expect((await listWithYauzl(zip)).toSorted()).toEqual(Object.keys(expected).toSorted())
    const contents = Object.values(expected)
    expect(((await extractWithPython(zip)) ?? contents).toSorted()).toEqual(contents.toSorted())
  })
})

function listWithYauzl(zip: Buffer): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  fromBuffer(zip, { strictFileNames: true }, (error, file) => {
    if (error) return reject(error)
    const names: string[] = []
    file.on('entry', (entry) => names.push(entry.fileName))
    file.on('end', () => resolve(names))
    file.on('error', reject)
  })
  return promise
}

describe('a stamped copy of', () => {
  test.each([
    ['plan.docx', 'plan.pdf'],
    ['PLAN.DOCX', 'PLAN.pdf'],
    ['plan.PDF', 'plan.PDF'],
    ['Release 4.0.7 README', 'Release 4.0.7 README.pdf'],
    ['Vertrag Nr. 17', 'Vertrag Nr. 17.pdf'],
    ['report.final', 'report.final.pdf'],
    ['', '.pdf'],
  ])('%j is called %j', (title, name) => expect(stampedName(title, 'application/pdf')).toBe(name))
})

describe('a path in a deep tree', () => {
  const directories = Array.from({ length: 8 }, (_, depth) => `${'1.'.repeat(depth)}1 ${'Very long name '.repeat(10)}`)

  test('fits into what Windows extracts where it can', () => {
    const nameOf = createEntryNamer('MANIFEST.csv')
    const path = nameOf({ file_id: 1, directories: directories.slice(0, 3), name: `1.1.1.0.1 ${'x'.repeat(200)}.pdf` })
    expect(path.length).toBeLessThanOrEqual(220)
    expect(path).toMatch(/x\.pdf$/)
  })

  test('keeps the number and the beginning of each name', () => {
    const nameOf = createEntryNamer('MANIFEST.csv')
    const parts = nameOf({ file_id: 1, directories, name: '1.1.0.1 plan.pdf' }).split('/')
    expect(parts).toHaveLength(9)
    expect(parts.at(-1)).toBe('1.1.0.1 plan.pdf')
    expect(parts.slice(0, 8).every((part) => /^[\d.]+ Very/.test(part))).toBe(true)
  })
})
