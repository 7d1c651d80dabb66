import { describe, expect, it } from 'vitest'
import { formatMatrix, formatPermissions, readPermissions } from './permissions-file.ts'

const rights = (text: string) => ({
  view: text.includes('v'),
  download: text.includes('d'),
  upload: text.includes('u'),
})
const row = (folder_id: number, path: string, outline: string, bidders: string, lenders = '') => ({
  folder_id,
  path,
  outline,
  groups: [
    { group_id: 7, group_name: 'Bidders', ...rights(bidders) },
    { group_id: 8, group_name: '=Lenders', ...rights(lenders) },
  ],
})
const matrix = [
  row(0, '/', '', ''),
  row(1, '/Finance', '1', 'vd'),
  row(2, '/Finance/Tax, 2025', '1.1', ''),
  row(3, '/Legal', '2', 'v'),
]
const exported = () => formatPermissions(matrix)
/** The export with the rights of one line changed. */
const edited = (folder: number, group: number, cells: string) =>
  exported()
    .split('\n')
    .map((line) => {
      const isIt = line.startsWith(`${folder},`) && line.includes(`,${group},`)
      return isIt ? line.replace(/(yes|no),(yes|no),(yes|no)$/, cells) : line
    })
    .join('\n')

describe('a file of permissions', () => {
  it('I5: has a line for each folder and group, and no cell that runs as a formula', () => {
    expect(exported().split('\n').slice(0, 4)).toEqual([
      'Folder ID,Outline,Folder,Group ID,Group,View,Download,Upload',
      '0,,/,7,Bidders,no,no,no',
      "0,,/,8,'=Lenders,no,no,no",
      '1,1,/Finance,7,Bidders,yes,yes,no',
    ])
  })

  it('changes nothing when it is imported unchanged, even if a spreadsheet has saved it again', () => {
    expect(readPermissions(exported(), matrix)).toEqual({ changes: [], problems: [] })
    const resaved = `\ufeff${exported().replaceAll('yes', 'TRUE').replaceAll('no,', 'FALSE,').replaceAll('\n', '\r\n')}\r\n\r\n`
    expect(readPermissions(resaved, matrix).changes).toEqual([])
  })

  it.each([';', '\t'])('may have its cells separated by "%s"', (separator) => {
    const text = edited(3, 7, 'yes,yes,no').replaceAll('/Finance/Tax, 2025', 'Tax').replaceAll('"', '')
    const { changes, problems } = readPermissions(text.replaceAll(',', separator), matrix)
    expect(problems).toEqual([])
    expect(changes).toEqual([{ folder_id: 3, group_id: 7, rights: rights('vd') }])
  })

  it('may repeat a line, but not with other rights', () => {
    const again = (cells: string) => `${edited(3, 7, 'yes,yes,no')}\n3,2,/Legal,7,Bidders,${cells}`
    expect(readPermissions(again('yes,yes,no'), matrix).problems).toEqual([])
    const { changes, problems } = readPermissions(again('no,no,no'), matrix)
    expect(changes).toEqual([{ folder_id: 3, group_id: 7, rights: rights('vd') }])
    expect(problems).toEqual(['Line 10: says otherwise than line 8'])
  })

  it('asks for rights that differ, and sets the folders inside after them', () => {
    const { changes, problems } = readPermissions(edited(1, 7, 'yes,yes,yes'), matrix)
    expect(problems).toEqual([])
    expect(changes).toEqual([
      { folder_id: 1, group_id: 7, rights: rights('vdu') },
      { folder_id: 2, group_id: 7, rights: rights('') },
    ])
  })

  it.each([
    ['a right without view', edited(3, 7, 'no,yes,no'), 'Line 8: download and upload need view'],
    ['a word that is neither', edited(3, 7, 'perhaps,no,no'), 'Line 8: rights are “yes” or “no”'],
    ['a folder that is not there', exported().replace('3,2,', '33,2,'), 'Line 8: no folder 33'],
    ['a group that is not there', exported().replace('/Legal,7,', '/Legal,77,'), 'Line 8: no group 77'],
    ['another kind of file', 'a,b\n1,2', 'The first line does not name Folder ID'],
  ])('leaves out %s and says why', (_, text, problem) => {
    const { changes, problems } = readPermissions(text, matrix)
    expect(changes).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })
})

describe('a matrix of folders by groups', () => {
  const head = 'Folder ID,Outline,Folder,Bidders,=Lenders'

  it('I5: is written without formulas, and changes nothing when it is imported unchanged', () => {
    const text = formatMatrix(matrix)
    expect(text.split('\n').slice(0, 3)).toEqual([
      "Folder ID,Outline,Folder,Bidders,'=Lenders",
      '0,,/,none,none',
      '1,1,/Finance,"view, download",none',
    ])
    expect(readPermissions(text, matrix)).toEqual({ changes: [], problems: [] })
  })

  it('sets what its cells say; an empty cell is no right, and download brings view', () => {
    const text = `${head}\n1,1,/Finance,V D U,\n3,2,/Legal,,download\n`
    const { changes, problems } = readPermissions(text, matrix)
    expect(problems).toEqual([])
    expect(changes).toEqual([
      { folder_id: 1, group_id: 7, rights: rights('vdu') },
      { folder_id: 3, group_id: 7, rights: rights('') },
      { folder_id: 3, group_id: 8, rights: rights('vd') },
    ])
  })

  it.each([
    ['paths', 'Folder,Bidders\n/Finance,view\n/Legal,"view, download"'],
    ['paths as people type them', 'Path,Bidders\nfinance /,view\nLEGAL,"view, download"'],
    ['numbers', 'Number,Bidders\n1,view\n2,"view, download"'],
    ['both', 'Outline,Folder,Bidders\n1,/Finance,view\n2,/Legal,"view, download"'],
  ])('may name folders by %s', (_, text) => {
    expect(readPermissions(text, matrix)).toEqual({
      changes: [
        { folder_id: 1, group_id: 7, rights: rights('v') },
        { folder_id: 3, group_id: 7, rights: rights('vd') },
      ],
      problems: [],
    })
  })

  it('may name All Folders by its path, and folders so in a line for each group', () => {
    expect(readPermissions('Folder,Bidders\n/,view', matrix).changes[0]).toMatchObject({ folder_id: 0 })
    const long = 'Folder,Group ID,Group,View,Download,Upload\n/Legal,7,Bidders,yes,yes,no'
    expect(readPermissions(long, matrix).changes).toEqual([{ folder_id: 3, group_id: 7, rights: rights('vd') }])
  })

  const twins = [...matrix, row(4, '/Legal', '3', ''), row(5, '/legal', '10', '')]
  it.each([
    ['Folder,Bidders\n/Lega,view', 'Line 2: no folder /Lega'],
    ['Folder,Bidders\n/Legal,view', 'Line 2: several folders are called /Legal'],
    ['Folder,Bidders\n/LEGAL,view', 'Line 2: several folders are called /LEGAL'],
    ['Outline,Bidders\n7,view', 'Line 2: no folder 7'],
    ['Outline,Folder,Bidders\n2,/Finance,view', 'Line 2: /Finance is not folder 2'],
    ['Outline,Bidders\n1,view', 'Line 2: 1 may stand for 10. Name the folder by its path'],
    ['Outline,Bidders\n,view', 'Line 2: names no folder'],
  ])('does not guess which folder %j means', (text, problem) => {
    expect(readPermissions(text, twins)).toEqual({ changes: [], problems: [problem] })
  })

  it('takes a path that is exactly that of one folder, and numbers where the longer one stands there too', () => {
    expect(readPermissions('Folder,Bidders\n/legal,view', twins).changes).toMatchObject([{ folder_id: 5 }])
    expect(readPermissions('Outline,Bidders\n1,view\n10,none', twins).problems).toEqual([])
  })

  it('names groups with the same name by their ids', () => {
    const twins = matrix.map(({ groups, ...place }) => ({
      ...place,
      groups: groups.map((group) => ({ ...group, group_name: 'Bidders' })),
    }))
    expect(formatMatrix(twins)).toContain('Bidders #7,Bidders #8')
    expect(readPermissions(formatMatrix(twins), twins)).toEqual({ changes: [], problems: [] })
    expect(readPermissions('Folder ID,Bidders\n3,view', twins).problems).toEqual([
      'Line 1: no single group is called Bidders',
    ])
  })

  it.each([
    ['Folder ID,Buyers\n3,view', 'Line 1: no single group is called Buyers'],
    ['Folder ID,Bidders\n33,view', 'Line 2: no folder 33'],
    ['Folder ID,Bidders\n3,edit', 'Line 2: the rights of Bidders are “view”, “download”, “upload” or “none”'],
    ['Folder ID,Bidders\n3,constructor', 'Line 2: the rights of Bidders are “view”, “download”, “upload” or “none”'],
    ['Folder ID,Bidders\n3,view\n3,none', 'Line 3: says otherwise than line 2'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(readPermissions(text, matrix).problems).toEqual([problem])
  })
})
