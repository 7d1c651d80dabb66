import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { entriesOf } from './entries.ts'
import { folderQuery, type Workspace } from './folder-query.ts'
import { orderOf } from './selection.ts'
import { filterEntries, sortEntries, type Sort } from './sort.ts'

interface View {
  folderId: number
  sort: Sort
  filter: string
}

/** The folder of the address, and its lines as the sort and the filter leave them. */
export function useListing(workspace: Workspace, { folderId, sort, filter }: View) {
  const { data: content, error, refetch } = useQuery(folderQuery(workspace, folderId))
  const wanted = useDeferredValue(filter)
  const sorted = useMemo(() => sortEntries(content ? entriesOf(content) : [], sort), [content, sort])
  const entries = useMemo(() => filterEntries(sorted, wanted), [sorted, wanted])
  const order = useMemo(() => orderOf(entries.map((entry) => entry.key)), [entries])
  return { content, error, retry: refetch, entries, order }
}
