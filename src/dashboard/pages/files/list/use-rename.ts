import { useCallback, useMemo, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { type Entry, type EntryKey, fileKey, folderKey } from '../../../shared/listing/entries.ts'
import { folderQuery, type Workspace } from '../../../shared/listing/folder-query.ts'
import { withFile, withFolder } from '../access-effect/foreseen.ts'

export function useRename(workspace: Workspace, folderId: number) {
  const [key, setKey] = useState<EntryKey>()
  const workspace_id = workspace.id
  const query = folderQuery(workspace, folderId)
  // The user may have begun to rename another entry meanwhile.
  const done = (renamed: EntryKey) => setKey((now) => (now === renamed ? undefined : now))
  const folder = useAction(api.folders.update, {
    optimistic: ({ params, body }, foresee) => foresee(query, (before) => withFolder(before, params.id, body.folder)),
    onDone: (_reply, { params }) => done(folderKey(params.id)),
  })
  const file = useAction(api.files.update, {
    optimistic: ({ params, body }, foresee) =>
      foresee(query, (before) => withFile(before, params.id, { name: body.file.title })),
    onDone: (_reply, { params }) => done(fileKey(params.id)),
  })
  // These functions of a mutation keep their identity.
  const [changeFolder, resetFolder, changeFile, resetFile] = [folder.mutate, folder.reset, file.mutate, file.reset]
  const begin = useCallback(
    (entry: Entry | undefined) => {
      resetFolder()
      resetFile()
      setKey(entry?.key)
    },
    [resetFolder, resetFile],
  )
  const save = useCallback(
    ({ kind, id }: Entry, name: string) => {
      if (kind === 'folder') changeFolder({ params: { id }, body: { workspace_id, folder: { name } } })
      else changeFile({ params: { id }, body: { workspace_id, file: { title: name } } })
    },
    [changeFolder, changeFile, workspace_id],
  )
  const failure = folder.error ?? file.error
  const error = failure ? messageOf(failure) : undefined
  const pending = folder.isPending || file.isPending
  return useMemo(() => ({ key, begin, save, error, pending }), [key, begin, save, error, pending])
}

export type Rename = ReturnType<typeof useRename>
