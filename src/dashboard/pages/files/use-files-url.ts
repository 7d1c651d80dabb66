import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { idOf, paths } from '../../paths.ts'
import { formatSort, parseSort, type Sort } from './sort.ts'
import { ROOT } from './tree-rows.ts'

/** Marks a change of address by the page itself, which then takes nothing over from the address. */
interface OwnChange {
  own: true
  /** Whether Back undoes the change. */
  pushed: boolean
}

export interface UrlChange {
  file?: number | undefined
  sort?: Sort
  q?: string
  details?: boolean
}

/** Reads the state from the address (folder, chosen file, order, filter, open details) and changes it. */
export function useFilesUrl() {
  const { workspaceId: workspace, folderId: folder } = useParams()
  const [search, setSearch] = useSearchParams()
  const state = useLocation().state as OwnChange | null
  const navigate = useNavigate()
  const workspaceId = idOf(workspace)
  const sortText = search.get('sort')
  const fileText = search.get('file')

  const change = useChange(search, setSearch, state?.pushed === true)
  const goTo = useCallback(
    (id: number) => navigate(paths.files(workspaceId, id, sortText === null ? {} : { sort: sortText })),
    [navigate, workspaceId, sortText],
  )
  const goToTrash = useCallback(() => navigate(paths.trash(workspaceId)), [navigate, workspaceId])
  /** Opens a file. Back leads to the list with the file chosen. */
  const openFile = async (id: number) => {
    if (fileText !== String(id)) {
      const own: OwnChange = { own: true, pushed: state?.pushed === true }
      await navigate({ search: String(changed(search, { file: id })) }, { replace: true, state: own })
    }
    const query = sortText === null ? {} : { sort: sortText }
    await navigate(paths.view(workspaceId, id, query), { state: { opened: id } })
  }
  /** Goes back if the details were pushed to the history; otherwise only removes them from the address. */
  const closeDetails = () => (state?.pushed ? void navigate(-1) : change({ details: false }))
  return {
    workspaceId,
    folderId: folder === undefined ? ROOT : idOf(folder),
    file: fileText === null ? undefined : idOf(fileText),
    sort: useMemo(() => parseSort(sortText), [sortText]),
    filter: search.get('q') ?? '',
    details: search.has('details'),
    isOwn: state?.own === true,
    change,
    goTo,
    goToTrash,
    openFile,
    closeDetails,
  }
}

type SetSearch = ReturnType<typeof useSearchParams>[1]

/** Several changes may come before the address has followed the first, so each builds on the change before. */
function useChange(search: URLSearchParams, setSearch: SetSearch, isPushed: boolean) {
  const latest = useRef({ search, isPushed })
  useEffect(() => {
    latest.current = { search, isPushed }
  }, [search, isPushed])
  return useCallback(
    (changes: UrlChange, push = false) => {
      const next = { search: changed(latest.current.search, changes), isPushed: push || latest.current.isPushed }
      latest.current = next
      const state: OwnChange = { own: true, pushed: next.isPushed }
      setSearch(next.search, { replace: !push, state })
    },
    [setSearch],
  )
}

export type FilesUrl = ReturnType<typeof useFilesUrl>

function changed(before: URLSearchParams, changes: UrlChange): URLSearchParams {
  const after = new URLSearchParams(before)
  const put = (name: string, value: string | undefined) => (value ? after.set(name, value) : after.delete(name))
  if ('file' in changes) put('file', changes.file?.toString())
  if ('sort' in changes) put('sort', formatSort(changes.sort))
  if ('q' in changes) put('q', changes.q)
  if ('details' in changes) put('details', changes.details ? 'open' : undefined)
  return after
}
