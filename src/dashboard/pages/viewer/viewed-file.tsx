import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { createStore } from '../../ui/store.ts'
import { entriesOf, isFile, type Abilities } from '../../shared/listing/entries.ts'
import { folderQuery, type Workspace } from '../../shared/listing/folder-query.ts'
import { parseSort, sortEntries } from '../../shared/listing/sort.ts'
import { useDocument, type FilePages, type FileVersionKey } from './pages/use-pages.ts'
import { usePageInUrl, useViewerUrl, type ViewerUrl } from './use-viewer-url.ts'

export const fileQuery = (workspaceId: number, id: number) =>
  read(api.files.get, { params: { id }, query: { workspace_id: workspaceId } })

type FileMapped = Reply<typeof api.files.get>

interface Neighbours {
  /** The user's abilities in the file's folder. */
  abilities: Abilities | undefined
  /** Whether the abilities have been read, or cannot be. */
  settled: boolean
  /** The files before and after this file in the order of the list. */
  previous: number | undefined
  next: number | undefined
}

interface ViewedFile extends Neighbours {
  workspace: Workspace
  url: ViewerUrl
  key: FileVersionKey
  /** With the version that is shown, also where it is the newest. */
  shownKey: FileVersionKey
  file: FileMapped | undefined
  document: FilePages | undefined
  shownVersion: number
  pages: number
  /** Whether there are pages that may be shown. */
  shown: boolean
  error: Error | null
  retry: () => void
}

const [FileStore, useViewedFile] = createStore<ViewedFile>('file')
export { useViewedFile }

/** Whether the current version is neither infected nor damaged. */
export const isIntact = (file: FileMapped) => file.infected !== true && !file.damaged

/** Owns the address, the file and its document. */
export function FileOwner({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  const url = useViewerUrl()
  const { workspaceId, fileId, version } = url
  const { data: file, error: fileError, refetch } = useReading(fileQuery(workspaceId, fileId))
  const neighbours = useNeighbours(workspace, file?.folder_id, fileId, url.sort)
  const key = useMemo<FileVersionKey>(() => ({ workspaceId, fileId, version }), [workspaceId, fileId, version])
  const [firstPage] = useState(usePageInUrl().page)
  const { data: document, error: pagesError, refetch: refetchPages } = useDocument(key, firstPage)
  const retry = useCallback(() => void Promise.all([refetch(), refetchPages()]), [refetch, refetchPages])
  useEffect(() => {
    if (file) window.document.title = `${file.title} – Strongroom`
  }, [file])
  const error = fileError ?? pagesError
  const shownVersion = document?.version ?? version ?? file?.version ?? 1
  const shownKey = useMemo(() => ({ ...key, version: shownVersion }), [key, shownVersion])
  const viewed = useMemo<ViewedFile>(() => {
    const pages = document?.widths.length ?? 0
    const shown = pages > 0 && file !== undefined && file.infected !== true
    return { workspace, url, key, shownKey, file, document, shownVersion, pages, shown, error, retry, ...neighbours }
  }, [workspace, url, key, shownKey, file, document, shownVersion, error, retry, neighbours])
  return <FileStore value={viewed}>{children}</FileStore>
}

function useNeighbours(workspace: Workspace, folderId: number | undefined, fileId: number, sort: string | undefined) {
  const { data, isPending } = useReading({ ...folderQuery(workspace, folderId ?? 0), enabled: folderId !== undefined })
  return useMemo<Neighbours>(() => {
    const files = data ? sortEntries(entriesOf(data), parseSort(sort ?? null)).filter(isFile) : []
    const place = files.findIndex(({ id }) => id === fileId)
    const idAt = (index: number) => (place < 0 ? undefined : files[index]?.id)
    return { abilities: data?.abilities, settled: !isPending, previous: idAt(place - 1), next: idAt(place + 1) }
  }, [data, isPending, fileId, sort])
}
