import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { FileText, X } from 'lucide-react'
import { useState } from 'react'
import { MOST_FILES } from '../../../../../contract/endpoints/deal/questions.ts'
import { api } from '../../../../../contract/index.ts'
import { messageOf } from '../../../../api/failures.ts'
import { useAction } from '../../../../api/query.ts'
import { useWorkspaceId } from '../../../../shared/workspace.ts'
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx'
import type { Thread, Work } from '../../questions.ts'
import { Finder } from './finder.tsx'
import { UploadArea } from './upload-area.tsx'

interface Document {
  file_id: number
  title: string
}

interface AttachDialogProps {
  thread: Thread
  work: Work
  onClose: () => void
}

/** Chooses the documents of an answer, among those of the workspace or by uploading them to a folder. */
export function AttachDialog({ thread, work, onClose }: AttachDialogProps) {
  const workspace_id = useWorkspaceId()
  const [read] = useState(work.drafted_at)
  const [files, setFiles] = useState<Document[]>(thread.files)
  const [uploading, setUploading] = useState(0)
  const update = useAction(api.questions.update, { onDone: onClose })
  const add = (file: Document) =>
    setFiles((before) => (before.some(({ file_id }) => file_id === file.file_id) ? before : [...before, file]))
  const remove = (id: number) => setFiles((before) => before.filter(({ file_id }) => file_id !== id))
  const submit = () => {
    const body = { question: { file_ids: files.map(({ file_id }) => file_id) }, drafted_at: read }
    update.mutate({ params: { workspace_id, question_id: thread.id }, body })
  }
  const isChanged = idsOf(files) !== idsOf(thread.files)
  const isFull = files.length > MOST_FILES
  return (
    <FormDialog
      open
      title={t`Documents of the answer`}
      submit={t`Save documents`}
      maxWidth="sm"
      pending={update.isPending}
      disabled={!isChanged || uploading > 0 || isFull}
      unsaved={isChanged || uploading > 0}
      error={update.error ? messageOf(update.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        <Trans>
          A receiver of the answer sees a document with it if their group may view its folder. Others who may view the
          folder find the document there, but not the answer.
        </Trans>
      </Typography>
      <Chosen files={files} onRemove={remove} />
      {isFull && (
        <Typography color="error">
          {plural(MOST_FILES, {
            one: 'An answer has at most # document.',
            other: 'An answer has at most # documents.',
          })}
        </Typography>
      )}
      <Finder
        what="file"
        label={t`Find a document of the workspace`}
        onFound={({ id, name }) => add({ file_id: id, title: name })}
      />
      <UploadArea place={thread.place} onUploaded={add} onPending={setUploading} />
    </FormDialog>
  )
}

const idsOf = (files: readonly Document[]) =>
  files
    .map(({ file_id }) => file_id)
    .toSorted((a, b) => a - b)
    .join()

function Chosen({ files, onRemove }: { files: readonly Document[]; onRemove: (id: number) => void }) {
  if (files.length === 0) return null
  return (
    <List aria-label={t`Documents of the answer`}>
      {files.map(({ file_id, title }) => (
        <li key={file_id}>
          <FileText size={15} aria-hidden />
          <span>{title}</span>
          <IconButton size="small" aria-label={t`Remove ${title}`} onClick={() => onRemove(file_id)}>
            <X size={15} />
          </IconButton>
        </li>
      ))}
    </List>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  li: { display: 'flex', alignItems: 'center', gap: 8, padding: '4px 6px 4px 12px' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  svg: { flexShrink: 0 },
  span: { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
}))
