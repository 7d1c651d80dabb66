import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { csvFormatRows } from 'd3-dsv'
import { csvCell } from '../../../../contract/csv-cell.ts'
import type { Upload, UploadState } from '../upload.ts'

const COLUMNS = [
  msg`Folder`,
  msg`Name`,
  msg`Bytes`,
  msg`Result`,
  msg`Version`,
  msg`File`,
  msg({ message: 'Stored', context: 'when' }),
  msg`Reason`,
]

const RESULTS: Record<UploadState, MessageDescriptor> = {
  waiting: msg({ message: 'waiting', context: 'upload' }),
  sending: msg({ message: 'sending', context: 'upload' }),
  paused: msg({ message: 'paused', context: 'upload' }),
  missing: msg({ message: 'not chosen again', context: 'upload' }),
  done: msg({ message: 'uploaded', context: 'upload' }),
  failed: msg({ message: 'failed', context: 'upload' }),
}

/** Returns the report as CSV. Name, size, version and time of a stored file are those of the service's reply. */
export function reportAsCsv(uploads: readonly Upload[]): string {
  const lines = uploads.map(({ path, name, size, state, failure, stored }) => [
    path.join('/'),
    stored?.file_name ?? name,
    stored?.file_size ?? String(size),
    i18n._(RESULTS[state]),
    stored ? String(stored.version) : '',
    stored ? String(stored.id) : '',
    stored?.updated_at ?? '',
    failure ?? '',
  ])
  return csvFormatRows([COLUMNS.map((label) => i18n._(label)), ...lines.map((line) => line.map(csvCell))])
}
