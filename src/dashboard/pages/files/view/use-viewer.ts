import { useCallback, useMemo, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { useDownload } from '../../../shared/downloads/use-download.ts'
import { entriesOf, isFile } from '../entries.ts'
import { folderQuery, type Workspace } from '../folder-query.ts'
import { parseSort, sortEntries } from '../sort.ts'
import { useScreen } from '../use-screen.ts'
import { naturalSize, nextStep, turned, type Size, type Turn, type Zoom } from './page-layout.ts'
import { useDocument, usePageUrls, type FileVersionKey } from './use-pages.ts'
import { usePinch } from './use-pinch.ts'
import { usePageWindow } from './use-page-window.ts'
import { useVersionDownload } from './use-version-download.ts'
import { useViewerUrl } from './use-viewer-url.ts'
import type { ViewCommands, ViewSituation } from './viewer-actions.ts'

export const fileQuery = (workspaceId: number, id: number) =>
  read(api.files.get, { params: { id }, query: { workspace_id: workspaceId } })

/** The state and the commands of the viewer, from which its parts pick. */
export function useViewer(workspace: Workspace) {
  const url = useViewerUrl()
  const { workspaceId, fileId, version } = url
  const screen = useScreen()
  const { data: file, error: fileError, refetch } = useReading(fileQuery(workspaceId, fileId))
  const around = useNeighbours(workspace, file?.folder_id, fileId, url.sort)
  const key = useMemo<FileVersionKey>(() => ({ workspaceId, fileId, version }), [workspaceId, fileId, version])
  const { data: document, error: pagesError, refetch: refetchPages } = useDocument(key, url.page)
  const [look, setLook] = useState<{ zoom: Zoom; fitted: number; turn: Turn }>({ zoom: 'auto', fitted: 1, turn: 0 })
  const sizes = useSizes(document, look.turn)
  const window = usePageWindow(sizes, look.zoom, look.fitted)
  const { sight, scale, layout, view } = window
  const [thumbs, setThumbs] = useState<[number, number]>([1, 1])
  const onThumbsInSight = useCallback((first: number, last: number) => setThumbs([first, last]), [])
  const [panels, setPanels] = useState({ thumbnails: true, versions: false })
  const [printing, setPrinting] = useState(false)
  const urls = usePageUrls(key, document, [[sight.first + 1, sight.last + 1], ...(sizes.length > 1 ? [thumbs] : [])])
  const download = useDownload(workspaceId)
  const downloadVersion = useVersionDownload(workspaceId, fileId)
  const shownVersion = document?.version ?? version ?? file?.version ?? 1
  const box = layout.boxes[sight.page - 1]

  const situation: ViewSituation = {
    shown: sizes.length > 0 && file !== undefined && file.infected !== true,
    page: sight.page,
    pages: sizes.length,
    scale,
    fits: box !== undefined && box.height <= view.height,
    mayDownload: around.abilities?.download === true && file !== undefined,
    intact: file !== undefined && file.infected !== true && !file.damaged,
    mayManage: around.abilities?.manage === true,
    mayPrint: document?.printable === true,
    previous: around.previous,
    next: around.next,
    phone: screen.phone,
  }
  const zoomTo = (zoom: Zoom) => setLook({ ...look, zoom, fitted: sight.page })
  const commands: ViewCommands = {
    close: () => void url.close(file?.folder_id ?? 0),
    openNeighbour: (step) => {
      const id = step === 1 ? around.next : around.previous
      if (id !== undefined) void url.openFile(id)
    },
    turnPage: (step) => window.goTo(sight.page + step),
    goTo: window.goTo,
    zoom: zoomTo,
    stepZoom: (direction) => zoomTo(nextStep(scale, direction)),
    rotate: () => setLook({ ...look, turn: ((look.turn + 90) % 360) as Turn }),
    toggleThumbnails: () => setPanels({ ...panels, thumbnails: !panels.thumbnails }),
    toggleVersions: () => setPanels({ ...panels, versions: !panels.versions }),
    download: () => {
      if (!file) return
      if (shownVersion < file.version) void downloadVersion(shownVersion)
      else void download([{ kind: 'file', id: file.id, name: file.title }])
    },
    print: () => setPrinting(true),
    showInFolder: () => file && void url.showInFolder(file.folder_id),
  }
  usePinch(window, zoomTo)
  return {
    workspace,
    key,
    url,
    screen,
    file,
    document,
    error: fileError ?? pagesError,
    retry: () => void Promise.all([refetch(), refetchPages()]),
    shownVersion,
    downloadVersion,
    printing,
    endPrinting: useCallback(() => setPrinting(false), []),
    window,
    sizes,
    turn: look.turn,
    urls,
    onThumbsInSight,
    panels,
    situation,
    commands,
  }
}

export type Viewer = ReturnType<typeof useViewer>

const NO_SIZES: readonly Size[] = []

function useSizes(document: { widths: number[]; heights: number[] } | undefined, turn: Turn): readonly Size[] {
  // An answer with new URLs has the same sizes, so it must not cause a new layout.
  const signature = document ? [document.widths, document.heights].join(';') : ''
  return useMemo(() => {
    if (signature === '') return NO_SIZES
    const [widths = [], heights = []] = signature.split(';').map((side) => (side ? side.split(',').map(Number) : []))
    return widths.map((width, index) => turned(naturalSize({ width, height: heights[index] ?? width }), turn))
  }, [signature, turn])
}

/** The user's abilities in the file's folder, and the files before and after this file in the order of the list. */
function useNeighbours(workspace: Workspace, folderId: number | undefined, fileId: number, sort: string | undefined) {
  const { data } = useReading({ ...folderQuery(workspace, folderId ?? 0), enabled: folderId !== undefined })
  return useMemo(() => {
    const files = data ? sortEntries(entriesOf(data), parseSort(sort ?? null)).filter(isFile) : []
    const place = files.findIndex(({ id }) => id === fileId)
    const idAt = (index: number) => (place < 0 ? undefined : files[index]?.id)
    return { abilities: data?.abilities, previous: idAt(place - 1), next: idAt(place + 1) }
  }, [data, fileId, sort])
}
