import { t } from '@lingui/core/macro'
import { csvFormatRows, dsvFormat } from 'd3-dsv'
import { csvCell, plainCell } from '../../../../contract/csv-cell.ts'
import type { Call, Reply } from '../../../../contract/endpoint.ts'
import { FLAGS, type permissions } from '../../../../contract/endpoints/permissions.ts'
import { settingOf } from '../../../../contract/rules.ts'
import { number } from '../../../ui/words/format.ts'

type Matrix = Reply<typeof permissions.matrix>
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

/**
 * Returns what a file asks for beyond the present rights. Folders and groups are found by their ids; names are for
 * people. A line that is left out changes nothing by itself, though its folder follows the folder above.
 */
export function readPermissions(text: string, matrix: Matrix): Reading {
  const [head = [], ...lines] = readRows(text)
  const places = COLUMNS.map((name) => head.findIndex((cell) => cell.trim().toLowerCase() === name.toLowerCase()))
  const missing = COLUMNS.filter((name, at) => places[at] === -1 && name !== 'Outline')
  const names = missing.join(', ')
  if (names !== '') return { changes: [], problems: [t`The first line does not name ${names}.`] }

  const order = new Map(matrix.map(({ folder_id }, at) => [folder_id, at]))
  const said = new Map<string, Said>()
  const problems: string[] = []
  for (const [at, line] of lines.entries()) {
    if (line.every((cell) => cell.trim() === '')) continue
    const cells = places.map((place) => plainCell(line[place] ?? ''))
    const read = readLine(at + 2, cells, matrix, order)
    const problem = typeof read === 'string' ? read : addLine(said, { line: at + 2, change: read })
    if (problem !== undefined) problems.push(problem)
  }
  const changes = [...said.values()].map(({ change }) => change)
  return { changes: needed(changes, matrix, order), problems }
}

/** Spreadsheets separate cells by a character that their locale does not need elsewhere. */
const SEPARATORS = [',', ';', '\t']

function readRows(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '')
  const firstLine = /^.*/.exec(plain)?.[0] ?? ''
  const separator = SEPARATORS.find((each) => firstLine.split(each).length >= COLUMNS.length - 1) ?? ','
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
function readLine(place: number, cells: string[], matrix: Matrix, order: Map<number, number>): Change | string {
  const line = number(place)
  const [folderId = '', , , groupId = '', , ...flags] = cells
  const row = matrix[order.get(Number(folderId)) ?? -1]
  if (!row || folderId.trim() === '') return t`Line ${line}: no folder ${folderId}`
  const group = row.groups.find(({ group_id }) => group_id === Number(groupId))
  if (!group) return t`Line ${line}: no group ${groupId} that takes folder permissions`
  const [view, download, upload] = flags.map(readYesNo)
  if (view === undefined || download === undefined || upload === undefined)
    return t`Line ${line}: rights are “yes” or “no”`
  if (!settingOf({ view, download, upload })) return t`Line ${line}: download and upload need view`
  return { folder_id: row.folder_id, group_id: group.group_id, rights: { view, download, upload } }
}

function readYesNo(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase()
  if (['yes', 'y', 'true', '1', 'x', 'wahr', 'ja'].includes(word)) return true
  return ['no', 'n', 'false', '0', '', 'falsch', 'nein'].includes(word) ? false : undefined
}
