import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import { refresh } from '../../api/query.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { renamedWords } from '../../shared/listing/renamed-words.ts'
import { restoredWords, type Restored } from '../../shared/listing/restored-words.ts'
import { runEach, type Outcome } from '../../shared/listing/run-each.ts'
import { useConflicts, type Arriving } from '../../shared/uploads/conflicts/use-conflicts.tsx'
import { trashQuery, type Trash, type TrashItem } from './trash.ts'

interface Result extends Outcome<TrashItem> {
  /** The restored items as they are now. */
  restored: ReadonlyMap<TrashItem, Restored>
  /** Sentences about those that have other names now. */
  renamed: string[]
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
      const currentOf = currentItems(workspaceId)
      const restore = async (item: TrashItem) => {
        const params = { deletion_id: item.deletion_id }
        const conflict = await settle(arrivingOf(await currentOf(item, restored)))
        if (conflict === 'skip') return
        restored.set(item, await call(api.trash.restore, { params, body: { workspace_id: workspaceId, conflict } }))
      }
      // Where its folder is gone, this run may bring it back first.
      begin(items.filter(({ in_place }) => in_place || !items.some(isFolder)).map(arrivingOf))
      const outcome = await runEach(newestFirst(items), restore, { atOnce: 1, onProgress: setFinished })
      return { ...outcome, restored, renamed: renamedIn(restored) }
    },
    onSuccess: ({ done, failed, restored }, items) => {
      for (const { error } of failed) noticeSignedOut(error)
      const gone = new Set([...restored.keys()].map(({ deletion_id }) => deletion_id))
      client.setQueryData<Trash>(trashQuery(workspaceId).queryKey, (trash) => trash && without(trash, gone))
      void refresh(client)
      if (failed.length === 0) toasts.done(restoredWords(done, restored, ({ path }) => path === '/'))
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

const isFolder = ({ kind }: TrashItem) => kind === 'folder'

/** Returns items as they are in the trash now: those whose folder was gone return to it once this run has restored it. */
function currentItems(workspaceId: number) {
  let known: ReadonlyMap<string, TrashItem> = new Map()
  let foldersBack = 0
  return async (item: TrashItem, restored: ReadonlyMap<TrashItem, Restored>): Promise<TrashItem> => {
    const folders = [...restored.keys()].filter(isFolder).length
    if (item.in_place || folders === 0) return item
    if (folders !== foldersBack) {
      const { items } = await trashQuery(workspaceId).queryFn({ signal: new AbortController().signal })
      known = new Map(items.map((each) => [each.deletion_id, each]))
      foldersBack = folders
    }
    return known.get(item.deletion_id) ?? item
  }
}

const renamedIn = (restored: ReadonlyMap<TrashItem, Restored>): string[] => {
  const renamed = [...restored].filter(([, { outcome }]) => outcome === 'renamed')
  return renamedWords(renamed.map(([{ name: before }, { name: now }]) => ({ before, now })))
}

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
