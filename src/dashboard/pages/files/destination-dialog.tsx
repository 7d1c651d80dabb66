import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { FormError } from '../../ui/form-error.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { TRANSFERS_AT_ONCE, transferEntry, type Transfer } from './change-calls.ts'
import { destinationOf, refusalOf } from './destinations.ts'
import { namesOf, type Entry, type FolderMeta } from './entries.ts'
import { folderQuery, type Workspace } from './folder-query.ts'
import { FolderTree } from './folder-tree.tsx'
import { RightsNote } from './rights-note.tsx'
import type { TreeRow } from './tree-rows.ts'
import { useTree } from './use-tree.ts'

interface DestinationDialogProps {
  verb: Transfer
  workspace: Workspace
  /** The folder the entries are in. */
  from: FolderMeta
  entries: readonly Entry[]
  onClose: () => void
}

const WORDS = {
  move: { title: 'Move', doing: 'Moving', done: 'moved' },
  copy: { title: 'Copy', doing: 'Copying', done: 'copied' },
}

/** Picks the folder that entries are moved or copied to. */
export function DestinationDialog({ verb, workspace, from, entries, onClose }: DestinationDialogProps) {
  const [chosen, setChosen] = useState<number>()
  const tree = useTree(workspace, from)
  const row = tree.rows.find(({ id }) => id === chosen)
  const to = row && destinationOf(row, workspace.name)
  const { allowed, refusal } = useUploadCheck(workspace, chosen)
  const words = WORDS[verb]
  const refusalOfRow = (row: TreeRow) =>
    row.folder?.path_node === true
      ? 'you may only pass through this folder'
      : refusalOf(verb, entries, from.id, destinationOf(row, workspace.name))
  return (
    <BulkDialog
      title={`${words.title} ${namesOf(entries)}`}
      submit={to ? `${words.title} to “${to.name}”` : `${words.title} here`}
      words={words}
      where={to ? ` to “${to.name}”` : ''}
      entries={entries}
      work={(entry) => transferEntry(verb, workspace.id, entry, chosen ?? from.id)}
      atOnce={TRANSFERS_AT_ONCE}
      disabled={!to || !allowed}
      wide
      onClose={onClose}
    >
      <Box sx={{ height: 320, border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}>
        <FolderTree
          tree={tree}
          label="Where to"
          workspaceName={workspace.name}
          current={chosen}
          onChoose={setChosen}
          refusalOf={refusalOfRow}
        />
      </Box>
      {refusal ? (
        <FormError>{refusal}</FormError>
      ) : (
        <RightsNote verb={verb} entries={entries} to={to && `“${to.name}”`} />
      )}
    </BulkDialog>
  )
}

/** Whether something may be put into the folder; only its content tells. */
function useUploadCheck(workspace: Workspace, folderId: number | undefined) {
  const { data, error } = useQuery({ ...folderQuery(workspace, folderId ?? 0), enabled: folderId !== undefined })
  if (folderId === undefined) return { allowed: false, refusal: undefined }
  if (error) return { allowed: false, refusal: messageOf(error) }
  const mayNot = data && !data.abilities.upload
  return {
    allowed: data?.abilities.upload === true,
    refusal: mayNot ? 'You may not put anything into this folder.' : undefined,
  }
}
