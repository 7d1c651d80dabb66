import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'

export type InvitationState = Reply<typeof api.workspaces.listMembers>[number]['invitation_state']

/** Shown until the person has come in for the first time. */
export function InvitationChip({ state }: { state: InvitationState | undefined }) {
  if (state === undefined || state === 'arrived') return null
  if (state === 'invited') return <Chip size="small" variant="outlined" label={t`Invited`} />
  return <Chip size="small" variant="outlined" label={t`Not invited yet`} sx={{ borderStyle: 'dashed' }} />
}
