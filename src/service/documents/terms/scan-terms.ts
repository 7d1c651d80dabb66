import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'
import { holdTermsPdfs, listUnscannedPdfs, noteClean, noteInfection } from '../../store/terms/unscanned-pdfs.ts'
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
  for await (const pdf of listUnscannedPdfs(db)) {
    // The scrubber tells of missing content.
    if ((await blobs.sizeOf(pdf.blob_id)) === undefined) continue
    const verdict = await scanner.scan(await blobs.read(pdf.blob_id)).catch(unscanned)
    if (verdict === 'away') return
    if (verdict === 'clean') await noteClean(db, pdf)
    else if (verdict !== 'unscannable') await noteInfection(db, pdf, { infection: verdict.infected, url })
  }
}

function unscanned(error: unknown): 'away' | 'unscannable' {
  if (!(error instanceof NotScanned)) throw error
  return error.permanent ? 'unscannable' : 'away'
}
