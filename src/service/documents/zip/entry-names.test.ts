import { describe, expect, test } from 'vitest'
import { createEntryNamer, safeName } from './entry-names.ts'

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
