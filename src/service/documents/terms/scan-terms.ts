import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'
import {
  claimUnscannedPdf,
  holdTermsPdfs,
  noteClean,
  noteInfection,
  noteUnscannable,
  type UnscannedPdf,
} from '../../store/terms/unscanned-pdfs.ts'
import { NotScanned, type Scanner } from '../ingest/scan.ts'

interface Means {
  db: Db
  blobs: BlobStore
  scanner: Scanner | undefined
  scanRequired: boolean
}

/**
 * Scans the PDFs of terms that a service without a scanner took, or that were uploaded before there was one. Until then
 * they cannot be issued, if a scan is required. `url` is the link in the mails.
 */
export async function scanTerms({ db, blobs, scanner, scanRequired }: Means, url: string): Promise<void> {
  if (scanRequired) await holdTermsPdfs(db)
  if (!scanner) return
  let away = 0
  for (;;) {
    const pdf = await claimUnscannedPdf(db)
    if (!pdf) return
    const verdict = await verdictOf(pdf, blobs, scanner)
    // One whose scan fails must not keep the others waiting.
    away = verdict === 'away' ? away + 1 : 0
    if (away === MOST_AWAY) return
    if (verdict === 'clean') await noteClean(db, pdf)
    else if (verdict === 'unscannable') await noteUnscannable(db, pdf)
    else if (verdict !== 'away' && verdict !== 'unread')
      await noteInfection(db, pdf, { infection: verdict.infected, url })
  }
}

/** So many in a row, and the scanner is taken to be away. */
const MOST_AWAY = 3

async function verdictOf({ blob_id }: UnscannedPdf, blobs: BlobStore, scanner: Scanner) {
  // The scrubber tells of content that is missing or cannot be read.
  const content = await blobs.read(blob_id).catch(() => undefined)
  if (!content) return 'unread'
  try {
    return await scanner.scan(content)
  } catch (error) {
    return error instanceof NotScanned && error.permanent ? 'unscannable' : 'away'
  }
}
