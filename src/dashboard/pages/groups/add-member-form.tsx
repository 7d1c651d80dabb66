import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { PersonField } from '../../shared/person-field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useToasts } from '../../ui/toasts.tsx'

interface AddMemberFormProps {
  workspaceId: number
  group: { id: number; name: string }
  memberIds: ReadonlySet<number>
}

/** Adds someone of the workspace by name, or anyone by e-mail address. */
export function AddMemberForm({ workspaceId, group, memberIds }: AddMemberFormProps) {
  const { name: groupName } = group
  const toasts = useToasts()
  const { data: people = [] } = useQuery(read(api.workspaces.listMembers, { params: { id: workspaceId } }))
  const options = people.map(({ user }) => user).filter(({ id }) => !memberIds.has(id))
  const [text, setText] = useState('')
  const [send_email, setSendEmail] = useState(true)
  const add = useAction(api.groups.addMember, {
    onDone: (user) => {
      setText('')
      const name = nameOf(user)
      toasts.done(t`${name} is now in ${groupName}`)
    },
  })
  const known = options.find(({ email }) => email.toLowerCase() === text.trim().toLowerCase())
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const who = known ? { user_id: known.id } : { email: text.trim() }
    add.mutate({ params: { id: group.id }, body: { workspace_id: workspaceId, send_email, ...who } })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <PersonField label={t`Name or e-mail address`} people={options} text={text} onChange={setText} />
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
      {!known && (
        <FormControlLabel
          control={<Checkbox size="small" checked={send_email} onChange={(_event, next) => setSendEmail(next)} />}
          label={t`Send an invitation e-mail to whoever is new here`}
          slotProps={{ typography: { variant: 'caption' } }}
          sx={{ my: -0.75 }}
        />
      )}
      {add.error && <FormError>{messageOf(add.error)}</FormError>}
    </Box>
  )
}
