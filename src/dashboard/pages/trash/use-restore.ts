import { plural, t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import { refresh } from '../../api/query.ts'
import { namesOf } from '../../shared/names-of.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { doneWords } from '../../shared/listing/bulk-words.ts'
import { runEach, type Outcome } from '../../shared/listing/run-each.ts'
import { useConflicts, type Arriving } from '../../shared/uploads/conflicts/use-conflicts.tsx'
import { trashQuery, type Trash, type TrashItem } from './trash.ts'

type Restored = Reply<typeof api.trash.restore>

interface Result extends Outcome<TrashItem> {
  /** The restored items as they are now. */
  restored: ReadonlyMap<TrashItem, Restored>
}

/** Restores deletions, and tells the progress and the failures. */
export function useRestore(workspaceId: number) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { begin, settle, dialog } = useConflicts(workspaceId)
  const [finished, setFinished] = useState(0)
  const run = useMutation({
    mutationFn: async (items: readonly TrashItem[]): Promise<Result> => {
      setFinished(0)
      const restored = new Map<TrashItem, Restored>()
      const restore = async (item: TrashItem) => {
        const params = { deletion_id: item.deletion_id }
        // Where its folder is gone, this run may bring it back first.
        const isKnown = item.in_place || items.length === 1
        const conflict = isKnown ? await settle(arrivingOf(item)) : 'rename'
        if (conflict === 'skip') return
        restored.set(item, await call(api.trash.restore, { params, body: { workspace_id: workspaceId, conflict } }))
      }
      begin(items.map(arrivingOf))
      const outcome = await runEach(newestFirst(items), restore, { atOnce: 1, onProgress: setFinished })
      return { ...outcome, restored }
    },
    onSuccess: ({ done, failed, restored }, items) => {
      for (const { error } of failed) noticeSignedOut(error)
      const gone = new Set([...restored.keys()].map(({ deletion_id }) => deletion_id))
      client.setQueryData<Trash>(trashQuery(workspaceId).queryKey, (trash) => trash && without(trash, gone))
      void refresh(client)
      if (failed.length === 0) toasts.done(restoredWords(done, restored))
      else if (items.length === 1) toasts.failed(messageOf(failed[0]?.error))
    },
  })
  return {
    restore: run.mutate,
    running: run.isPending,
    items: run.variables ?? [],
    finished,
    /** Set after a run of several items in which some failed. */
    report: !run.isPending && (run.variables?.length ?? 0) > 1 && run.data?.failed.length ? run.data : undefined,
    forget: run.reset,
    /** The question about a name that is taken. */
    question: dialog,
  }
}

/** Restores a folder before the items that were deleted from it earlier, so that they return to it. */
const newestFirst = (items: readonly TrashItem[]) =>
  items.toSorted((one, other) => Date.parse(other.deleted_at) - Date.parse(one.deleted_at))

const arrivingOf = ({ key, kind, name, file_name, folder_id, size }: TrashItem): Arriving => ({
  key,
  kind,
  name: kind === 'file' ? file_name : name,
  ...(kind === 'file' && { file: { file_size: size } }),
  destination: folder_id,
})

const without = ({ items, more }: Trash, gone: ReadonlySet<string>): Trash => ({
  items: items.filter(({ deletion_id }) => !gone.has(deletion_id)),
  more,
})

/** Also reports the names that were taken meanwhile and the folders that are gone. */
function restoredWords(all: readonly TrashItem[], restored: ReadonlyMap<TrashItem, Restored>): string {
  const done = all.filter((item) => restored.has(item))
  const skipped = all.length - done.length
  if (done.length === 0) return t`Nothing was restored.`
  const replaced = done.filter((item) => restored.get(item)?.outcome === 'replaced')
  const renamed = done.filter((item) => restored.get(item)?.outcome === 'renamed')
  const displaced = done.filter((item) => item.path !== '/' && restored.get(item)?.folder_id === 0)
  const [first] = done
  if (!first || all.length > 1) {
    const changed = changedWords(renamed.length, displaced.length, replaced.length, skipped)
    return [doneWords('restore', namesOf(done), ''), ...changed].join(' ')
  }
  const before = first.name
  const now = restored.get(first)?.name ?? before
  if (replaced.length > 0) return t`“${before}” restored as a new version of “${now}”.`
  if (renamed.length > 0 && displaced.length > 0)
    return t`“${before}” restored at the top as “${now}”: its folder is gone, and its name is taken there. The rights of the top hold for it.`
  if (renamed.length > 0) return t`“${before}” restored as “${now}”: its name is taken there.`
  if (displaced.length > 0)
    return t`“${before}” restored at the top: its folder is gone. The rights of the top hold for it.`
  return doneWords('restore', namesOf(done), '')
}

const changedWords = (renamed: number, displaced: number, replaced: number, skipped: number): string[] => [
  ...(renamed > 0
    ? [plural(renamed, { one: '# has a new name: its own is taken.', other: '# have new names: their own are taken.' })]
    : []),
  ...(displaced > 0
    ? [
        plural(displaced, {
          one: '# is at the top, with the rights there: its folder is gone.',
          other: '# are at the top, with the rights there: their folders are gone.',
        }),
      ]
    : []),
  ...(replaced > 0 ? [plural(replaced, { one: '# became a new version.', other: '# became new versions.' })] : []),
  ...(skipped > 0 ? [plural(skipped, { one: '# was skipped.', other: '# were skipped.' })] : []),
]
