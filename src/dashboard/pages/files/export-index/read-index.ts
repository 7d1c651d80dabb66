import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { paths } from '../../../paths.ts'

type IndexRow = Reply<typeof api.workspaces.listIndex>[number]

export interface IndexLine extends IndexRow {
  /** The address that opens it. */
  link: string
}

const COLUMNS = [
  msg({ message: 'Number', context: 'in the index' }),
  msg`Name`,
  msg`Folder`,
  msg`Type`,
  msg`Size (bytes)`,
  msg`Pages`,
  msg`Changed (UTC)`,
  msg`Link`,
]

export const columnNames = () => COLUMNS.map((label) => i18n._(label))

/** The cells of a line, in the order of the columns. */
export const cellsOf = ({ kind, outline, name, path, file_size, pages, updated_at, link }: IndexLine) => [
  outline,
  name,
  path,
  kind === 'folder' ? i18n._(msg`Folder`) : i18n._(msg`File`),
  file_size === null ? '' : Number(file_size),
  pages === null || pages === 0 ? '' : pages,
  updated_at ?? '',
  link,
]

/** Reads everything that the user can see in a workspace, in the order of the numbers. */
export async function readIndex(workspaceId: number, signal: AbortSignal): Promise<IndexLine[]> {
  const rows = await call(api.workspaces.listIndex, { params: { id: workspaceId } }, signal)
  signal.throwIfAborted()
  const keyed = rows.map((row) => ({ row, numbers: row.outline.split('.').map(Number) }))
  return keyed
    .toSorted((a, b) => compareNumbers(a.numbers, b.numbers))
    .map(({ row }) => ({ ...row, link: linkTo(workspaceId, row) }))
}

export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, place) => each !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

const linkTo = (workspaceId: number, { kind, id }: IndexRow) =>
  window.location.origin + (kind === 'folder' ? paths.files(workspaceId, id) : paths.view(workspaceId, id))
