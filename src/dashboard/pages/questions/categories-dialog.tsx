import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { changed, changesOf, linesOf, routedIn, textOf, typed } from './category-lines.ts'
import type { Settings } from './questions.ts'
import { RouteFields } from './route-fields.tsx'

interface CategoriesDialogProps {
  settings: Settings
  onClose: () => void
}

/** The categories, and who answers the questions of each. */
export function CategoriesDialog({ settings, onClose }: CategoriesDialogProps) {
  const workspace_id = useWorkspaceId()
  const [before] = useState(settings.categories)
  const [lines, setLines] = useState(() => linesOf(before))
  const update = useAction(api.questions.updateSettings, { onDone: onClose })
  const routed = routedIn(lines, before, settings)
  const body = changesOf(routed, before, settings)
  return (
    <FormDialog
      open
      title={t`Categories of questions`}
      submit={t`Save categories`}
      pending={update.isPending}
      unsaved={Object.keys(body).length > 0}
      error={update.error ? messageOf(update.error) : undefined}
      maxWidth="md"
      onSubmit={() => update.mutate({ params: { workspace_id }, body })}
      onClose={onClose}
    >
      <TextField
        label={t`Categories, one in each line`}
        multiline
        minRows={4}
        maxRows={8}
        autoFocus
        value={textOf(lines)}
        onChange={(event) => setLines((shown) => typed(shown, event.target.value))}
      />
      <RouteFields
        routes={routed.map(({ route }) => route)}
        admins={settings.admins}
        onChange={(category, changes) => setLines((shown) => changed(shown, category, changes))}
      />
    </FormDialog>
  )
}
