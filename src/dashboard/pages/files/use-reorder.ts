import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { useToasts } from '../../ui/toasts.tsx'
import type { Entry } from './entries.ts'
import { folderQuery, type Workspace } from './folder-query.ts'
import { withFile, withFolder } from './foreseen.ts'

/** Gives a line another place among its siblings; the list shows it at once. */
export function useReorder(workspace: Workspace, folderId: number) {
  const toasts = useToasts()
  const workspace_id = workspace.id
  const query = folderQuery(workspace, folderId)
  const folder = useAction(api.folders.update, {
    optimistic: ({ params, body }, foresee) => foresee(query, (before) => withFolder(before, params.id, body.folder)),
  })
  const file = useAction(api.files.update, {
    optimistic: ({ params, body }, foresee) =>
      foresee(query, (before) => withFile(before, params.id, { index: body.file.index })),
  })
  const onError = (error: Error) => toasts.failed(messageOf(error))
  return ({ kind, id, index: before }: Entry, by: number) => {
    const index = before + by
    if (kind === 'folder') folder.mutate({ params: { id }, body: { workspace_id, folder: { index } } }, { onError })
    else file.mutate({ params: { id }, body: { workspace_id, file: { index } } }, { onError })
  }
}
