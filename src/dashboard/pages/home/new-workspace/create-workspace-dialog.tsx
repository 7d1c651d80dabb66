import { t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { FieldRule } from '../../../../contract/field-rules.ts'
import { api } from '../../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { read, useAction, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { NameDialog } from '../../../ui/dialogs/name-dialog.tsx'
import { serviceLanguage } from '../../../ui/words/service-language.ts'
import type { EnterableWorkspace, Team } from '../spaces.ts'
import { BeginWith } from './begin-with.tsx'
import { isBeginning, isWorkspace, sourceOf } from './beginnings.ts'
import { TemplatePreview } from './template-preview.tsx'

interface CreateWorkspaceDialogProps {
  teams: readonly Team[]
  workspaces: readonly EnterableWorkspace[]
  /** The team that is chosen at first. */
  first: number
  /** The workspace that the new one shall be like. */
  like: number | undefined
  onClose: () => void
}

export function CreateWorkspaceDialog({ teams, workspaces, first, like, onClose }: CreateWorkspaceDialogProps) {
  const [teamId, setTeamId] = useState(first)
  const [beginning, setBeginning] = useState(like === undefined ? 'empty' : `workspace-${like}`)
  const [drafts, setDrafts] = useState(false)
  const [files, setFiles] = useState(false)
  const language = serviceLanguage()
  const { data } = useReading({
    ...read(api.templates.list, { params: { id: teamId }, query: { language } }),
    placeholderData: keepPreviousData,
  })
  const templates = data?.templates ?? []
  const template = templates.find((each) => isBeginning(beginning, each))
  const models = workspaces.filter(({ admin }) => admin)
  // Templates of another team are no choice any more.
  const chosen = template || isWorkspace(beginning) ? beginning : 'empty'
  const navigate = useNavigate()
  const create = useAction(api.workspaces.create, { onDone: ({ id }) => void navigate(paths.workspace(id)) })
  const source = sourceOf(chosen, template, language, { drafts, files })
  return (
    <NameDialog
      title={t`New workspace`}
      submit={t`Create workspace`}
      intro={t`You become its first admin. Nobody else gets in until you invite them.`}
      pending={create.isPending}
      error={create.error ? refusalOf(create.error) : undefined}
      onSubmit={(name) => create.mutate({ body: { workspace: { name, team_id: teamId, ...(source && { source }) } } })}
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
      <BeginWith value={chosen} templates={templates} workspaces={models} onChoose={setBeginning} />
      {source && (
        <>
          <TemplatePreview template={template} withFiles={isWorkspace(chosen) && files} />
          {isWorkspace(chosen) && (
            <FormControlLabel
              label={t`Take the files over too, in their current versions`}
              control={<Checkbox checked={files} onChange={(_event, checked) => setFiles(checked)} />}
              sx={{ mr: 0 }}
            />
          )}
          <FormControlLabel
            label={
              isWorkspace(chosen) && files
                ? t`The folders begin as drafts: groups see nothing of them until you publish them. Files beside them are no drafts`
                : t`The folders begin as drafts: groups see nothing of them until you publish them`
            }
            control={<Checkbox checked={drafts} onChange={(_event, checked) => setDrafts(checked)} />}
            sx={{ mr: 0 }}
          />
        </>
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
