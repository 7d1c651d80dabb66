import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { noticeSignedOut } from '../../../api/query-client.ts'
import { refresh } from '../../../api/query.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import type { Entry, EntryKey, FolderContent } from '../../../shared/listing/entries.ts'
import { folderQuery, type Workspace } from '../../../shared/listing/folder-query.ts'
import { withFile, withFolder } from '../access-effect/foreseen.ts'

/**
 * Moves a line to another place among its siblings, and shows it there at once. A held key repeats faster than the
 * service answers, so each line has at most one call under way; the next call sends the latest place.
 */
export function useReorder(workspace: Workspace, folderId: number) {
  const client = useQueryClient()
  const toasts = useToasts()
  const wanted = useRef(new Map<EntryKey, number>())
  return useMemo(() => {
    const { queryKey } = folderQuery(workspace, folderId)
    const show = (entry: Entry, index: number) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData<FolderContent>(queryKey, (content) => content && placed(content, entry, index))
    }
    const send = async (entry: Entry) => {
      let sent: number | undefined
      try {
        while (wanted.current.get(entry.key) !== sent) {
          sent = wanted.current.get(entry.key)
          await callToPlace(workspace.id, entry, sent)
        }
      } catch (error) {
        noticeSignedOut(error)
        toasts.failed(messageOf(error))
      }
      wanted.current.delete(entry.key)
      void refresh()
    }
    return (entry: Entry, by: number) => {
      const before = wanted.current.get(entry.key)
      const { folders = 1, files = 1 } = client.getQueryData<FolderContent>(queryKey)?.totals ?? {}
      const last = entry.kind === 'folder' ? folders : files
      const index = Math.min(last, Math.max(1, (before ?? entry.index) + by))
      wanted.current.set(entry.key, index)
      show(entry, index)
      if (before === undefined) void send(entry)
    }
  }, [client, toasts, workspace, folderId])
}

const placed = (content: FolderContent, { kind, id }: Entry, index: number) =>
  kind === 'folder' ? withFolder(content, id, { index }) : withFile(content, id, { index })

function callToPlace(workspaceId: number, { kind, id }: Entry, index: number | undefined) {
  const params = { id }
  if (kind === 'folder')
    return call(api.folders.update, { params, body: { workspace_id: workspaceId, folder: { index } } })
  return call(api.files.update, { params, body: { workspace_id: workspaceId, file: { index } } })
}
