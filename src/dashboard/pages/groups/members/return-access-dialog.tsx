import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { ExpiryEffect } from '../settings/expiry-effect.tsx'
import type { GroupInfo } from '../group-info.ts'

interface ReturnAccessDialogProps {
  group: GroupInfo
  onReturn: () => void
  onClose: () => void
}

/** Removing an end that has passed opens the folders again, so the dialog asks first and names the members. */
export function ReturnAccessDialog({ group, onReturn, onClose }: ReturnAccessDialogProps) {
  const { name, expire_workspace_access_at: end } = group
  return (
    <FormDialog open title={t`Give access back?`} submit={t`Give access back`} onSubmit={onReturn} onClose={onClose}>
      <Typography>
        <Trans>Without an end, {name} grants again what it granted before.</Trans>
      </Typography>
      {end !== null && <ExpiryEffect group={group} day={end} phase="goes" />}
    </FormDialog>
  )
}
