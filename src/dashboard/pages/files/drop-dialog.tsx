import { namesOf } from '../../shared/names-of.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { TRANSFERS_AT_ONCE, transferEntry } from './change-calls.ts'
import type { Destination } from './destinations.ts'
import type { Entry } from './entries.ts'
import { RightsNote } from './rights-note.tsx'

interface DropDialogProps {
  workspaceId: number
  entries: readonly Entry[]
  to: Destination
  onClose: () => void
}

/** Asks before lines that were dragged onto a folder move there: a slip of the hand changes who sees them. */
export function DropDialog({ workspaceId, entries, to, onClose }: DropDialogProps) {
  return (
    <BulkDialog
      title={`Move ${namesOf(entries)} to “${to.name}”?`}
      submit="Move"
      verb="move"
      to={to.name}
      entries={entries}
      work={(entry) => transferEntry('move', workspaceId, entry, to.id)}
      atOnce={TRANSFERS_AT_ONCE}
      onClose={onClose}
    >
      <RightsNote verb="move" entries={entries} to={`“${to.name}”`} />
    </BulkDialog>
  )
}
