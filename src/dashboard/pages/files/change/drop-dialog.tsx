import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { namesOf } from '../../../shared/names-of.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { Destination } from './destinations.ts'
import type { Entry } from '../../../shared/listing/entries.ts'
import { useTransfer } from './use-transfer.tsx'
import type { Workspace } from '../../../shared/listing/folder-query.ts'
import { RightsNote } from '../access-effect/rights-note.tsx'
import { changesNothing } from '../../../shared/who/foreseen-words.ts'
import { useForeseenRights } from '../access-effect/use-foreseen-rights.ts'

interface DropDialogProps {
  workspace: Workspace
  entries: readonly Entry[]
  to: Destination
  onClose: () => void
}

/** In milliseconds. The effects of a move are mostly known sooner; a dialog that closes at once would only flicker. */
const PATIENCE = 400

/**
 * Asks before lines that were dragged onto a folder move there, because a slip of the hand would change who sees them.
 * If the move changes no rights, the lines move at once.
 */
export function DropDialog({ workspace, entries, to, onClose }: DropDialogProps) {
  const foreseen = useForeseenRights(workspace, 'move', entries, to.id)
  const waitedLong = useElapsed(PATIENCE)
  const { begin, inWords, questions, ...transfer } = useTransfer('move', workspace, entries, to.id)
  if (foreseen.loading && !waitedLong) return null
  const names = namesOf(entries)
  const target = to.name
  return (
    <>
      <BulkDialog
        title={t`Move ${names} to “${target}”?`}
        submit={t({ message: 'Move', context: 'verb' })}
        verb="move"
        to={target}
        entries={entries}
        {...transfer}
        onBegin={begin}
        inWords={(done) => inWords(done, target)}
        unasked={foreseen.rights !== undefined && changesNothing(foreseen.rights)}
        onClose={onClose}
      >
        <RightsNote verb="move" entries={entries} to={target} foreseen={foreseen} />
      </BulkDialog>
      {questions}
    </>
  )
}

function useElapsed(milliseconds: number): boolean {
  const [elapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return elapsed
}
