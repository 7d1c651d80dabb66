import { DamagedContent, type Integrity, type OpenMember } from '../../blobs/integrity.ts'
import type { Range } from '../../blobs/blob-store.ts'
import type { Chunks } from '../../blobs/chunks.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import type { Download } from '../../access/scopes.ts'
import { ENTRIES_AT_ONCE, type Entry, listEntries } from '../../store/downloads/download-entries.ts'
import { writeZip, type ZipEntry } from './zip.ts'

/** A revoked right stops the stream within this time. */
export const RECHECK_MS = 5000

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
 * Streams the bytes of a finished download, which was entered just now. Rights are checked for the whole download before
 * the first byte, and again while streaming. A member that may no longer be delivered breaks off the stream, so that a
 * zip is either complete or visibly broken.
 * @throws ApiError 404
 */
export async function openZip(means: Means, download: Download, range: Range): Promise<Chunks> {
  const check = createCheck(means, await checkAll(means.db, download))
  const open = (member: Member, part: Range) => openMember(means, check, member, part)
  return writeZip({ entries: () => listChecked(check), open }, range)
}

/** Checks every entry. @returns the first ones */
async function checkAll(db: Db, download: Download): Promise<Member[]> {
  let first: Member[] | undefined
  for (let after = 0; ;) {
    const entries = await listAllowed(db, download, after)
    first ??= entries
    if (entries.length < ENTRIES_AT_ONCE) return first
    after = entries.at(-1)?.position ?? after
  }
}

/** @throws ApiError 404 if one of the entries is not allowed */
async function listAllowed(db: Db, download: Download, after: number): Promise<Member[]> {
  const rows = await listEntries(db, download, after)
  if (rows.some((row) => !row.allowed)) throw notFound()
  return rows.map(toMember)
}

interface Check {
  /** Returns the next members after a position. @throws ApiError 404 if one of them is no longer allowed */
  next(after: number): Promise<Member[]>
  /** Checks the rights again, from this member on, if the last check is older than `RECHECK_MS`. */
  again(member: Member): Promise<void>
}

/** @param first the first members, checked just now */
function createCheck({ db, enter }: Means, first: Member[]): Check {
  let checkedAt = performance.now()
  let ahead: Member[] | undefined = first
  let checking: Promise<unknown> | undefined
  async function next(after: number): Promise<Member[]> {
    const known = ahead
    ahead = undefined
    if (known && after === 0) return known
    const members = await listAllowed(db, await enter(), after)
    checkedAt = performance.now()
    return members
  }
  return {
    next,
    async again(member) {
      if (performance.now() - checkedAt <= RECHECK_MS) return
      // Members that are read together are checked together.
      await (checking ??= next(member.position - 1).finally(() => (checking = undefined)))
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

function openMember({ integrity, fail }: Means, check: Check, member: Member, range: Range): OpenMember {
  const { blob_id } = member
  if (blob_id === null) throw new Error('a folder has no content')
  const opened = integrity.openMember({ ...member, blob_id }, range)
  return {
    async read(into) {
      await check.again(member)
      await opened.read(into).catch(async (error: unknown) => {
        if (error instanceof DamagedContent) await fail()
        throw error
      })
    },
    close: () => opened.close(),
  }
}
