import { useCallback, useMemo } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { idOf, paths } from '../../paths.ts'
import { formatSort, parseSort, type Sort } from './sort.ts'
import { ROOT } from './tree-rows.ts'

/** Marks a change of address made by the page itself, which then has nothing to take over from it. */
export const OWN_CHANGE = { own: true }

interface Change {
  file?: number | undefined
  sort?: Sort
  q?: string
}

/** What the address says: folder, chosen file, order and filter; and the ways to change it. */
export function useFilesUrl() {
  const { workspaceId: workspace, folderId: folder } = useParams()
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const workspaceId = idOf(workspace)
  const folderId = folder === undefined ? ROOT : idOf(folder)
  const sortText = search.get('sort')
  const sort = useMemo(() => parseSort(sortText), [sortText])
  const fileText = search.get('file')

  const change = useCallback(
    (changes: Change, { push = false } = {}) =>
      setSearch((before) => changed(before, changes), { replace: !push, state: OWN_CHANGE }),
    [setSearch],
  )
  const goTo = useCallback(
    (id: number) => navigate(paths.files(workspaceId, id, sortText === null ? {} : { sort: sortText })),
    [navigate, workspaceId, sortText],
  )
  const file = fileText === null ? undefined : idOf(fileText)
  return { workspaceId, folderId, file, sort, filter: search.get('q') ?? '', change, goTo }
}

export type FilesUrl = ReturnType<typeof useFilesUrl>

function changed(before: URLSearchParams, changes: Change): URLSearchParams {
  const after = new URLSearchParams(before)
  const put = (name: string, value: string | undefined) => (value ? after.set(name, value) : after.delete(name))
  if ('file' in changes) put('file', changes.file?.toString())
  if ('sort' in changes) put('sort', formatSort(changes.sort))
  if ('q' in changes) put('q', changes.q)
  return after
}
