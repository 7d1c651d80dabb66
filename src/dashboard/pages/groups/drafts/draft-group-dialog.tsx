import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import type { GroupInfo } from '../group-info.ts'

/** Asks before a group is hidden from everybody but workspace admins. */
export function DraftGroupDialog({ group, onClose }: { group: GroupInfo; onClose: () => void }) {
  const { id, name, workspace_id } = group
  const toasts = useToasts()
  const withdraw = useAction(api.draftGroups.withdraw, {
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
      onSubmit={() => withdraw.mutate({ params: { id }, body: { workspace_id } })}
      onClose={onClose}
    >
      <Typography>
        {t`Nobody gets in through the group until you publish it. Its people and rights are kept.`}
      </Typography>
      <Typography color="textSecondary">
        {t`Whoever is in no other group leaves the workspace, and invitations that were sent stop working. This is refused once one of them has come in.`}
      </Typography>
    </FormDialog>
  )
}
