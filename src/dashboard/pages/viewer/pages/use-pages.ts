import { useQueryClient, type Query as StoredQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading, useReadings } from '../../../api/query.ts'
import type { Reader } from '../../../shared/listing/folder-query.ts'

export type FilePages = Reply<typeof api.files.pages>
export type FilePage = FilePages['pages'][number]

/** Number of pages whose URLs are requested at once. */
const CHUNK = 25
/** URLs are requested anew this long before they expire, in milliseconds. */
const AHEAD = 60_000
/** A document that is being processed is read again at growing intervals, in milliseconds. */
const FIRST_LOOK = 1000
const LAST_LOOK = 15_000

export interface FileVersionKey {
  workspaceId: number
  fileId: number
  /** Undefined means the newest version. */
  version: number | undefined
  /** The pages as this reader has them. */
  seenAs?: Reader
}

const chunkOf = (page: number) => Math.floor((page - 1) / CHUNK)

export function pagesQuery({ workspaceId, fileId, version, seenAs }: FileVersionKey, page: number, sizes: boolean) {
  const which = { from: chunkOf(page) * CHUNK + 1, count: CHUNK, sizes }
  const query = { workspace_id: workspaceId, ...which }
  const params = { id: fileId }
  if (seenAs) return read(api.permissions.viewPagesAs, { params, query: { ...query, ...seenAs } })
  return read(api.files.pages, { params, query: { ...query, ...(version !== undefined && { version }) } })
}

type Stored = StoredQuery<FilePages, Error, FilePages, ReturnType<typeof pagesQuery>['queryKey']>

const isComing = ({ status }: FilePages) => status === 'Pending' || status === 'Processing'
const lifeOf = ({ expires }: FilePages) => Math.max(5000, expires * 1000 - Date.now() - AHEAD)

const lasting = {
  staleTime: ({ state }: Stored) => (state.data && !isComing(state.data) ? lifeOf(state.data) : 0),
  refetchInterval: ({ state }: Stored) => {
    if (!state.data) return false
    return isComing(state.data) ? Math.min(LAST_LOOK, FIRST_LOOK * 1.5 ** state.dataUpdateCount) : lifeOf(state.data)
  },
}

/** Reads the document: its status, the number of pages, their sizes, and the URLs of pages around the first wanted. */
export function useDocument(key: FileVersionKey, firstPage: number) {
  return useReading({ ...pagesQuery(key, firstPage, true), ...lasting })
}

/** Reads the URLs of the pages in view. A range is the first and last page, in the canvas or among the thumbnails. */
export function usePageUrls(key: FileVersionKey, document: FilePages | undefined, ranges: readonly [number, number][]) {
  const client = useQueryClient()
  const known = document?.pages[0] ? chunkOf(document.pages[0].page_number) : undefined
  const chunks = chunksIn(ranges).filter((chunk) => chunk !== known && document && document.total_pages > 0)
  const others = useReadings({
    queries: chunks.map((chunk) => ({ ...pagesQuery(key, chunk * CHUNK + 1, false), ...lasting })),
    combine: (results) => results.flatMap(({ data }) => data?.pages ?? []),
  })
  const pages = useMemo(
    () => new Map([...(document?.pages ?? []), ...others].map((page) => [page.page_number, page])),
    [document, others],
  )
  /** Requests new URLs after one did not work. @throws if the request is refused. */
  const renew = useCallback(
    async (page: number) => {
      const { queryKey } = pagesQuery(key, page, chunkOf(page) === known)
      await client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false, throwOnError: true })
    },
    [client, key, known],
  )
  return { pages, renew }
}

function chunksIn(ranges: readonly [number, number][]): number[] {
  const chunks = new Set<number>()
  for (const [first, last] of ranges) {
    for (let chunk = chunkOf(Math.max(1, first)); chunk <= chunkOf(Math.max(1, last)); chunk += 1) chunks.add(chunk)
  }
  return [...chunks].toSorted((a, b) => a - b)
}
