import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'

export function CategoriesDialog({ categories, onClose }: { categories: string[]; onClose: () => void }) {
  const workspace_id = useWorkspaceId()
  const stored = categories.join('\n')
  const [text, setText] = useState(stored)
  const update = useAction(api.questions.updateSettings, { onDone: onClose })
  const lines = text.split('\n').map((each) => each.trim())
  const submit = () =>
    update.mutate({ params: { workspace_id }, body: { categories: lines.filter((each) => each !== '') } })
  return (
    <FormDialog
      open
      title={t`Categories of questions`}
      submit={t`Save categories`}
      pending={update.isPending}
      unsaved={text !== stored}
      error={update.error ? messageOf(update.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Categories, one in each line`}
        multiline
        minRows={5}
        maxRows={16}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}
