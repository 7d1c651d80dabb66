import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { useMe } from '../../shared/session.ts'
import { Time } from '../../ui/words/time.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Member } from './member.ts'

/** Watermarks show the former name until an admin, other than this user, accepts the new name. */
export function ChangedName({ person }: { person: Member }) {
  const me = useMe()
  const { marked_name, name_changed_at, user } = person
  if (marked_name === null) return null
  return (
    <Box sx={{ pl: '38px', mb: 0.5 }}>
      <Typography variant="caption" color="warning" sx={{ display: 'block', whiteSpace: 'normal' }}>
        {marked_name === '' ? (
          <Trans>
            New name, given <Time at={name_changed_at} relative />. Watermarks show the e-mail address only.
          </Trans>
        ) : (
          <Trans>
            Changed <Time at={name_changed_at} relative />, was “{marked_name}”. Watermarks still show that name.
          </Trans>
        )}
      </Typography>
      {user.id !== me.id && <AcceptButton person={person} />}
    </Box>
  )
}

function AcceptButton({ person: { user, workspace_id } }: { person: Member }) {
  const name = nameOf(user)
  const toasts = useToasts()
  const accept = useAction(api.workspaces.acceptName, {
    onDone: () => toasts.done(t`Watermarks show ${name} from now on`),
  })
  const send = () => {
    const { id: user_id, first_name, last_name } = user
    accept.mutate(
      { params: { id: workspace_id, user_id }, body: { first_name, last_name } },
      { onError: (error) => toasts.failed(messageOf(error)) },
    )
  }
  return (
    <Button
      size="small"
      variant="outlined"
      aria-label={t`Accept the name ${name}`}
      loading={accept.isPending}
      onClick={send}
    >
      <Trans>Accept the name</Trans>
    </Button>
  )
}
