import { useQueries } from '@tanstack/react-query'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { REMOVALS_AT_ONCE, removeEntry } from './change-calls.ts'
import { countWords, isFolder, namesOf, type Entry, type FolderEntry } from './entries.ts'

/** Folders whose content is counted before they are deleted. */
const COUNTED = 12

interface RemoveDialogProps {
  workspaceId: number
  entries: readonly Entry[]
  onClose: () => void
}

/** Asks before deleting, and says what goes along. */
export function RemoveDialog({ workspaceId, entries, onClose }: RemoveDialogProps) {
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
      onClose={onClose}
    >
      {folders.length > 0 && <div>{inside}</div>}
      <div>
        {entries.length > 1 || folders.length > 0 ? 'They' : 'It'} can no longer be seen or downloaded by anyone.
      </div>
    </BulkDialog>
  )
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
