import { plural } from '@lingui/core/macro'
import { number } from '../../../ui/words/format.ts'
import type { Upload, UploadState } from '../upload.ts'

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
    // Each file counts one byte more, so that empty files move the bar too.
    const size = upload.size + 1
    bytes += size
    sent += upload.state === 'done' || upload.state === 'failed' ? size : Math.min(upload.sent, size)
  }
  return { files: uploads.length, ...states, newVersions, progress: bytes === 0 ? 0 : sent / bytes }
}

export const busy = ({ waiting, sending, paused }: UploadTotals) => waiting + sending + paused > 0

/** Returns the heading of the tray: the progress or the outcome of the uploads. */
export function reportOf(totals: UploadTotals, { paused, online }: { paused: boolean; online: boolean }): string {
  const { files, done, failed, missing, newVersions } = totals
  if (busy(totals)) {
    const ended = number(done + failed)
    if (!online) return waitingWords(ended, files)
    return paused || totals.waiting + totals.sending === 0 ? pausedWords(ended, files) : uploadingWords(ended, files)
  }
  const ends = [
    missing > 0 && plural(missing, { one: '# file not uploaded yet', other: '# files not uploaded yet' }),
    done > 0 && storedWords(done, newVersions),
    failed > 0 && plural(failed, { one: '# file failed', other: '# files failed' }),
  ]
  return ends.filter(Boolean).join(', ')
}

const waitingWords = (ended: string, files: number) =>
  plural(files, {
    one: `Waiting for the connection, ${ended} of # file done`,
    other: `Waiting for the connection, ${ended} of # files done`,
  })

const pausedWords = (ended: string, files: number) =>
  plural(files, {
    one: `Paused after ${ended} of # file`,
    other: `Paused after ${ended} of # files`,
  })

const uploadingWords = (ended: string, files: number) =>
  plural(files, {
    one: `Uploading, ${ended} of # file done`,
    other: `Uploading, ${ended} of # files done`,
  })

function storedWords(done: number, newVersions: number): string {
  if (newVersions === 0) return plural(done, { one: '# file uploaded', other: '# files uploaded' })
  if (newVersions === done) {
    return plural(done, {
      one: '# file uploaded, as a new version',
      other: '# files uploaded, all as new versions',
    })
  }
  const some = plural(newVersions, { one: '# as a new version', other: '# as new versions' })
  return plural(done, { one: `# file uploaded, ${some}`, other: `# files uploaded, ${some}` })
}

const ORDER: UploadState[] = ['sending', 'failed', 'missing', 'paused', 'waiting', 'done']

/** Puts uploads first that are being sent or need the user. */
export function inOrder(uploads: readonly Upload[]): Upload[] {
  const groups = Object.groupBy(uploads, ({ state }) => state)
  return ORDER.flatMap((state) => groups[state] ?? [])
}
