import { useQueries, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, refresh } from '../../api/query.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { countWords, namesOf } from '../../shared/names-of.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { REMOVALS_AT_ONCE, removeEntry } from './change-calls.ts'
import { isFolder, type Entry, type FolderContent, type FolderEntry } from './entries.ts'
import { folderQuery, type Workspace } from './folder-query.ts'
import { without } from './foreseen.ts'
import { restoreEntries } from './restore.ts'

/** Folders whose content is counted before they are deleted. */
const COUNTED = 12

interface RemoveDialogProps {
  workspace: Workspace
  /** The folder they are in. */
  folderId: number
  entries: readonly Entry[]
  onClose: () => void
}

/** Asks before deleting, and says what goes along. */
export function RemoveDialog({ workspace, folderId, entries, onClose }: RemoveDialogProps) {
  const workspaceId = workspace.id
  const undo = useUndo(workspaceId)
  const client = useQueryClient()
  const leave = (done: readonly Entry[]) =>
    client.setQueryData<FolderContent>(
      folderQuery(workspace, folderId).queryKey,
      (content) => content && without(content, new Set(done.map(({ key }) => key))),
    )
  const folders = entries.filter(isFolder)
  const inside = useContentWords(workspaceId, folders)
  return (
    <BulkDialog
      title={`Delete ${namesOf(entries)}?`}
      submit={`Delete ${entries.length > 1 ? namesOf(entries) : ''}`.trim()}
      words={{ doing: 'Deleting', done: 'deleted' }}
      danger
      entries={entries}
      work={(entry) => removeEntry(workspaceId, entry)}
      atOnce={REMOVALS_AT_ONCE}
      onDone={leave}
      {...(workspace.admin && { undo })}
      onClose={onClose}
    >
      {folders.length > 0 && <div>{inside}</div>}
      <div>{consequence(entries, workspace.admin)}</div>
    </BulkDialog>
  )
}

function consequence(entries: readonly Entry[], admin: boolean): string {
  const [subject, object] = entries.length > 1 ? ['They', 'them'] : ['It', 'it']
  const who = admin ? 'You' : 'A workspace admin'
  return `${subject} can no longer be seen or downloaded by anyone. ${who} can bring ${object} back for 30 days.`
}

/** Only admins see what was deleted, and so only they can take it back. */
function useUndo(workspaceId: number) {
  const toasts = useToasts()
  return async (done: readonly Entry[]) => {
    try {
      await restoreEntries(workspaceId, done)
      toasts.done(`${namesOf(done)} restored.`)
    } catch (error) {
      toasts.failed(`Could not bring back ${namesOf(done)}. ${messageOf(error)}`)
    }
    void refresh()
  }
}

/** "It holds 3 folders and 12 files, which are deleted with everything below them." */
function useContentWords(workspaceId: number, folders: readonly FolderEntry[]): string {
  const counted = folders.slice(0, COUNTED)
  const totals = useQueries({
    queries: counted.map(({ id }) =>
      read(api.folders.get, { params: { id }, query: { workspace_id: workspaceId, page: 1, per_page: 25 } }),
    ),
    combine: (results) => results.map(({ data }) => data?.totals),
  })
  const subject = folders.length === 1 ? 'The folder' : 'The folders'
  const verb = folders.length === 1 ? 'holds' : 'hold'
  if (folders.length > COUNTED || totals.includes(undefined)) {
    return `${subject} and everything in ${folders.length === 1 ? 'it' : 'them'} will be deleted.`
  }
  const sum = { folders: 0, files: 0 }
  for (const total of totals) {
    sum.folders += total?.folders ?? 0
    sum.files += total?.files ?? 0
  }
  if (sum.folders + sum.files === 0) return `${subject} ${folders.length === 1 ? 'is' : 'are'} empty.`
  const below = sum.folders > 0 ? ', along with everything inside those folders' : ''
  return `${subject} ${verb} ${countWords(sum)}, which will be deleted as well${below}.`
}
