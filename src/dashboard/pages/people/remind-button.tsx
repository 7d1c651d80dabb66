import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { BellRing, Mail } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { InvitationChip } from '../../shared/inviting/invitation-chip.tsx'
import { nameOf } from '../../shared/people.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Member } from './member.ts'

/** Invites a person who was added without a mail, or reminds one who has not come in yet, where the team sends mails. */
export function RemindButton({ person }: { person: Member }) {
  const { user, workspace_id, invitation_state } = person
  const { team_rules } = useWorkspace()
  const [sent, setSent] = useState<'invitation' | 'reminder'>()
  const isNew = invitation_state === 'not_invited'
  const { email } = user
  const name = nameOf(user)
  const toasts = useToasts()
  const remind = useAction(api.users.remind, {
    onDone: () => {
      setSent(isNew ? 'invitation' : 'reminder')
      toasts.done(
        isNew ? t`The invitation is on its way to ${email}` : t`The invitation is on its way to ${email} again`,
      )
    },
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
      <InvitationChip state={invitation_state} />
      {team_rules?.suppress_emails !== true && sent !== 'invitation' && (
        <Button
          aria-label={isNew ? t`Invite ${name}` : t`Remind ${name}`}
          startIcon={isNew ? <Mail size={15} /> : <BellRing size={15} />}
          loading={remind.isPending}
          disabled={sent !== undefined}
          onClick={send}
        >
          {isNew ? t`Invite` : sent ? t`Reminded` : t`Remind`}
        </Button>
      )}
    </Stack>
  )
}
