import { ActionMenu } from '../../../shared/actions/action-menu.tsx'
import type { Entry } from '../../../shared/listing/entries.ts'
import type { Action } from '../actions.ts'
import { useRoomListing } from '../room-listing.tsx'
import { allActionsAt } from './draft-actions.ts'

interface RoomActionMenuProps {
  at: { left: number; top: number }
  label: string
  place: Action['places'][number]
  entries: readonly Entry[]
  onRun: (action: Action) => void
  onClose: () => void
}

/** The menu of lines, of a folder of the tree, or of the open folder. */
export function RoomActionMenu({ place, entries, ...menu }: RoomActionMenuProps) {
  const { situation } = useRoomListing()
  return <ActionMenu {...menu} actions={allActionsAt(place, situation, entries)} withShortcuts={!situation.touch} />
}
