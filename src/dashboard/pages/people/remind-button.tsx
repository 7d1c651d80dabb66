import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import { BellRing } from 'lucide-react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Member } from './member.ts'

export function RemindButton({ person: { user, workspace_id } }: { person: Member }) {
  const { email } = user
  const name = nameOf(user)
  const toasts = useToasts()
  const remind = useAction(api.users.remind, {
    onDone: () => toasts.done(t`The invitation is on its way to ${email} again`),
  })
  const send = () =>
    remind.mutate(
      { params: { id: user.id }, body: { workspace_id } },
      { onError: (error) => toasts.failed(messageOf(error)) },
    )
  return (
    <Stack
      sx={{
        flexDirection: { xs: 'column', sm: 'row' },
        alignItems: { xs: 'flex-end', sm: 'center' },
        justifyContent: 'flex-end',
        gap: { xs: 0, sm: 1 },
      }}
    >
      <Chip size="small" variant="outlined" label={t`Invited`} />
      <Button
        aria-label={t`Remind ${name}`}
        startIcon={<BellRing size={15} />}
        loading={remind.isPending}
        disabled={remind.isSuccess}
        onClick={send}
      >
        {remind.isSuccess ? t`Reminded` : t`Remind`}
      </Button>
    </Stack>
  )
}
