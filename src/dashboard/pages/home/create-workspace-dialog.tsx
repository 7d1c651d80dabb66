import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { Team } from './spaces.ts'

interface CreateWorkspaceDialogProps {
  /** The teams that the user is in. */
  teams: readonly Team[]
  /** The team that is chosen at first. */
  first: number
  onClose: () => void
}

/** Creates a workspace and goes to it. */
export function CreateWorkspaceDialog({ teams, first, onClose }: CreateWorkspaceDialogProps) {
  const [name, setName] = useState('')
  const [teamId, setTeamId] = useState(first)
  const navigate = useNavigate()
  const create = useAction(api.workspaces.create, { onDone: ({ id }) => void navigate(paths.workspace(id)) })
  return (
    <FormDialog
      open
      title={t`New workspace`}
      submit={t`Create workspace`}
      pending={create.isPending}
      disabled={name.trim() === ''}
      unsaved={name.trim() !== ''}
      error={create.error ? refusalOf(create.error) : undefined}
      onSubmit={() => create.mutate({ body: { workspace: { name, team_id: teamId } } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        <Trans>You become its first admin. Nobody else gets in until you invite them.</Trans>
      </Typography>
      <TextField
        label={t`Name`}
        autoFocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
      {teams.length > 1 && (
        <TextField select label={t`Team`} value={teamId} onChange={(event) => setTeamId(Number(event.target.value))}>
          {teams.map(({ id, name }) => (
            <MenuItem key={id} value={id} sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      )}
    </FormDialog>
  )
}

function refusalOf(error: unknown): string {
  const isFull = error instanceof ApiFailure && error.details.some(({ message }) => /workspaces and has/.test(message))
  if (!isFull) return messageOf(error)
  return t`This team has as many workspaces as it may have. Its members can change how many that are, on the page of the team.`
}
