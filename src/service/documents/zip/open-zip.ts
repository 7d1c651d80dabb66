import { Readable } from 'node:stream'
import type { Range } from '../../blobs/blob-store.ts'
import { DamagedContent, type Integrity } from '../../blobs/integrity.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import type { Download } from '../../access/scopes.ts'
import { type Entry, isWhollyAllowed, listEntries } from '../../store/downloads/download-entries.ts'
import { writeZip, type ZipEntry } from './zip.ts'

/** A revoked right stops the stream within this time. */
export const RECHECK_MS = 5000
/** Many small files yield many small pieces; sockets work better with fewer, larger ones. */
const CHUNK_BYTES = 64 * 1024

interface Means {
  db: Db
  integrity: Integrity
  /** Marks the download as failed, because one of its members is damaged. */
  fail(): Promise<void>
  /** Opens the download with the current rights of its user. @throws ApiError if the user may not open it */
  enter(): Promise<Download>
}

type Member = ZipEntry & { position: number; blob_id: string | null }

/**
 * Streams the bytes of a finished download. Rights are checked for the whole download before the first byte, and again
 * while streaming. A member that may no longer be delivered breaks off the stream, so that a zip is either complete or
 * visibly broken.
 * @throws ApiError 404
 */
export async function openZip(means: Means, range: Range): Promise<Readable> {
  if (!(await isWhollyAllowed(means.db, await means.enter()))) throw notFound()
  const check = createCheck(means)
  const read = (member: Member, part: Range) => readMember(means, check, member, part)
  const bytes = writeZip({ entries: () => listChecked(check), read }, range)
  return Readable.from(gather(bytes), { objectMode: false, highWaterMark: CHUNK_BYTES })
}

interface Check {
  /** Returns the next members after a position. @throws ApiError 404 if one of them is no longer allowed */
  next(after: number): Promise<Member[]>
  /** Checks the rights again, from this member on, if the last check is older than `RECHECK_MS`. */
  again(member: Member): Promise<void>
}

function createCheck({ db, enter }: Means): Check {
  let checkedAt = 0
  async function next(after: number): Promise<Member[]> {
    const rows = await listEntries(db, await enter(), after)
    if (rows.some((row) => !row.allowed)) throw notFound()
    checkedAt = performance.now()
    return rows.map(toMember)
  }
  return {
    next,
    async again(member) {
      if (performance.now() - checkedAt > RECHECK_MS) await next(member.position - 1)
    },
  }
}

function toMember({ position, entry_name, blob_id, size, crc32, modified_at }: Entry): Member {
  return { position, blob_id, name: entry_name, size, crc32, modified: new Date(modified_at) }
}

async function* listChecked(check: Check): AsyncGenerator<Member> {
  for (let after = 0; ;) {
    const members = await check.next(after)
    if (members.length === 0) return
    yield* members
    after = members.at(-1)?.position ?? after
  }
}

async function* readMember(
  { integrity, fail }: Means,
  check: Check,
  member: Member,
  range: Range,
): AsyncGenerator<Buffer> {
  const { blob_id } = member
  if (blob_id === null) throw new Error('a folder has no content')
  try {
    for await (const chunk of integrity.readMember({ ...member, blob_id }, range)) {
      await check.again(member)
      yield chunk
    }
  } catch (error) {
    if (error instanceof DamagedContent) await fail()
    throw error
  }
}

async function* gather(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let size = 0
  // The first chunk goes out at once, because the client is waiting for it.
  let enough = 0
  for await (const chunk of chunks) {
    gathered.push(chunk)
    size += chunk.length
    if (size < enough) continue
    enough = CHUNK_BYTES
    yield gathered.length === 1 ? chunk : Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}
