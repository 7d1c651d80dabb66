import type { BlobStore } from '../../../blobs/blob-store.ts'
import type { Db } from '../../../db/pool.ts'
import { leaveOut, setCopy } from '../../../store/downloads/download-copies.ts'
import { listUnstamped, type UnstampedMember } from '../../../store/downloads/download-stamps.ts'
import { type DownloadKey, findDownloadReader } from '../../../store/downloads/downloads.ts'
import { findMarkingOf, type Marking } from '../../../store/downloads/marks.ts'
import { needsMoreTime, type Turn } from '../../../jobs/turn.ts'
import { DocumentFault } from '../../render.ts'
import { stampedName, stampSourceOf } from './stamp-source.ts'
import type { Stamper } from './stamper.ts'

interface Means {
  db: Db
  blobs: BlobStore
  stamper: Stamper
}

/** How long a download waits for files that are still being converted. */
const PATIENCE_MS = 10 * 60_000

/**
 * Makes the stamped copies that a download needs, one after the other. Each copy is stored at once, so that a repeated
 * job continues where it stopped. A file that cannot be stamped is left out, with the reason.
 * @throws Error if a file is not ready yet; the job is retried later
 */
export async function stampMembers(means: Means, key: DownloadKey, turn: Turn): Promise<void> {
  const { db } = means
  const asked = await findDownloadReader(db, key)
  if (!asked) return
  const marking = await findMarkingOf(db, { workspace_id: key.workspace_id, ...asked })
  const isPatient = Date.now() - asked.at.getTime() < PATIENCE_MS
  let waiting = 0
  let done = 0
  for await (const member of listUnstamped(db, key)) {
    turn.check(done > 0)
    if ((await stampMember({ ...means, turn }, key, member, marking, isPatient)) === 'not yet') waiting++
    else done++
  }
  if (waiting > 0) throw new Error(`${waiting} files of the download are still being prepared`)
}

async function stampMember(
  { db, blobs, stamper, turn }: Means & { turn: Turn },
  key: DownloadKey,
  member: UnstampedMember,
  marking: Marking,
  isPatient: boolean,
): Promise<'done' | 'not yet'> {
  const giveUp = async (reason: string) => {
    await leaveOut(db, key, member.position, 'watermark', reason)
    return 'done' as const
  }
  const source = stampSourceOf(member)
  if (source === 'not yet') return isPatient ? source : giveUp('The file was not prepared in time.')
  if ('unstampable' in source) return giveUp(source.unstampable)
  try {
    const copy = await stamper.stamp(source, marking, member.pdf_delivery, turn.signal)
    const isWanted = await setCopy(
      db,
      key,
      {
        ...copy,
        position: member.position,
        name: stampedName(member.name, copy.type),
      },
      { stamped: true },
    )
    if (!isWanted) await blobs.remove(copy.blob_id)
    return 'done'
  } catch (error) {
    if (error instanceof DocumentFault && error.late && !turn.heavy) throw needsMoreTime()
    if (error instanceof DocumentFault) return giveUp(error.message)
    throw error
  }
}
