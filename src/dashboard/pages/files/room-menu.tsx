import { t } from '@lingui/core/macro'
import { lazy, Suspense, useCallback, useState } from 'react'
import { namesOf } from '../../shared/names-of.ts'
import { Opening } from '../../ui/states/opening.tsx'
import type { Action } from './actions.ts'
import type { Entry } from '../../shared/listing/entries.ts'
import { useRoomCommands } from './room-commands.tsx'
import { useRoomListing } from './room-listing.tsx'
import { useSelecting } from './room-selection.tsx'

const RoomActionMenu = lazy(async () => ({ default: (await import('./drafts/room-action-menu.tsx')).RoomActionMenu }))

type Point = { left: number; top: number }

/** Opens the menu of a line, of a folder of the tree (a branch), or of the folder beside the lines. */
export type OpenMenu = (at: Point, entry: Entry | undefined, isBranch?: boolean) => void

/** The menu of the clicked target: the chosen lines, another line, or the folder itself. */
export function useRoomMenu() {
  const { title } = useRoomListing()
  const { commands } = useRoomCommands()
  const selecting = useSelecting()
  const [open, setOpen] = useState<{ at: Point; entries: readonly Entry[]; isBranch: boolean }>()
  const entries = open?.entries ?? []
  const close = () => setOpen(undefined)
  const run = (action: Action) => action.run(commands, entries)
  const openAt = useCallback<OpenMenu>(
    (at, entry, isBranch = false) => {
      const { chosen } = selecting.now()
      const isChosen = !isBranch && entry && chosen.some(({ key }) => key === entry.key)
      setOpen({ at, entries: isChosen ? chosen : entry ? [entry] : [], isBranch })
    },
    [selecting],
  )
  const name = entries.length > 0 ? namesOf(entries) : title
  const place = open?.isBranch ? 'branch' : entries.length > 0 ? 'lines' : 'background'
  const menu = open && (
    <Suspense fallback={<Opening onClose={close} />}>
      <RoomActionMenu
        at={open.at}
        label={t`Actions for ${name}`}
        place={place}
        entries={entries}
        onRun={run}
        onClose={close}
      />
    </Suspense>
  )
  return { openAt, menu }
}
