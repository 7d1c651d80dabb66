import { isFolder, nameOfFolder, type Entry, type FolderMeta } from '../../../../shared/listing/entries.ts'
import type { DraftQuestion } from '../../actions.ts'
import { CreateDraftDialog } from './create-draft-dialog.tsx'
import { MakeDraftDialog } from './make-draft-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'

interface DraftDialogProps {
  kind: DraftQuestion
  workspaceId: number
  /** The open folder, which is meant where no entry is. */
  folder: FolderMeta
  folderName: string
  entries: readonly Entry[]
  onCreated: (id: number) => void
  onClose: () => void
}

export function DraftDialog({ kind, workspaceId, folder, folderName, entries, onCreated, onClose }: DraftDialogProps) {
  const common = { workspaceId, onClose }
  if (kind === 'createDraft')
    return <CreateDraftDialog {...common} parentId={folder.id} parentName={folderName} onCreated={onCreated} />
  const folders = entries.length > 0 ? entries.filter(isFolder).map(({ source }) => source) : [folder]
  if (kind === 'publish') {
    const onPaths = folders.flatMap(({ id_path }) => id_path.split('.').map(Number))
    return <PublishDialog {...common} folderIds={new Set(onPaths)} />
  }
  const first = folders[0] ?? folder
  return <MakeDraftDialog {...common} folderId={first.id} name={nameOfFolder(first)} />
}
