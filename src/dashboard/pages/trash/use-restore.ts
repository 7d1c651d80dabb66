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
  const [finished, setFinished] = useState(0)
  const run = useMutation({
    mutationFn: async (items: readonly TrashItem[]): Promise<Result> => {
      setFinished(0)
      const restored = new Map<TrashItem, Restored>()
      const restore = async (item: TrashItem) => {
        const params = { deletion_id: item.deletion_id }
        restored.set(item, await call(api.trash.restore, { params, body: { workspace_id: workspaceId } }))
      }
      const outcome = await runEach(newestFirst(items), restore, { atOnce: 1, onProgress: setFinished })
      return { ...outcome, restored }
    },
    onSuccess: ({ done, failed, restored }, items) => {
      for (const { error } of failed) noticeSignedOut(error)
      const gone = new Set(done.map(({ deletion_id }) => deletion_id))
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
  }
}

/** Restores a folder before the items that were deleted from it earlier, so that they return to it. */
const newestFirst = (items: readonly TrashItem[]) =>
  items.toSorted((one, other) => Date.parse(other.deleted_at) - Date.parse(one.deleted_at))

const without = ({ items, more }: Trash, gone: ReadonlySet<string>): Trash => ({
  items: items.filter(({ deletion_id }) => !gone.has(deletion_id)),
  more,
})

/** Also reports the names that were taken meanwhile and the folders that are gone. */
function restoredWords(done: readonly TrashItem[], restored: ReadonlyMap<TrashItem, Restored>): string {
  const renamed = done.filter((item) => (restored.get(item)?.name ?? item.name) !== item.name)
  const displaced = done.filter((item) => item.path !== '/' && restored.get(item)?.folder_id === 0)
  const [first] = done
  if (!first || done.length > 1) {
    return [doneWords('restore', namesOf(done), ''), ...changedWords(renamed.length, displaced.length)].join(' ')
  }
  const before = first.name
  const now = restored.get(first)?.name ?? before
  if (renamed.length > 0 && displaced.length > 0)
    return t`“${before}” restored at the top as “${now}”: its folder is gone, and its name is taken there.`
  if (renamed.length > 0) return t`“${before}” restored as “${now}”: its name is taken there.`
  if (displaced.length > 0) return t`“${before}” restored at the top: its folder is gone.`
  return doneWords('restore', namesOf(done), '')
}

const changedWords = (renamed: number, displaced: number): string[] => [
  ...(renamed > 0
    ? [plural(renamed, { one: '# has a new name: its own is taken.', other: '# have new names: their own are taken.' })]
    : []),
  ...(displaced > 0
    ? [
        plural(displaced, {
          one: '# is at the top: its folder is gone.',
          other: '# are at the top: their folders are gone.',
        }),
      ]
    : []),
]
