import { useMemo, useState, type ReactNode } from 'react'
import { useDownload } from '../../shared/downloads/use-download.ts'
import { createStore } from '../../ui/store.ts'
import { useFindCommands } from './find/find-owner.tsx'
import { useVersionDownload } from './use-version-download.ts'
import { useViewedFile } from './viewed-file.tsx'
import type { ViewCommands } from './viewer-actions.ts'
import { useLooking } from './viewer-sight.tsx'

interface ViewerCommands {
  commands: ViewCommands
  downloadVersion: (version: number) => void
  panels: { thumbnails: boolean; versions: boolean }
  printing: boolean
  endPrinting: () => void
  asksWho: boolean
  closeWho: () => void
  asks: boolean
  closeAsking: () => void
}

const [CommandsStore, useViewerCommands] = createStore<ViewerCommands>('commands')
export { useViewerCommands }

/** Owns the commands, the open panels and the print dialog. */
export function CommandsOwner({ children }: { children: ReactNode }) {
  const { url, file, shownVersion, previous, next } = useViewedFile()
  const { workspaceId, fileId } = url
  const looking = useLooking()
  const { toggle: find } = useFindCommands()
  const [panels, setPanels] = useState({ thumbnails: true, versions: false })
  const [printing, setPrinting] = useState(false)
  const [asksWho, setAsksWho] = useState(false)
  const [asks, setAsks] = useState(false)
  const download = useDownload(workspaceId, { hasNoTray: true })
  const downloadVersion = useVersionDownload(workspaceId, fileId)
  const commands = useMemo<ViewCommands>(
    () => ({
      ...looking,
      close: () => url.close(file?.folder_id ?? 0),
      openNeighbour: (step) => {
        const id = step === 1 ? next : previous
        if (id !== undefined) url.openFile(id)
      },
      toggleThumbnails: () => setPanels((before) => ({ ...before, thumbnails: !before.thumbnails })),
      toggleVersions: () => setPanels((before) => ({ ...before, versions: !before.versions })),
      download: () => {
        if (!file) return
        if (shownVersion < file.version) downloadVersion(shownVersion)
        else void download([{ kind: 'file', id: file.id, name: file.title, fileKind: file.kind }])
      },
      print: () => setPrinting(true),
      find,
      showWho: () => setAsksWho(true),
      ask: () => setAsks(true),
      showInFolder: () => file && url.showInFolder(file.folder_id),
    }),
    [looking, find, url, file, shownVersion, previous, next, download, downloadVersion],
  )
  const store = useMemo(
    () => ({
      commands,
      downloadVersion,
      panels,
      printing,
      endPrinting: () => setPrinting(false),
      asksWho,
      closeWho: () => setAsksWho(false),
      asks,
      closeAsking: () => setAsks(false),
    }),
    [commands, downloadVersion, panels, printing, asksWho, asks],
  )
  return <CommandsStore value={store}>{children}</CommandsStore>
}
