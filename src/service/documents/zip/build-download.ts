import { DamagedContent, type Integrity } from '../../blobs/integrity.ts'
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { insertManifest, listMembers, type Member, setEntryNames } from '../../store/downloads/download-members.ts'
import { type Turn, wholeTurn } from '../../jobs/turn.ts'
import { type DownloadKey, setDownloadStatus } from '../../store/downloads/downloads.ts'
import { createEntryNamer } from './entry-names.ts'
import { MANIFEST_HEAD, MANIFEST_NAME, manifestLine } from './manifest.ts'
import { type SealingMeans, sealMembers } from '../sealed/seal-members.ts'
import { stampMembers } from '../watermark/carry/stamp-members.ts'
import type { Stamper } from '../watermark/carry/stamper.ts'
import { measureZip, type ZipEntry } from './zip.ts'

interface Means extends SealingMeans {
  stamper: Stamper
  integrity: Integrity
}

const MAX_COMPARED_BYTES = 1024 ** 3

/**
 * Builds a download: stamped and sealed copies, entry names, the manifest and the length of the zip. The job can
 * restart from the beginning at any point, and stops early if the download was deleted.
 */
export async function buildDownload(means: Means, key: DownloadKey, turn: Turn = wholeTurn()): Promise<void> {
  const { db, blobs } = means
  if (!(await setDownloadStatus(db, key, 'building_directory'))) return
  await stampMembers(means, key, turn)
  await sealMembers(means, key, turn)
  await nameEntries(db, key)

  if (!(await setDownloadStatus(db, key, 'processing'))) return
  if (!(await areWhole(means, key, turn))) return void (await setDownloadStatus(db, key, 'failed'))
  const told = { left_out: 0 }
  const blob = await blobs.write(manifestOf(db, key, told), Infinity)
  const manifest = manifestFile(blob)
  const size = await measureZip(() => entriesOf(db, key, manifest))

  await transaction(db, async (tx) => {
    if (!(await setDownloadStatus(tx, key, 'done', { size, etag: blob.sha256.toString('hex'), ...told }))) return
    await insertManifest(tx, key, manifest)
  })
}

/**
 * Checks the members against their checksums, at most 1 GiB of content in total. Beyond that it checks only lengths,
 * because the remaining bytes are compared while the zip is sent.
 */
async function areWhole({ db, integrity }: Means, key: DownloadKey, { signal }: Turn): Promise<boolean> {
  let left = MAX_COMPARED_BYTES
  try {
    for await (const page of listMembers(db, key)) {
      for (const { blob_id, size, crc32, left_out } of page) {
        signal.throwIfAborted()
        if (blob_id === null || left_out !== null) continue
        const isCompared = size <= left
        if (isCompared) left -= size
        await integrity.check({ blob_id, size, crc32 }, isCompared)
      }
    }
    return true
  } catch (error) {
    if (error instanceof DamagedContent) return false
    throw error
  }
}

async function nameEntries(db: Db, key: DownloadKey): Promise<void> {
  const nameOf = createEntryNamer(MANIFEST_NAME)
  for await (const page of listMembers(db, key)) {
    const named = page.map((member) => ({ position: member.position, entry_name: nameOf(member) }))
    await setEntryNames(db, key, named)
  }
}

/** @param told counts the members that are left out */
async function* manifestOf(db: Db, key: DownloadKey, told: { left_out: number }): AsyncGenerator<Buffer> {
  yield Buffer.from(MANIFEST_HEAD)
  for await (const page of listMembers(db, key)) {
    told.left_out += page.filter(({ left_out }) => left_out !== null).length
    const lines = page.map(manifestLine).join('')
    if (lines !== '') yield Buffer.from(lines)
  }
}

function manifestFile({ blob_id, size, crc32, sha256 }: StoredBlob) {
  return { entry_name: MANIFEST_NAME, blob_id, size, crc32, sha256, modified_at: new Date().toISOString() }
}

async function* entriesOf(db: Db, key: DownloadKey, last: ReturnType<typeof manifestFile>): AsyncGenerator<ZipEntry> {
  for await (const page of listMembers(db, key)) {
    for (const member of page) if (member.left_out === null) yield toEntry(member)
  }
  yield toEntry(last)
}

function toEntry({
  entry_name,
  size,
  crc32,
  modified_at,
}: Pick<Member, 'entry_name' | 'size' | 'crc32' | 'modified_at'>) {
  if (entry_name === null) throw new Error('a member of a download has no name yet')
  return { name: entry_name, size, crc32, modified: new Date(modified_at) }
}
