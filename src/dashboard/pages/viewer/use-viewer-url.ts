import { useMemo } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { idOf } from '../../paths.ts'
import { filePath, folderPath, type Workspace } from '../../shared/listing/folder-query.ts'
import { useLatest } from '../../ui/use-latest.ts'

interface ViewerState {
  /** The file that a list of the dashboard opened. Back leads to that list. */
  opened?: number
  /** Whether the viewer itself wrote the address, which it then does not read. */
  own?: boolean
}

const MAX_FIND = 500
/** A search finds shorter words only in titles. */
const SHORTEST_IN_TEXT = 3

const useViewerState = () => (useLocation().state ?? {}) as ViewerState

/**
 * Reads the state from the address (file, version, order of the neighbours) and changes it. The result stays the same
 * object while only the page changes.
 */
export function useViewerUrl(workspace: Workspace) {
  const { fileId: file } = useParams()
  const [search] = useSearchParams()
  const { opened } = useViewerState()
  const navigate = useNavigate()
  const [workspaceId, fileId] = [workspace.id, idOf(file)]
  const sort = search.get('sort') ?? undefined
  const { version } = shownIn(search)
  const latest = useLatest(search)
  return useMemo(() => {
    const kept = opened === undefined ? {} : { opened }
    return {
      workspaceId,
      fileId,
      version,
      sort,
      setPage: (page: number) =>
        void navigate(`?${changed(latest.current, 'page', page > 1 ? page : undefined)}`, {
          replace: true,
          state: { ...kept, own: true },
        }),
      endFind: () => {
        if (!latest.current.has('find')) return
        void navigate(`?${changed(latest.current, 'find', undefined)}`, {
          replace: true,
          state: { ...kept, own: true },
        })
      },
      setVersion: (version: number | undefined) =>
        void navigate(`?${changed(changed(latest.current, 'page', undefined), 'version', version)}`, {
          replace: true,
          state: kept,
        }),
      openFile: (id: number) =>
        void navigate(filePath(workspace, id, sort === undefined ? {} : { sort }), { replace: true, state: kept }),
      /** Goes back to the list that opened this file. After a step to another file, goes to that file in its folder. */
      close: (folderId: number) => {
        if (opened === fileId) return void navigate(-1)
        const query = { file: fileId, ...(sort !== undefined && { sort }) }
        return void navigate(folderPath(workspace, folderId, query), { replace: true })
      },
      /** Goes to the file's line in its folder, wherever the viewer was opened. */
      showInFolder: (folderId: number) => void navigate(folderPath(workspace, folderId, { file: fileId })),
    }
  }, [navigate, latest, workspace, workspaceId, fileId, version, sort, opened])
}

export type ViewerUrl = ReturnType<typeof useViewerUrl>

/** The page in the address, whether a link or the viewer gave one, and whether the viewer itself wrote it there. */
export function usePageInUrl() {
  const [search] = useSearchParams()
  const isGiven = search.has('page') || search.has('find') || search.has('version')
  return { page: shownIn(search).page, isGiven, isOwn: useViewerState().own === true }
}

/** The page and the version in the address; undefined for the newest version. */
export function shownIn(search: URLSearchParams): { page: number; version: number | undefined } {
  const numberOf = (name: string) => Math.max(1, idOf(search.get(name) ?? '1'))
  return { page: numberOf('page'), version: search.has('version') ? numberOf('version') : undefined }
}

/** The search that led to the file; undefined where nothing is left to be marked. */
export function useFindInUrl(): string | undefined {
  const find = useSearchParams()[0].get('find')?.trim().slice(0, MAX_FIND) ?? ''
  return find.length < SHORTEST_IN_TEXT ? undefined : find
}

function changed(before: URLSearchParams, name: string, value: number | undefined): URLSearchParams {
  const after = new URLSearchParams(before)
  if (value === undefined) after.delete(name)
  else after.set(name, String(value))
  return after
}
