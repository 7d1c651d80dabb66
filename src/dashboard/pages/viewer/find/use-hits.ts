import { useEffect, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import type { FileVersionKey } from '../pages/use-pages.ts'
import { countOf, NOTHING, type FileHits, type FindQuestion, type Found, type PageHits } from './hits.ts'

/** After this many hits no more pages are searched. */
const MOST = 2000

interface Search {
  /** Undefined while nothing may be found. */
  file: FileVersionKey | undefined
  question: FindQuestion
  /** Returns the page at which the search begins; the pages before it come last. */
  start: () => number
  onFirst: (found: Found) => void
}

/** Finds the hits of a question in all pages, some pages at a time. */
export function useHits({ file, question, start, onFirst }: Search): Found {
  const [{ found, of }, setFound] = useState({ found: NOTHING, of: question })
  const latest = useLatest({ start, onFirst })
  useEffect(() => {
    if (question.q.trim() === '' || !file) return undefined
    const ending = new AbortController()
    let known = 0
    const take = (next: Found) => {
      if (ending.signal.aborted) return
      setFound({ found: next, of: question })
      if (known === 0 && next.count > 0) latest.current.onFirst(next)
      known = next.count
    }
    const from = latest.current.start()
    findAll(file, question, { from, signal: ending.signal }, take).catch((error: unknown) =>
      take({ ...NOTHING, isComplete: true, failure: messageOf(error) }),
    )
    return () => ending.abort()
  }, [file, question, latest])
  return of === question ? found : NOTHING
}

/** Searches from a page to the end and then the pages before it, and reports after each answer. */
async function findAll(
  { workspaceId, fileId, version }: FileVersionKey,
  { q, ...how }: FindQuestion,
  { from, signal }: { from: number; signal: AbortSignal },
  report: (found: Found) => void,
): Promise<void> {
  const asked = { workspace_id: workspaceId, q: q.trim(), ...how, ...(version !== undefined && { version }) }
  const [behind, before]: [PageHits[], PageHits[]] = [[], []]
  let next: number | null = from
  let [isBehind, isPartial] = [true, false]
  while (next !== null) {
    const query = { ...asked, from: next }
    const reply: FileHits = await call(api.files.find, { params: { id: fileId }, query }, signal)
    ;(isBehind ? behind : before).push(...reply.pages.filter(({ page_number }) => isBehind || page_number < from))
    isPartial ||= reply.is_partial
    next = reply.next_page
    if (isBehind && next === null && from > 1) [isBehind, next] = [false, 1]
    else if (!isBehind && next !== null && next >= from) next = null
    const pages = [...before, ...behind]
    const count = countOf(pages)
    const isCut = count >= MOST && next !== null
    report({ pages, count, isComplete: isCut || next === null, isPartial: isPartial || isCut })
    if (isCut) return
  }
}
