import { useMemo, type ReactNode } from 'react'
import type { Commands } from '../actions.ts'
import { CommandsStore, goUpFrom, openIn } from '../room-commands.tsx'
import { useRoomAddress, useRoomListing } from '../room-listing.tsx'
import { useSelecting } from '../room-selection.tsx'

const nothing = () => {}
const NO_NAME = { key: undefined, error: undefined, pending: false, begin: nothing, save: nothing }

/** Owns commands that only lead through the room. Whatever an action asks for, nothing can change. */
export function ReadingCommandsOwner({ children }: { children: ReactNode }) {
  const { folderId, goTo, openFile } = useRoomAddress()
  const { content } = useRoomListing()
  const selecting = useSelecting()
  const idPath = content?.folder.id_path
  const store = useMemo(() => {
    const commands: Commands = {
      open: openIn({ goTo, openFile }),
      goUp: goUpFrom({ folderId, idPath, goTo, selecting }),
      download: nothing,
      rename: nothing,
      shift: nothing,
      ask: nothing,
      askCreate: nothing,
      askAbout: nothing,
      showTrash: nothing,
      chooseAll: selecting.chooseAll,
      chooseAlso: selecting.chooseAlso,
      showDetails: selecting.showDetails,
    }
    return { commands, drop: nothing, rename: NO_NAME }
  }, [folderId, idPath, goTo, openFile, selecting])
  return <CommandsStore value={store}>{children}</CommandsStore>
}
