import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { useDownload } from '../../shared/downloads/use-download.ts'
import { Opening } from '../../ui/states/opening.tsx'
import { createStore } from '../../ui/store.ts'
import type { Commands } from './actions.ts'
import type { Destination } from './change/destinations.ts'
import type { Entry } from '../../shared/listing/entries.ts'
import type { Question } from './change/question-dialog.tsx'
import { useRoomAddress, useRoomListing } from './room-listing.tsx'
import { useSelecting } from './room-selection.tsx'
import { choose } from '../../shared/listing/selection.ts'
import { idsAbove } from './tree/tree-rows.ts'
import { useRename, type Rename } from './list/use-rename.ts'
import { useReorder } from './list/use-reorder.ts'

// Loaded on demand: most visits change nothing.
const QuestionDialog = lazy(async () => ({ default: (await import('./change/question-dialog.tsx')).QuestionDialog }))

interface RoomCommands {
  commands: Commands
  /** Moves dragged lines, after a question where rights change. */
  drop: (entries: readonly Entry[], to: Destination) => void
  /** The line whose name is being changed. */
  rename: Rename
}

const [CommandsStore, useRoomCommands] = createStore<RoomCommands>('commands')
export { CommandsStore, useRoomCommands }

interface Place {
  folderId: number
  /** Undefined until the folder is read. */
  idPath: string | undefined
  goTo: (id: number) => void
  selecting: ReturnType<typeof useSelecting>
}

export const openIn =
  ({ goTo, openFile }: Pick<Place, 'goTo'> & { openFile: (id: number) => void }) =>
  ({ kind, id }: Entry) =>
    kind === 'folder' ? goTo(id) : openFile(id)

/** Goes to the folder above, where the one that was open is chosen. */
export const goUpFrom =
  ({ folderId, idPath, goTo, selecting }: Place) =>
  () => {
    const parent = idPath === undefined ? undefined : idsAbove(idPath).at(-1)
    if (parent === undefined) return
    selecting.prepare({ folderId: parent, selection: choose(`folder-${folderId}`) })
    goTo(parent)
  }

/** Owns the commands, the question that is open before a change, and the name that is being changed. */
export function CommandsOwner({ children }: { children: ReactNode }) {
  const { workspace, folderId, goTo, goToTrash, askAbout, openFile } = useRoomAddress()
  const { content, title } = useRoomListing()
  const selecting = useSelecting()
  const [question, setQuestion] = useState<Question>()
  const rename = useRename(workspace, folderId)
  const shift = useReorder(workspace, folderId)
  const download = useDownload(workspace.id)
  const { begin } = rename
  const idPath = content?.folder.id_path
  const commands = useMemo<Commands>(
    () => ({
      open: openIn({ goTo, openFile }),
      goUp: goUpFrom({ folderId, idPath, goTo, selecting }),
      download: (wanted) => void download(wanted),
      rename: begin,
      shift,
      ask: (kind, entries) => setQuestion({ kind, entries }),
      askCreate: () => setQuestion({ kind: 'create' }),
      askAbout: (file) => askAbout(file.id),
      showTrash: goToTrash,
      chooseAll: selecting.chooseAll,
      chooseAlso: selecting.chooseAlso,
      showDetails: selecting.showDetails,
    }),
    [folderId, idPath, goTo, goToTrash, openFile, selecting, begin, shift, download, askAbout],
  )
  const store = useMemo<RoomCommands>(
    () => ({ commands, drop: (entries, to) => setQuestion({ kind: 'drop', entries, to }), rename }),
    [commands, rename],
  )
  return (
    <CommandsStore value={store}>
      {children}
      <Suspense fallback={<Opening onClose={() => setQuestion(undefined)} />}>
        {question && content && (
          <QuestionDialog
            question={question}
            workspace={workspace}
            folder={content.folder}
            folderName={title}
            onCreated={(id) => selecting.select(choose(`folder-${id}`))}
            onClose={() => setQuestion(undefined)}
          />
        )}
      </Suspense>
    </CommandsStore>
  )
}
