import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../../../contract/index.ts'
import { messageOf } from '../../../../api/failures.ts'
import { useAction } from '../../../../api/query.ts'
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../../ui/toasts/toasts.tsx'

interface MakeDraftDialogProps {
  workspaceId: number
  folderId: number
  name: string
  onClose: () => void
}

/** Asks before a folder is hidden from everybody but workspace admins. */
export function MakeDraftDialog({ workspaceId, folderId, name, onClose }: MakeDraftDialogProps) {
  const toasts = useToasts()
  const withdraw = useAction(api.drafts.withdraw, {
    onDone: () => {
      onClose()
      toasts.done(t`${name} is a draft now.`)
    },
  })
  return (
    <FormDialog
      open
      title={t`Make ${name} a draft?`}
      submit={t`Make draft`}
      pending={withdraw.isPending}
      error={withdraw.error ? messageOf(withdraw.error) : undefined}
      onSubmit={() => withdraw.mutate({ params: { id: folderId }, body: { workspace_id: workspaceId } })}
      onClose={onClose}
    >
      <Typography>
        {t`Only workspace admins will see the folder and everything in it. The rights of groups there are kept, and apply again once it is published.`}
      </Typography>
      <Typography color="textSecondary">
        {t`It moves behind its siblings, so that their numbers have no gap. This is refused once a member has read a file in it.`}
      </Typography>
    </FormDialog>
  )
}
