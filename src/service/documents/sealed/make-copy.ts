import { randomBytes, randomUUID } from 'node:crypto'
import type { UnmarkedPages } from '../../access/scopes.ts'
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { UnsealedMember } from '../../store/downloads/download-seals.ts'
import { needsMoreTime, type Turn } from '../../jobs/turn.ts'
import type { Marking } from '../../store/downloads/marks.ts'
import { bytesOf, sourceOf } from '../pages/page-images.ts'
import { listSizes } from '../pages/pages-of.ts'
import { markPage } from '../watermark/mark-page.ts'
import { KEY_BYTES } from './part.ts'
import type { SealingMeans } from './seal-members.ts'
import { sealedHtml } from './sealed-html.ts'

/** A browser holds the whole sealed file in memory. */
const MAX_BYTES = 1024 ** 3

const TO_MARK = {} as UnmarkedPages

interface MadeCopy {
  copy: { copy_id: string; pages: number; key_sealed: Buffer }
  content: StoredBlob
}

/**
 * Makes a sealed copy with its own key. Every page carries the mark of the reader, whatever the settings of their
 * groups.
 * @throws DocumentFault for a page that cannot be drawn, ApiError 413 if the copy is too large, PutBack if a quick turn
 * is too short
 */
export async function makeCopy(
  { blobs, vault, pages, overlays, config, clock, turn }: SealingMeans & { turn: Turn },
  document: UnsealedMember,
  marking: Marking,
): Promise<MadeCopy> {
  const copyId = randomUUID()
  const key = randomBytes(KEY_BYTES)
  const source = sourceOf(document)
  const { reader } = marking
  const facts = {
    title: document.title,
    reader: `${reader.first_name} ${reader.last_name}`.trim() || reader.email,
    workspace: reader.workspace_name,
    created_at: clock().toISOString(),
    pages: listSizes(document),
  }
  const page = async (number: number) => {
    turn.signal.throwIfAborted()
    if (!turn.heavy) checkTime(turn)
    const image = await pages.read(source, number, 'page', { signal: turn.signal })
    return markPage(bytesOf(image, TO_MARK), 'sealed', marking, overlays)
  }
  const service = new URL(config.publicUrl).origin
  const html = sealedHtml({ key, copyId, workspaceId: document.workspace_id, service, facts, page })
  const content = await blobs.write(html, MAX_BYTES)
  const key_sealed = vault.sealerFor('sealed copies').seal(key.toString('base64'))
  return { copy: { copy_id: copyId, pages: facts.pages.length, key_sealed }, content }
}

/** A partial sealed copy cannot be kept: another quick turn would start over and end at the same page. */
function checkTime(turn: Turn): void {
  try {
    turn.check()
  } catch {
    throw needsMoreTime()
  }
}
