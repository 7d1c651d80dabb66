import { useCallback } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { idOf, paths } from '../../../paths.ts'

interface ViewerState {
  /** The file that a list of the dashboard opened. Back leads to that list. */
  opened?: number
  /** Whether the viewer itself wrote the address and so takes nothing over from it. */
  own?: boolean
}

/** Reads the state from the address (file, page, version, order of the neighbours) and changes it. */
export function useViewerUrl() {
  const { workspaceId: workspace, fileId: file } = useParams()
  const [search, setSearch] = useSearchParams()
  const state = (useLocation().state ?? {}) as ViewerState
  const navigate = useNavigate()
  const [workspaceId, fileId] = [idOf(workspace), idOf(file)]
  const sort = search.get('sort') ?? undefined
  const { opened } = state
  const kept = opened === undefined ? {} : { opened }

  const setPage = useCallback(
    (page: number) =>
      setSearch((before) => changed(before, 'page', page > 1 ? page : undefined), {
        replace: true,
        state: opened === undefined ? { own: true } : { opened, own: true },
      }),
    [setSearch, opened],
  )
  const setVersion = (version: number | undefined) =>
    setSearch(changed(changed(search, 'page', undefined), 'version', version), { replace: true, state: kept })
  const openFile = (id: number) =>
    navigate(paths.view(workspaceId, id, sort === undefined ? {} : { sort }), { replace: true, state: kept })
  /** Goes back to the list that opened this file. After a step to another file, goes to that file in its folder. */
  const close = (folderId: number) => {
    if (opened === fileId) return navigate(-1)
    const query = { file: fileId, ...(sort !== undefined && { sort }) }
    return navigate(paths.files(workspaceId, folderId, query), { replace: true })
  }
  /** Goes to the file's line in its folder, wherever the viewer was opened. */
  const showInFolder = (folderId: number) => navigate(paths.files(workspaceId, folderId, { file: fileId }))
  return {
    workspaceId,
    fileId,
    page: Math.max(1, idOf(search.get('page') ?? '1')),
    version: search.has('version') ? Math.max(1, idOf(search.get('version') ?? '')) : undefined,
    sort,
    isOwn: state.own === true,
    setPage,
    setVersion,
    openFile,
    close,
    showInFolder,
  }
}

function changed(before: URLSearchParams, name: string, value: number | undefined): URLSearchParams {
  const after = new URLSearchParams(before)
  if (value === undefined) after.delete(name)
  else after.set(name, String(value))
  return after
}
