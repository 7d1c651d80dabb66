import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { refresh, useAction } from '../../../api/query.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'

interface RenumberDialogProps {
  workspaceId: number
  folderId: number
  name: string
  onClose: () => void
}

/** Asks before the folders and files of a folder are numbered in the order of their names. */
export function RenumberDialog({ workspaceId, folderId, name, onClose }: RenumberDialogProps) {
  const toasts = useToasts()
  const params = { id: folderId }
  const undo = async (undo_id: number) => {
    try {
      await call(api.folders.undo, { params, body: { workspace_id: workspaceId, undo_id } })
      toasts.done(t`${name} has its former numbers again.`)
    } catch (error) {
      toasts.failed(messageOf(error))
    }
    void refresh()
  }
  const renumber = useAction(api.folders.renumber, {
    onDone: ({ undo_id }) => {
      onClose()
      if (undo_id === null) toasts.done(t`${name} was in the order of names already.`)
      else toasts.done(t`${name} is numbered by name.`, () => void undo(undo_id))
    },
  })
  return (
    <FormDialog
      open
      title={t`Number ${name} by name?`}
      submit={t`Number`}
      pending={renumber.isPending}
      error={renumber.error ? messageOf(renumber.error) : undefined}
      onSubmit={() => renumber.mutate({ params, body: { workspace_id: workspaceId } })}
      onClose={onClose}
    >
      <Typography>
        {t`The folders here, and behind them the files, take the order of their names: 2 comes before 10. Everything in a folder that gets another number gets another number too.`}
      </Typography>
    </FormDialog>
  )
}
