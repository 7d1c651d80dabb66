import { t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { FieldRule } from '../../../contract/field-rules.ts'
import { api } from '../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx'
import type { Team } from './spaces.ts'

interface CreateWorkspaceDialogProps {
  teams: readonly Team[]
  /** The team that is chosen at first. */
  first: number
  onClose: () => void
}

export function CreateWorkspaceDialog({ teams, first, onClose }: CreateWorkspaceDialogProps) {
  const [teamId, setTeamId] = useState(first)
  const navigate = useNavigate()
  const create = useAction(api.workspaces.create, { onDone: ({ id }) => void navigate(paths.workspace(id)) })
  return (
    <NameDialog
      title={t`New workspace`}
      submit={t`Create workspace`}
      intro={t`You become its first admin. Nobody else gets in until you invite them.`}
      pending={create.isPending}
      error={create.error ? refusalOf(create.error) : undefined}
      onSubmit={(name) => create.mutate({ body: { workspace: { name, team_id: teamId } } })}
      onClose={onClose}
    >
      {teams.length > 1 && (
        <TextField select label={t`Team`} value={teamId} onChange={(event) => setTeamId(Number(event.target.value))}>
          {teams.map(({ id, name }) => (
            <MenuItem key={id} value={id} sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      )}
    </NameDialog>
  )
}

const TEAM_IS_FULL: FieldRule = 'team_with_free_workspaces'

function refusalOf(error: unknown): string {
  const isFull = error instanceof ApiFailure && error.details.some(({ rule }) => rule === TEAM_IS_FULL)
  if (!isFull) return messageOf(error)
  return t`This team has as many workspaces as it may have. Its members can change how many that are, on the page of the team.`
}
