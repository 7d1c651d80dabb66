import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, refresh, useReadings } from '../../../api/query.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { countWords, namesOf } from '../../../shared/names-of.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { REMOVALS_AT_ONCE, removeEntry } from './change-calls.ts'
import { isFolder, type Entry, type FolderContent, type FolderEntry } from '../../../shared/listing/entries.ts'
import { folderQuery, ROOT, type Workspace } from '../../../shared/listing/folder-query.ts'
import { restoredWords, type Restored } from '../../../shared/listing/restored-words.ts'
import { without } from '../access-effect/foreseen.ts'
import { restoreEntries } from './restore.ts'

/** The content of the deleted folders is counted first, if they are at most this many. */
const COUNTED = 12

interface RemoveDialogProps {
  workspace: Workspace
  /** The folder that contains the entries. */
  folderId: number
  entries: readonly Entry[]
  onClose: () => void
}

/** Asks before deleting, and says what is deleted along with the entries. */
export function RemoveDialog({ workspace, folderId, entries, onClose }: RemoveDialogProps) {
  const workspaceId = workspace.id
  const undo = useUndo(workspaceId, folderId)
  const client = useQueryClient()
  const leave = (done: readonly Entry[]) =>
    client.setQueryData<FolderContent>(
      folderQuery(workspace, folderId).queryKey,
      (content) => content && without(content, new Set(done.map(({ key }) => key))),
    )
  const folders = entries.filter(isFolder)
  const names = namesOf(entries)
  const inside = useContentWords(workspaceId, folders)
  return (
    <BulkDialog
      title={t`Delete ${names}?`}
      submit={entries.length > 1 ? t`Delete ${names}` : t`Delete`}
      verb="remove"
      danger
      entries={entries}
      work={(entry) => removeEntry(workspaceId, entry)}
      atOnce={REMOVALS_AT_ONCE}
      onDone={leave}
      {...(workspace.admin && { undo })}
      onClose={onClose}
    >
      {folders.length > 0 && <div>{inside}</div>}
      <div>{consequence(entries.length, workspace.admin)}</div>
    </BulkDialog>
  )
}

function consequence(lines: number, admin: boolean): string {
  if (admin) {
    return plural(lines, {
      one: 'It can no longer be seen or downloaded by anyone. You can bring it back for 30 days.',
      other: 'They can no longer be seen or downloaded by anyone. You can bring them back for 30 days.',
    })
  }
  return plural(lines, {
    one: 'It can no longer be seen or downloaded by anyone. A workspace admin can bring it back for 30 days.',
    other: 'They can no longer be seen or downloaded by anyone. A workspace admin can bring them back for 30 days.',
  })
}

/** Only admins see what was deleted, so only they can undo it. */
function useUndo(workspaceId: number, folderId: number) {
  const toasts = useToasts()
  const wordsFor = (items: readonly Entry[], restored: ReadonlyMap<Entry, Restored>) =>
    restoredWords(items, restored, () => folderId === ROOT)
  return async (done: readonly Entry[]) => {
    try {
      const { restored, error } = await restoreEntries(workspaceId, done)
      if (error === undefined) toasts.done(wordsFor(done, restored))
      else {
        const left = namesOf(done.filter((entry) => !restored.has(entry)))
        const failure = failureWords(left, error)
        toasts.failed(restored.size > 0 ? `${wordsFor([...restored.keys()], restored)} ${failure}` : failure)
      }
    } catch (error) {
      toasts.failed(failureWords(namesOf(done), error))
    }
    void refresh()
  }
}

function failureWords(names: string, error: unknown): string {
  const reason = messageOf(error)
  return t`Could not bring back ${names}. ${reason}`
}

/** "The folder holds 3 folders and 12 files, which will be deleted as well, along with …". */
function useContentWords(workspaceId: number, folders: readonly FolderEntry[]): string {
  const counted = folders.slice(0, COUNTED)
  const totals = useReadings({
    queries: counted.map(({ id }) =>
      read(api.folders.get, { params: { id }, query: { workspace_id: workspaceId, page: 1, per_page: 25 } }),
    ),
    combine: (results) => results.map(({ data }) => data?.totals),
  })
  if (folders.length > COUNTED || totals.includes(undefined)) {
    return plural(folders.length, {
      one: 'The folder and everything in it will be deleted.',
      other: 'The folders and everything in them will be deleted.',
    })
  }
  const sum = { folders: 0, files: 0 }
  for (const total of totals) {
    sum.folders += total?.folders ?? 0
    sum.files += total?.files ?? 0
  }
  return contentWords(folders.length, sum)
}

function contentWords(folders: number, inside: { folders: number; files: number }): string {
  if (inside.folders + inside.files === 0) {
    return plural(folders, { one: 'The folder is empty.', other: 'The folders are empty.' })
  }
  const content = countWords(inside)
  if (inside.folders === 0) {
    return plural(folders, {
      one: `The folder holds ${content}, which will be deleted as well.`,
      other: `The folders hold ${content}, which will be deleted as well.`,
    })
  }
  return plural(folders, {
    one: `The folder holds ${content}, which will be deleted as well, along with everything inside those folders.`,
    other: `The folders hold ${content}, which will be deleted as well, along with everything inside those folders.`,
  })
}
