import { t } from '@lingui/core/macro'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { noAnswer } from '../../../api/failures.ts'
import { pagesQuery, type FilePage, type FileVersionKey } from '../pages/use-pages.ts'

/** Images that load at the same time. The service makes them one by one. */
const AT_ONCE = 4

interface Range {
  from: number
  to: number
}

/** Reads the pages of a range with their own URLs; tells how many may be fetched by now and how many have loaded. */
export function usePrintedPages(file: FileVersionKey, { from, to }: Range) {
  const client = useQueryClient()
  const [pages, setPages] = useState<readonly FilePage[]>([])
  const [loaded, setLoaded] = useState<ReadonlySet<number>>(new Set())
  const [error, setError] = useState<unknown>()
  const list = useCallback(
    () => void listPages(client, file, { from, to }).then(setPages, setError),
    [client, file, from, to],
  )
  useEffect(list, [list])
  return {
    pages,
    begun: loaded.size + AT_ONCE,
    loaded: loaded.size,
    error,
    onLoaded: useCallback((page: number) => setLoaded((before) => new Set(before).add(page)), []),
    onFailed: useCallback(() => setError(noAnswer()), []),
    /** Starts again with new URLs. */
    retry: () => {
      setError(undefined)
      list()
    },
  }
}

async function listPages(client: QueryClient, file: FileVersionKey, { from, to }: Range): Promise<FilePage[]> {
  const pages: FilePage[] = []
  for (let next = from; next <= to; next = (pages.at(-1)?.page_number ?? to) + 1) {
    const found = await client.fetchQuery({ ...pagesQuery(file, next, false), staleTime: 0 })
    const wanted = found.pages.filter(({ page_number }) => page_number >= next && page_number <= to)
    if (wanted.length === 0) throw new Error(t`The document has changed meanwhile.`)
    pages.push(...wanted)
  }
  return pages
}
