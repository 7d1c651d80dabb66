import { t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction, useReading } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { type TeamInfo, teamMembersQuery } from './team-info.ts'

/** Only the new owner could give the team back, so the user has to type the name of the team. */
export function HandOverDialog({ team, onClose }: { team: TeamInfo; onClose: () => void }) {
  const { name } = team
  const toasts = useToasts()
  const { data } = useReading(teamMembersQuery(team.id))
  const others = (data?.memberships ?? []).map(({ user }) => user).filter(({ id }) => id !== team.team_owner_id)
  const [ownerId, setOwnerId] = useState<number>()
  const [typed, setTyped] = useState('')
  const owner = others.find(({ id }) => id === ownerId)
  const handOver = useAction(api.teams.update, {
    onDone: () => {
      const person = owner && nameOf(owner)
      if (person) toasts.done(t`${person} owns ${name} now`)
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title={t`Hand over ${name}?`}
      submit={t`Hand over`}
      danger
      pending={handOver.isPending}
      disabled={!owner || typed.trim() !== name}
      error={handOver.error ? messageOf(handOver.error) : undefined}
      onSubmit={() =>
        owner && handOver.mutate({ params: { id: team.id }, body: { team: { team_owner_id: owner.id } } })
      }
      onClose={onClose}
    >
      <Typography>
        {data && others.length === 0
          ? t`Nobody else is in the team. Add the person who is to own it first.`
          : t`You stay a member. Only the new owner can hand the team on, or back to you.`}
      </Typography>
      <TextField
        select
        label={t`New owner`}
        value={ownerId ?? ''}
        disabled={others.length === 0}
        onChange={(event) => setOwnerId(Number(event.target.value))}
      >
        {others.map((user) => (
          <MenuItem key={user.id} value={user.id}>
            {nameOf(user)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        label={t`Type “${name}” to confirm`}
        value={typed}
        disabled={others.length === 0}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  )
}
