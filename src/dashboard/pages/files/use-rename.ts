import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import type { Entry, EntryKey } from './entries.ts'
import { folderQuery, type Workspace } from './folder-query.ts'
import { withFile, withFolder } from './foreseen.ts'

export function useRename(workspace: Workspace, folderId: number) {
  const [key, setKey] = useState<EntryKey>()
  const workspace_id = workspace.id
  const query = folderQuery(workspace, folderId)
  const onDone = () => setKey(undefined)
  const folder = useAction(api.folders.update, {
    optimistic: ({ params, body }, foresee) => foresee(query, (before) => withFolder(before, params.id, body.folder)),
    onDone,
  })
  const file = useAction(api.files.update, {
    optimistic: ({ params, body }, foresee) =>
      foresee(query, (before) => withFile(before, params.id, { name: body.file.title })),
    onDone,
  })
  const begin = (entry: Entry | undefined) => {
    folder.reset()
    file.reset()
    setKey(entry?.key)
  }
  const save = ({ kind, id }: Entry, name: string) => {
    if (kind === 'folder') folder.mutate({ params: { id }, body: { workspace_id, folder: { name } } })
    else file.mutate({ params: { id }, body: { workspace_id, file: { title: name } } })
  }
  const failure = folder.error ?? file.error
  const error = failure ? messageOf(failure) : undefined
  return { key, begin, save, error, pending: folder.isPending || file.isPending }
}
