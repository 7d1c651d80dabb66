import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { namesOf } from '../../../shared/names-of.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { Transfer } from '../../../shared/listing/bulk-words.ts'
import { destinationOf, refusalOf } from './destinations.ts'
import { type Entry, type FolderMeta, isFolder } from '../../../shared/listing/entries.ts'
import type { Workspace } from '../../../shared/listing/folder-query.ts'
import { FolderTree } from '../tree/folder-tree.tsx'
import { RightsNote } from '../access-effect/rights-note.tsx'
import type { TreeRow } from '../tree/tree-rows.ts'
import { useForeseenRights } from '../access-effect/use-foreseen-rights.ts'
import { useTransfer } from './use-transfer.tsx'
import { useTree } from '../tree/use-tree.ts'

interface DestinationDialogProps {
  verb: Transfer
  workspace: Workspace
  /** The open folder. */
  from: FolderMeta
  entries: readonly Entry[]
  onClose: () => void
}

interface Words {
  title: (names: string) => string
  /** Labels of the button: `here` without a chosen folder, `into` with one. */
  here: () => string
  into: (to: string) => string
}

const WORDS: Record<Transfer, Words> = {
  move: { title: (names) => t`Move ${names}`, here: () => t`Move here`, into: (to) => t`Move to “${to}”` },
  copy: { title: (names) => t`Copy ${names}`, here: () => t`Copy here`, into: (to) => t`Copy to “${to}”` },
}

/** Picks the folder that entries are moved or copied to. */
export function DestinationDialog({ verb, workspace, from, entries, onClose }: DestinationDialogProps) {
  const [chosen, setChosen] = useState<number>()
  const tree = useTree(workspace, from)
  const row = tree.rows.find(({ id }) => id === chosen)
  const to = row && destinationOf(row, workspace.name)
  const words = WORDS[verb]
  const foreseen = useForeseenRights(workspace, verb, entries, to?.id)
  const { begin, inWords, questions, ...transfer } = useTransfer(verb, workspace, entries, chosen ?? from.id)
  const [first] = entries
  // Entries of the list are in the open folder; a folder of the tree need not be.
  const fromId = first && isFolder(first) ? first.source.parent_id : from.id
  const refusalOfRow = (row: TreeRow) => refusalOf(verb, entries, fromId, destinationOf(row, workspace.name))
  return (
    <>
      <BulkDialog
        title={words.title(namesOf(entries))}
        submit={to ? words.into(to.name) : words.here()}
        verb={verb}
        to={to?.name}
        entries={entries}
        {...transfer}
        onBegin={begin}
        inWords={(done) => inWords(done, to?.name ?? '')}
        disabled={!to}
        wide
        onClose={onClose}
      >
        <Box sx={{ height: 320, border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}>
          <FolderTree
            tree={tree}
            label={t`Where to`}
            autoFocus
            workspaceName={workspace.name}
            current={chosen}
            onChoose={setChosen}
            refusalOf={refusalOfRow}
          />
        </Box>
        <RightsNote verb={verb} entries={entries} to={to?.name} foreseen={foreseen} />
      </BulkDialog>
      {questions}
    </>
  )
}
