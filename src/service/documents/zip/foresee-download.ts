import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Selection } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { type AlikeMembers, countMembers } from '../../store/downloads/download-members.ts'
import { hasNoPages, MAX_PAGES } from '../sealed/find-sealable.ts'
import { stampSourceOf } from '../watermark/carry/stamp-source.ts'

type Foreseen = Reply<Api['permissions']['downloadAs']>
type Delivery = 'original' | 'marked' | 'sealed'
type LeftOut = keyof Foreseen['left_out']

/** Counts what a zip would hold, and what it would leave out. Files that are still being prepared count as what they will be. */
export async function foreseeDownload(db: Db, selection: Selection): Promise<Foreseen> {
  const left_out = { folders: 0, infected: 0, not_scanned: 0, unmarkable: 0, unsealable: 0 }
  const foreseen: Foreseen = { original: 0, marked: 0, sealed: 0, left_out }
  for (const alike of await countMembers(db, selection, { mostPages: MAX_PAGES })) {
    const reason = whyLeftOut(alike)
    if (reason) left_out[reason] += alike.members
    else foreseen[deliveryOf(alike)] += alike.members
  }
  return foreseen
}

function deliveryOf({ must_be_sealed, must_be_stamped }: AlikeMembers): Delivery {
  if (must_be_sealed) return 'sealed'
  return must_be_stamped ? 'marked' : 'original'
}

function whyLeftOut({ left_out, document, is_long, ...must }: AlikeMembers): LeftOut | undefined {
  if (left_out === 'right') return 'folders'
  if (left_out === 'unscanned') return 'not_scanned'
  if (left_out === 'infected') return 'infected'
  if (!document) return undefined
  if (must.must_be_sealed) return hasNoPages(document) || is_long ? 'unsealable' : undefined
  if (!must.must_be_stamped) return undefined
  const source = stampSourceOf(document)
  return source !== 'not yet' && 'unstampable' in source ? 'unmarkable' : undefined
}
