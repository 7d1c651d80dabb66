import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { UserPlus } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useReading } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { PersonField } from '../../shared/person-field.tsx'
import { useMe } from '../../shared/session.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { TeamInfo } from './team-info.ts'

interface AddTeamMemberFormProps {
  team: TeamInfo
  memberIds: ReadonlySet<number>
}

/** Adds anyone by e-mail address. Organization admins, who may list the users, find them by name as well. */
export function AddTeamMemberForm({ team, memberIds }: AddTeamMemberFormProps) {
  const { name: teamName } = team
  const toasts = useToasts()
  const { organization_admin } = useMe()
  const { data } = useReading({ ...read(api.organization.listMembers), enabled: organization_admin })
  const options = (data?.users ?? []).filter(({ id }) => !memberIds.has(id))
  const [text, setText] = useState('')
  const add = useAction(api.teams.addMember, {
    onDone: ({ user }) => {
      setText('')
      const name = nameOf(user)
      toasts.done(t`${name} is now in ${teamName}`)
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const known = options.find(({ email }) => email.toLowerCase() === text.trim().toLowerCase())
    const body = known ? { user_id: known.id } : { email: text.trim() }
    add.mutate({ params: { id: team.id }, body })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <PersonField
          label={organization_admin ? t`Name or e-mail address` : t`E-mail address`}
          people={options}
          text={text}
          onChange={setText}
        />
        <Button
          type="submit"
          variant="contained"
          disabled={text.trim() === ''}
          loading={add.isPending}
          startIcon={<UserPlus size={16} />}
          sx={{ flex: 'none' }}
        >
          <Trans>Add</Trans>
        </Button>
      </Box>
      {add.error && <FormError>{messageOf(add.error)}</FormError>}
    </Box>
  )
}
