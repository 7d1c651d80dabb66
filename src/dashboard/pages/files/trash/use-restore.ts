import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { noticeSignedOut } from '../../../api/query-client.ts'
import { refresh } from '../../../api/query.ts'
import { namesOf } from '../../../shared/names-of.ts'
import { useToasts } from '../../../ui/toasts.tsx'
import { doneWords } from '../bulk-words.ts'
import { runEach, type Outcome } from '../run-each.ts'
import { trashQuery, type Trash, type TrashItem } from './trash.ts'

type Restored = Reply<typeof api.trash.restore>

interface Result extends Outcome<TrashItem> {
  /** As it is now, where it was one. */
  restored: Restored | undefined
}

/** Brings back what was deleted, with how far it is and what could not be brought back. */
export function useRestore(workspaceId: number) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [finished, setFinished] = useState(0)
  const run = useMutation({
    mutationFn: async (items: readonly TrashItem[]): Promise<Result> => {
      setFinished(0)
      let restored: Restored | undefined
      const restore = async ({ deletion_id }: TrashItem) => {
        restored = await call(api.trash.restore, { params: { deletion_id }, body: { workspace_id: workspaceId } })
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
    /** What is being brought back. */
    items: run.variables ?? [],
    finished,
    /** Of several, where some could not be brought back. */
    report: !run.isPending && (run.variables?.length ?? 0) > 1 && run.data?.failed.length ? run.data : undefined,
    forget: run.reset,
  }
}

/** A folder comes back before what was deleted in it earlier, which then finds its place. */
const newestFirst = (items: readonly TrashItem[]) =>
  items.toSorted((one, other) => Date.parse(other.deleted_at) - Date.parse(one.deleted_at))

const without = ({ items, more }: Trash, gone: ReadonlySet<string>): Trash => ({
  items: items.filter(({ deletion_id }) => !gone.has(deletion_id)),
  more,
})

/** A name that was taken meanwhile is another one now. */
function restoredWords(done: readonly TrashItem[], restored: Restored | undefined): string {
  const [first] = done
  if (!first || !restored || done.length > 1 || restored.name === first.name)
    return doneWords('restore', namesOf(done), '')
  const before = first.name
  const now = restored.name
  return t`“${before}” restored as “${now}”.`
}
