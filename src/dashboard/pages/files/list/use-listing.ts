import { useCallback, useDeferredValue, useMemo } from 'react'
import { useReading } from '../../../api/query.ts'
import { entriesOf, type FolderContent } from '../../../shared/listing/entries.ts'
import { folderQuery, type Workspace } from '../../../shared/listing/folder-query.ts'
import { orderOf } from '../../../shared/listing/selection.ts'
import { filterEntries, sortEntries, type Sort } from '../../../shared/listing/sort.ts'

interface View {
  folderId: number
  sort: Sort
  filter: string
}

/** A folder with files that are being processed is read again at growing intervals, in milliseconds. */
const FIRST_LOOK = 1500
const LAST_LOOK = 30_000
/** Folders with more files are not read again for this reason. */
const LARGE = 2000

const hasComing = ({ immediate_subfiles: files }: FolderContent) =>
  files.length <= LARGE && files.some(({ viewer_status: status }) => status === 'Pending' || status === 'Processing')

/** The folder in the address, and its lines after sort and filter. */
export function useListing(workspace: Workspace, { folderId, sort, filter }: View) {
  const {
    data: content,
    error,
    refetch,
  } = useReading({
    ...folderQuery(workspace, folderId),
    refetchInterval: ({ state }) =>
      state.data && hasComing(state.data) && Math.min(LAST_LOOK, FIRST_LOOK * 1.5 ** state.dataUpdateCount),
  })
  const wanted = useDeferredValue(filter)
  const sorted = useMemo(() => sortEntries(content ? entriesOf(content) : [], sort), [content, sort])
  const entries = useMemo(() => filterEntries(sorted, wanted), [sorted, wanted])
  const order = useMemo(() => orderOf(entries.map((entry) => entry.key)), [entries])
  const retry = useCallback(() => void refetch(), [refetch])
  return useMemo(() => ({ content, error, retry, entries, order }), [content, error, retry, entries, order])
}

export type Listing = ReturnType<typeof useListing>
