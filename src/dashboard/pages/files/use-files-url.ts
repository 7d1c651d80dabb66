import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType, useParams, useSearchParams } from 'react-router-dom'
import { idOf, paths } from '../../paths.ts'
import { formatSort, parseSort, type Sort } from '../../shared/listing/sort.ts'
import { filePath, folderPath, ROOT, type Workspace } from '../../shared/listing/folder-query.ts'

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

/**
 * Reads the state from the address (folder, order, filter, open details) and changes it. The result stays the same
 * object while only the chosen file changes.
 */
export function useFilesUrl(workspace: Workspace) {
  const { folderId: folder } = useParams()
  const [search] = useSearchParams()
  const workspaceId = workspace.id
  const folderId = folder === undefined ? ROOT : idOf(folder)
  const sortText = search.get('sort')
  const filter = search.get('q') ?? ''
  const details = search.has('details')
  const later = useLater(folderId)
  const steps = useSteps(workspace, search, later)
  return useMemo(
    () => ({ workspaceId, folderId, sort: parseSort(sortText), filter, details, ...steps }),
    [workspaceId, folderId, sortText, filter, details, steps],
  )
}

export type FilesUrl = ReturnType<typeof useFilesUrl>

/** The chosen file in the address, and whether the page has to follow it: after Back, Forward or a link. */
export function useFileInUrl() {
  const [search] = useSearchParams()
  const state = useLocation().state as OwnChange | null
  const isFollowed = useNavigationType() === 'POP' || state?.own !== true
  const text = search.get('file')
  return { file: text === null ? undefined : idOf(text), isFollowed }
}

/** The address follows the arrow keys once they have rested for this long, in milliseconds. */
const REST = 200

/** Runs the latest work after a rest; none drops what waits. Leaving the folder drops it too. */
function useLater(folderId: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- leaving the folder is what ends the wait
  useEffect(() => () => clearTimeout(timer.current), [folderId])
  return useCallback((work?: () => void) => {
    clearTimeout(timer.current)
    if (work) timer.current = setTimeout(work, REST)
  }, [])
}

/** Several changes may come before the address has followed the first, so each builds on the change before. */
function useSteps(workspace: Workspace, search: URLSearchParams, later: (work?: () => void) => void) {
  const isPushed = (useLocation().state as OwnChange | null)?.pushed === true
  const navigate = useNavigate()
  const latest = useRef({ search, isPushed })
  useEffect(() => {
    latest.current = { search, isPushed }
  }, [search, isPushed])
  return useMemo(() => {
    const sortQuery = () => {
      const sort = latest.current.search.get('sort')
      return sort === null ? {} : { sort }
    }
    const change = (changes: UrlChange, push = false) => {
      const next = { search: changed(latest.current.search, changes), isPushed: push || latest.current.isPushed }
      latest.current = next
      const state: OwnChange = { own: true, pushed: next.isPushed }
      void navigate(`?${next.search}`, { replace: !push, state })
    }
    /** Goes elsewhere. A change of this address that waits would end the way there. */
    const leaveTo = (address: string) => {
      later()
      void navigate(address)
    }
    /** Opens a file. Back leads to the list with the file chosen. */
    const openFile = async (id: number) => {
      later()
      const { search, isPushed } = latest.current
      if (search.get('file') !== String(id)) {
        const own: OwnChange = { own: true, pushed: isPushed }
        await navigate(`?${changed(search, { file: id })}`, { replace: true, state: own })
      }
      await navigate(filePath(workspace, id, sortQuery()), { state: { opened: id } })
    }
    return {
      change,
      later,
      goTo: (id: number) => leaveTo(folderPath(workspace, id, sortQuery())),
      goToTrash: () => leaveTo(paths.trash(workspace.id)),
      askAbout: (file: number) => leaveTo(paths.questions(workspace.id, { ask: '', on: file })),
      openFile: (id: number) => void openFile(id),
      /** Goes back if the details were pushed to the history; otherwise only removes them from the address. */
      closeDetails: () => (latest.current.isPushed ? void navigate(-1) : change({ details: false })),
    }
  }, [navigate, workspace, later])
}

function changed(before: URLSearchParams, changes: UrlChange): URLSearchParams {
  const after = new URLSearchParams(before)
  const put = (name: string, value: string | undefined) => (value ? after.set(name, value) : after.delete(name))
  if ('file' in changes) put('file', changes.file?.toString())
  if ('sort' in changes) put('sort', formatSort(changes.sort))
  if ('q' in changes) put('q', changes.q)
  if ('details' in changes) put('details', changes.details ? 'open' : undefined)
  return after
}
