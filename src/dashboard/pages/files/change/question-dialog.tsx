import { lazy } from 'react'
import type { Transfer } from '../../../shared/listing/bulk-words.ts'
import { CreateFolderDialog } from './create-folder-dialog.tsx'
import { DestinationDialog } from './destination-dialog.tsx'
import { withTexts } from '../../../ui/words/language.ts'
import type { DraftQuestion } from '../actions.ts'
import type { Destination } from './destinations.ts'
import { DropDialog } from './drop-dialog.tsx'
import { numberedName, type Entry, type FolderMeta } from '../../../shared/listing/entries.ts'
import type { Workspace } from '../../../shared/listing/folder-query.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { RenumberDialog } from './renumber-dialog.tsx'

const IndexDialog = lazy(async () => ({ default: (await import('../export-index/index-dialog.tsx')).IndexDialog }))
const loadDraftDialog = withTexts('deal', () => import('../drafts/dialogs/draft-dialog.tsx'))
const DraftDialog = lazy(async () => ({ default: (await loadDraftDialog()).DraftDialog }))
const WhoDrawer = lazy(async () => ({ default: (await import('../../../shared/who/who-drawer.tsx')).WhoDrawer }))

type OnDrafts = { kind: DraftQuestion; entries: readonly Entry[] }

export type Question =
  | { kind: 'create' }
  | { kind: 'remove' | 'who' | 'index' | 'renumber' | Transfer; entries: readonly Entry[] }
  | OnDrafts
  | { kind: 'drop'; entries: readonly Entry[]; to: Destination }

const isOnDrafts = (question: Question): question is OnDrafts =>
  question.kind === 'createDraft' || question.kind === 'makeDraft' || question.kind === 'publish'

interface QuestionDialogProps {
  question: Question
  workspace: Workspace
  folder: FolderMeta
  folderName: string
  onCreated: (id: number) => void
  onClose: () => void
}

export function QuestionDialog({ question, workspace, folder, folderName, onCreated, onClose }: QuestionDialogProps) {
  if (question.kind === 'create') {
    const parent = { parentId: folder.id, parentName: folderName }
    return <CreateFolderDialog workspaceId={workspace.id} {...parent} onCreated={onCreated} onClose={onClose} />
  }
  if (question.kind === 'index') return <IndexDialog workspace={workspace} onClose={onClose} />
  if (question.kind === 'renumber') {
    return <RenumberDialog workspaceId={workspace.id} folderId={folder.id} name={folderName} onClose={onClose} />
  }
  const { entries } = question
  if (question.kind === 'remove')
    return <RemoveDialog workspace={workspace} folderId={folder.id} entries={entries} onClose={onClose} />
  if (question.kind === 'who') {
    const [entry] = entries
    const { kind, id } = entry ?? { kind: 'folder', id: folder.id }
    const name = entry ? numberedName(entry.outline, entry.name, entry.source.number_length) : folderName
    const folderId = kind === 'folder' ? id : folder.id
    return <WhoDrawer workspaceId={workspace.id} {...{ kind, id, name, folderId, onClose }} />
  }
  if (isOnDrafts(question)) {
    const { kind, entries } = question
    return <DraftDialog workspaceId={workspace.id} {...{ kind, entries, folder, folderName, onCreated, onClose }} />
  }
  if (question.kind === 'drop') {
    return <DropDialog workspace={workspace} entries={entries} to={question.to} onClose={onClose} />
  }
  return (
    <DestinationDialog verb={question.kind} workspace={workspace} from={folder} entries={entries} onClose={onClose} />
  )
}
