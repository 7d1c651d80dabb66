import { t } from '@lingui/core/macro'
import { csvFormatRows, csvParseRows } from 'd3-dsv'
import type { Call, Reply } from '../../../contract/endpoint.ts'
import { FLAGS, type permissions } from '../../../contract/permissions.ts'
import { csvCell, plainCell } from '../../ui/csv.ts'
import { number } from '../../ui/format.ts'

type Matrix = Reply<typeof permissions.matrix>
export type Change = NonNullable<Call<typeof permissions.change>['body']>['changes'][number]

/** The same in every language: a file is taken back in whatever language it was made. */
const COLUMNS = ['Folder ID', 'Outline', 'Folder', 'Group ID', 'Group', 'View', 'Download', 'Upload'] as const

/** One line for each folder and group, to be read in a spreadsheet and taken back in again. */
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
  /** What has to be set, folders before those inside them. */
  changes: Change[]
  /** Why lines were not understood: "Line 7: no folder 912". */
  problems: string[]
}

/**
 * What a file asks for beyond what is there already. Folders and groups count by their ids; names are for people. A line
 * that is left out changes nothing by itself, though it follows the folder above.
 */
export function readPermissions(text: string, matrix: Matrix): Reading {
  const [head = [], ...lines] = csvParseRows(text.replace(/^\ufeff/, ''))
  const places = COLUMNS.map((name) => head.findIndex((cell) => cell.trim().toLowerCase() === name.toLowerCase()))
  const missing = COLUMNS.filter((name, at) => places[at] === -1 && name !== 'Outline')
  const names = missing.join(', ')
  if (names !== '') return { changes: [], problems: [t`The first line does not name ${names}.`] }

  const order = new Map(matrix.map(({ folder_id }, at) => [folder_id, at]))
  const reading: Reading = { changes: [], problems: [] }
  for (const [at, line] of lines.entries()) {
    if (line.every((cell) => cell.trim() === '')) continue
    const cells = places.map((place) => plainCell(line[place] ?? ''))
    const read = readLine(at + 2, cells, matrix, order)
    if (typeof read === 'string') reading.problems.push(read)
    else reading.changes.push(read)
  }
  reading.changes = needed(reading.changes, matrix, order)
  return reading
}

/** What differs, and what lies inside of what differs: a change covers everything below, which has the last word. */
function needed(changes: Change[], matrix: Matrix, order: Map<number, number>): Change[] {
  const placeOf = ({ folder_id }: Change) => order.get(folder_id) ?? 0
  const pathOf = (change: Change) => matrix[placeOf(change)]?.path ?? ''
  const changed = new Map<number, string[]>()
  return changes
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .filter((change) => {
      const path = pathOf(change)
      const above = changed.get(change.group_id) ?? []
      const isInside = above.some((each) => each === '/' || path.startsWith(`${each}/`))
      if (!isInside && isAsBefore(change, matrix[placeOf(change)])) return false
      if (!isInside) changed.set(change.group_id, [...above, path])
      return true
    })
}

function isAsBefore({ group_id, rights }: Change, row: Matrix[number] | undefined): boolean {
  const before = row?.groups.find((group) => group.group_id === group_id)
  return before !== undefined && FLAGS.every((flag) => before[flag] === rights?.[flag])
}

/** Or why it was not understood. */
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
  if (!view && (download || upload)) return t`Line ${line}: download and upload need view`
  return { folder_id: row.folder_id, group_id: group.group_id, rights: { view, download, upload } }
}

function readYesNo(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase()
  if (['yes', 'y', 'true', '1', 'x', 'wahr', 'ja'].includes(word)) return true
  return ['no', 'n', 'false', '0', '', 'falsch', 'nein'].includes(word) ? false : undefined
}
