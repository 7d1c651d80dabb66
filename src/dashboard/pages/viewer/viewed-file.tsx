import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { createStore } from '../../ui/store.ts'
import { entriesOf, isFile, nameOfFile, type Abilities, type FileEntry } from '../../shared/listing/entries.ts'
import { folderQuery, ROOT, type Workspace } from '../../shared/listing/folder-query.ts'
import { handlingQuery } from '../../shared/view-as/handling.ts'
import { parseSort, sortEntries } from '../../shared/listing/sort.ts'
import { useDocument, type FilePages, type FileVersionKey } from './pages/use-pages.ts'
import { usePageInUrl, useViewerUrl, type ViewerUrl } from './use-viewer-url.ts'

export const fileQuery = (workspaceId: number, id: number) =>
  read(api.files.get, { params: { id }, query: { workspace_id: workspaceId } })

/** What lists tell of a file too. */
export type ShownFile = FileEntry['source']

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
  file: ShownFile | undefined
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
export const isIntact = (file: ShownFile) => file.infected !== true && !file.damaged

/** Owns the address, the file and its document. */
export function FileOwner({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  const url = useViewerUrl(workspace)
  const { workspaceId, fileId, version } = url
  const { seenAs } = workspace
  const { data: file, error: fileError, refetch } = useFile(workspace, fileId)
  const neighbours = useNeighbours(workspace, file?.folder_id, fileId, url.sort)
  const key = useMemo<FileVersionKey>(
    () => (seenAs ? { workspaceId, fileId, version: undefined, seenAs } : { workspaceId, fileId, version }),
    [workspaceId, fileId, version, seenAs],
  )
  const [firstPage] = useState(usePageInUrl().page)
  const { data, error: pagesError, refetch: refetchPages } = useDocument(key, firstPage)
  // An admin who views as somebody prints nothing: the paper would carry another's mark.
  const document = useMemo(() => data && (seenAs ? { ...data, printable: false } : data), [data, seenAs])
  const retry = useCallback(() => void Promise.all([refetch(), refetchPages()]), [refetch, refetchPages])
  useEffect(() => {
    if (file) window.document.title = `${nameOfFile(file)} – Strongroom`
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

/** The file; as somebody else sees it, from the list of its folder. */
function useFile(workspace: Workspace, fileId: number) {
  const { id, seenAs } = workspace
  const own = useReading({ ...fileQuery(id, fileId), enabled: !seenAs })
  const { data: place, ...finding } = useReading({
    ...handlingQuery(id, fileId, seenAs ?? {}),
    enabled: seenAs !== undefined,
  })
  const folderId = place?.folder_id
  const list = useReading({ ...folderQuery(workspace, folderId ?? ROOT), enabled: folderId !== undefined })
  if (!seenAs) return own
  const data = list.data?.immediate_subfiles.find((file) => file.id === fileId)
  const error = finding.error ?? list.error
  return { data, error, refetch: () => Promise.all([finding.refetch(), list.refetch()]) }
}

function useNeighbours(workspace: Workspace, folderId: number | undefined, fileId: number, sort: string | undefined) {
  const { seenAs } = workspace
  const { data, isPending } = useReading({ ...folderQuery(workspace, folderId ?? 0), enabled: folderId !== undefined })
  return useMemo<Neighbours>(() => {
    const files = data ? sortEntries(entriesOf(data), parseSort(sort ?? null)).filter(isFile) : []
    const place = files.findIndex(({ id }) => id === fileId)
    const idAt = (index: number) => (place < 0 ? undefined : files[index]?.id)
    const abilities = seenAs ? undefined : data?.abilities
    return { abilities, settled: !isPending, previous: idAt(place - 1), next: idAt(place + 1) }
  }, [data, seenAs, isPending, fileId, sort])
}
