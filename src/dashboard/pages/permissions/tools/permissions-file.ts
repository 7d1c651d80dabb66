import { t } from '@lingui/core/macro'
import { csvFormatRows, dsvFormat } from 'd3-dsv'
import { csvCell, plainCell } from '../../../../contract/csv-cell.ts'
import type { Call, Reply } from '../../../../contract/endpoint.ts'
import { type Flag, FLAGS, type permissions } from '../../../../contract/endpoints/permissions.ts'
import { settingOf } from '../../../../contract/rules.ts'
import { number } from '../../../ui/words/format.ts'
import { folderFinder } from './folder-finder.ts'

type Matrix = Reply<typeof permissions.matrix>
type MatrixRow = Matrix[number]
export type Change = NonNullable<Call<typeof permissions.change>['body']>['changes'][number]

/** The same in every language, so that a file can be imported whatever the language of its export. */
const COLUMNS = ['Folder ID', 'Outline', 'Folder', 'Group ID', 'Group', 'View', 'Download', 'Upload'] as const

/** Formats one line per folder and group, for a spreadsheet and for import. */
export function formatPermissions(matrix: Matrix): string {
  const lines = matrix.flatMap(({ folder_id, outline, path, groups }) =>
    groups.map(({ group_id, group_name, view, download, upload }) =>
      [folder_id, outline, path, group_id, group_name, yesNo(view), yesNo(download), yesNo(upload)].map(csvCell),
    ),
  )
  return csvFormatRows([[...COLUMNS], ...lines])
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

export interface Reading {
  /** The changes to make, folders before those inside them. */
  changes: Change[]
  /** Why lines were not understood: "Line 7: no folder 912". */
  problems: string[]
}

/** Formats one line per folder with a column per group, which holds "view, download" or "none". */
export function formatMatrix(matrix: Matrix): string {
  const groups = matrix[0]?.groups ?? []
  const head = ['Folder ID', 'Outline', 'Folder', ...groups.map((group) => headOf(group, groups))]
  const lines = matrix.map(({ folder_id, outline, path, groups }) =>
    [folder_id, outline, path, ...groups.map(wordsOf)].map(csvCell),
  )
  return csvFormatRows([head.map(csvCell), ...lines])
}

type MatrixGroup = Matrix[number]['groups'][number]

/** The name of a group, with its id where several have that name. */
const headOf = ({ group_id, group_name }: MatrixGroup, all: readonly MatrixGroup[]): string =>
  all.filter((each) => isCalled(each, group_name)).length === 1 ? group_name : `${group_name} #${group_id}`

const wordsOf = (rights: MatrixGroup): string => FLAGS.filter((flag) => rights[flag]).join(', ') || 'none'

const isCalled = ({ group_name }: MatrixGroup, name: string): boolean =>
  group_name.trim().toLowerCase() === name.trim().toLowerCase()

/**
 * Returns what a file asks for beyond the present rights: a line for each folder and group, or a line for each folder with
 * a column for each group. Folders are found by their ids, paths or numbers, groups by ids or, as columns, by names. A line
 * that is left out changes nothing by itself, though its folder follows the folder above.
 */
export function readPermissions(text: string, matrix: Matrix): Reading {
  const [head = [], ...lines] = readRows(text)
  const reader = readerOf(head, lines, matrix)
  if (typeof reader === 'string') return { changes: [], problems: [reader] }
  const said = new Map<string, Said>()
  const problems: string[] = [...reader.problems]
  for (const [at, line] of lines.entries()) {
    if (line.every((cell) => cell.trim() === '')) continue
    for (const read of reader.read(at + 2, line)) {
      const problem = typeof read === 'string' ? read : addLine(said, { line: at + 2, change: read })
      if (problem !== undefined) problems.push(problem)
    }
  }
  const order = new Map(matrix.map(({ folder_id }, at) => [folder_id, at]))
  const changes = [...said.values()].map(({ change }) => change)
  return { changes: needed(changes, matrix, order), problems }
}

interface Reader {
  problems: string[]
  read: (line: number, cells: readonly string[]) => (Change | string)[]
}

/** Returns the folder of a line, or what is wrong with it. */
type FolderOf = (cells: readonly string[]) => MatrixRow | string

/** Returns how to read the lines below a head, or what is wrong with it. */
function readerOf(head: readonly string[], lines: readonly string[][], matrix: Matrix): Reader | string {
  const places = COLUMNS.map((name) => placeOf(name, head))
  const [folderId = -1, outline = -1, path = -1, groupId = -1] = places
  const isNamed = [folderId, outline, path].some((place) => place !== -1)
  const cellAt = (place: number, cells: readonly string[]) => plainCell(cells[place] ?? '').trim()
  const find = folderFinder(matrix, new Set(lines.map((cells) => cellAt(outline, cells))))
  const folderOf: FolderOf = (cells) =>
    find({ id: cellAt(folderId, cells), path: cellAt(path, cells), number: cellAt(outline, cells) })
  if (isNamed && groupId === -1) return matrixReader(head, [folderId, outline, path], matrix, folderOf)
  const missing = COLUMNS.filter((name, at) => places[at] === -1 && !(isNamed && NAMING.includes(name)))
  const names = missing.join(', ')
  if (names !== '') return t`The first line does not name ${names}.`
  return {
    problems: [],
    read: (line, cells) => [
      readLine(
        line,
        places.map((place) => plainCell(cells[place] ?? '')),
        folderOf(cells),
      ),
    ],
  }
}

/** Columns that name the folder, of which one suffices, with other heads that are understood. */
const NAMING: readonly string[] = ['Folder ID', 'Outline', 'Folder']
const ALSO: Record<string, readonly string[]> = { Outline: ['number', 'index'], Folder: ['path'] }

function placeOf(name: string, head: readonly string[]): number {
  const heads = head.map((cell) => plainCell(cell).trim().toLowerCase())
  const places = [name.toLowerCase(), ...(ALSO[name] ?? [])].map((each) => heads.indexOf(each))
  return places.find((place) => place !== -1) ?? -1
}

function matrixReader(head: readonly string[], naming: readonly number[], matrix: Matrix, folderOf: FolderOf): Reader {
  const groups = matrix[0]?.groups ?? []
  const columns = head
    .map((cell, place) => ({ place, name: plainCell(cell).trim() }))
    .filter(({ place, name }) => name !== '' && !naming.includes(place))
    .map((column) => ({ ...column, group: groupCalled(column.name, groups) }))
  const problems = columns.filter(({ group }) => !group).map(({ name }) => t`Line 1: no single group is called ${name}`)
  const read = (place: number, cells: readonly string[]) => {
    const line = number(place)
    const folder = folderOf(cells)
    if (typeof folder === 'string') return [atLine(place, folder)]
    return columns.flatMap(({ place, name, group }): (Change | string)[] => {
      const rights = readRights(plainCell(cells[place] ?? ''))
      if (!rights) return [t`Line ${line}: the rights of ${name} are “view”, “download”, “upload” or “none”`]
      return group ? [{ folder_id: folder.folder_id, group_id: group.group_id, rights }] : []
    })
  }
  return { problems, read }
}

function groupCalled(name: string, groups: readonly MatrixGroup[]): MatrixGroup | undefined {
  const found = groups.filter((group) => isCalled(group, name))
  if (found.length === 1) return found[0]
  const [, called, id] = /^(.*)#(\d{1,10})$/.exec(name) ?? []
  return groups.find((group) => group.group_id === Number(id) && isCalled(group, called ?? ''))
}

const RIGHT_WORDS: Record<string, Flag> = {
  view: 'view',
  v: 'view',
  download: 'download',
  d: 'download',
  upload: 'upload',
  u: 'upload',
}
const NONE_WORDS = ['', 'none', 'no', '-', '–']

/** Reads "view, download"; download and upload bring view. */
function readRights(cell: string): { view: boolean; download: boolean; upload: boolean } | undefined {
  const text = cell.trim().toLowerCase()
  const words = NONE_WORDS.includes(text) ? [] : text.split(/[\s,;+/]+/)
  const flags = words.map((word) => (Object.hasOwn(RIGHT_WORDS, word) ? RIGHT_WORDS[word] : undefined))
  if (flags.includes(undefined)) return undefined
  return { view: flags.length > 0, download: flags.includes('download'), upload: flags.includes('upload') }
}

/** Spreadsheets separate cells by a character that their locale does not need elsewhere. */
const SEPARATORS = [',', ';', '\t']

function readRows(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '')
  const firstLine = /^.*/.exec(plain)?.[0] ?? ''
  const separator = SEPARATORS.toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)[0] ?? ','
  return dsvFormat(separator).parseRows(plain)
}

interface Said {
  line: number
  change: Change
}

/** If two lines are about the same folder and group, the first one counts. */
function addLine(said: Map<string, Said>, line: Said): string | undefined {
  const key = `${line.change.folder_id} ${line.change.group_id}`
  const before = said.get(key)
  if (!before) said.set(key, line)
  if (!before || FLAGS.every((flag) => before.change.rights?.[flag] === line.change.rights?.[flag])) return undefined
  const [first, second] = [number(before.line), number(line.line)]
  return t`Line ${second}: says otherwise than line ${first}`
}

/**
 * Keeps the changes that differ from the present rights, and all changes inside the folders of such changes: a change
 * covers everything below it, so the lines for the folders below must be applied again. In the order of the matrix, the
 * content of a folder follows it directly.
 */
function needed(changes: Change[], matrix: Matrix, order: Map<number, number>): Change[] {
  const placeOf = ({ folder_id }: Change) => order.get(folder_id) ?? 0
  const tops = new Map<number, string>()
  return changes
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .filter((change) => {
      const row = matrix[placeOf(change)]
      const outline = row?.outline ?? ''
      const top = tops.get(change.group_id)
      if (top !== undefined && (top === '' || outline.startsWith(`${top}.`))) return true
      if (isAsBefore(change, row)) return false
      tops.set(change.group_id, outline)
      return true
    })
}

function isAsBefore({ group_id, rights }: Change, row: Matrix[number] | undefined): boolean {
  const before = row?.groups.find((group) => group.group_id === group_id)
  return before !== undefined && FLAGS.every((flag) => before[flag] === rights?.[flag])
}

/** Returns the change, or why the line was not understood. */
function readLine(place: number, cells: string[], row: MatrixRow | string): Change | string {
  const line = number(place)
  const [, , , groupId = '', , ...flags] = cells
  if (typeof row === 'string') return atLine(place, row)
  const group = row.groups.find(({ group_id }) => group_id === Number(groupId))
  if (!group) return t`Line ${line}: no group ${groupId} that takes folder permissions`
  const [view, download, upload] = flags.map(readYesNo)
  if (view === undefined || download === undefined || upload === undefined)
    return t`Line ${line}: rights are “yes” or “no”`
  if (!settingOf({ view, download, upload })) return t`Line ${line}: download and upload need view`
  return { folder_id: row.folder_id, group_id: group.group_id, rights: { view, download, upload } }
}

function atLine(place: number, problem: string): string {
  const line = number(place)
  return t`Line ${line}: ${problem}`
}

function readYesNo(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase()
  if (['yes', 'y', 'true', '1', 'x', 'wahr', 'ja'].includes(word)) return true
  return ['no', 'n', 'false', '0', '', 'falsch', 'nein'].includes(word) ? false : undefined
}
