import { count } from '../../ui/format.ts'
import type { Upload, UploadState } from './upload.ts'

export interface UploadTotals {
  files: number
  waiting: number
  sending: number
  paused: number
  missing: number
  done: number
  failed: number
  newVersions: number
  /** 0 to 1, by bytes. */
  progress: number
}

export function totalsOf(uploads: readonly Upload[]): UploadTotals {
  const states: Record<UploadState, number> = { waiting: 0, sending: 0, paused: 0, missing: 0, done: 0, failed: 0 }
  let newVersions = 0
  let bytes = 0
  let sent = 0
  for (const upload of uploads) {
    states[upload.state] += 1
    if ((upload.stored?.version ?? 1) > 1) newVersions += 1
    // A file counts at least a byte, so that empty ones move the bar too.
    const size = upload.size + 1
    bytes += size
    sent += upload.state === 'done' || upload.state === 'failed' ? size : Math.min(upload.sent, size)
  }
  return { files: uploads.length, ...states, newVersions, progress: bytes === 0 ? 0 : sent / bytes }
}

export const busy = ({ waiting, sending, paused }: UploadTotals) => waiting + sending + paused > 0

/** The headline of the tray: how far it is, or how it ended. */
export function reportOf(totals: UploadTotals, { paused, online }: { paused: boolean; online: boolean }): string {
  const { files, done, failed, missing, newVersions } = totals
  if (busy(totals)) {
    const progress = `${done + failed} of ${count(files, 'file')}`
    if (!online) return `Waiting for the connection, ${progress} done`
    return paused || totals.waiting + totals.sending === 0 ? `Paused after ${progress}` : `Uploading, ${progress} done`
  }
  const versions = newVersions > 0 ? `, ${newVersions === done ? 'all' : newVersions} as new versions` : ''
  const stored = done > 0 ? `${count(done, 'file')} uploaded${versions}` : ''
  const open = missing > 0 ? `${count(missing, 'file')} not uploaded yet` : ''
  return [open, stored, failed > 0 ? `${count(failed, 'file')} failed` : ''].filter(Boolean).join(', ')
}

const ORDER: UploadState[] = ['sending', 'failed', 'missing', 'paused', 'waiting', 'done']

/** What moves or needs the person comes first. */
export function inOrder(uploads: readonly Upload[]): Upload[] {
  const groups = Object.groupBy(uploads, ({ state }) => state)
  return ORDER.flatMap((state) => groups[state] ?? [])
}
