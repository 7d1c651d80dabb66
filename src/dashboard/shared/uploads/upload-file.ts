import { csvFormatRows } from 'd3-dsv'
import { csvCell } from '../../ui/csv.ts'
import type { Upload, UploadState } from './upload.ts'

const COLUMNS = ['Folder', 'Name', 'Bytes', 'Result', 'Version', 'File', 'Stored', 'Reason']

const RESULTS: Record<UploadState, string> = {
  waiting: 'waiting',
  sending: 'sending',
  paused: 'paused',
  missing: 'not chosen again',
  done: 'uploaded',
  failed: 'failed',
}

/** The report as the service answered it: of what was stored name, size, version and time are the service's. */
export function reportAsCsv(uploads: readonly Upload[]): string {
  const lines = uploads.map(({ path, name, size, state, failure, stored }) => [
    path.join('/'),
    stored?.file_name ?? name,
    stored?.file_size ?? String(size),
    RESULTS[state],
    stored ? String(stored.version) : '',
    stored ? String(stored.id) : '',
    stored?.updated_at ?? '',
    failure ?? '',
  ])
  return csvFormatRows([COLUMNS, ...lines.map((line) => line.map(csvCell))])
}
