import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState, type SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormError } from '../../ui/form-error.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.ts'
import type { TeamInfo } from './team-info.ts'

interface Draft {
  name: string
  allowed_workspaces: string
  allowed_admins: string
}

const draftOf = ({ name, allowed_workspaces, allowed_admins }: TeamInfo): Draft => ({
  name,
  allowed_workspaces: String(allowed_workspaces),
  allowed_admins: String(allowed_admins),
})

/** Numbers are kept as typed until they are sent: an emptied field is no zero. */
export function TeamLimits({ team }: { team: TeamInfo }) {
  const toasts = useToasts()
  const [draft, setDraft] = useState(() => draftOf(team))
  const save = useAction(api.teams.update, { onDone: () => toasts.done(t`The team is saved`) })
  useUnsavedChanges(isChanged(draft, team))
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const [allowed_workspaces, allowed_admins] = [Number(draft.allowed_workspaces), Number(draft.allowed_admins)]
    save.mutate({
      params: { id: team.id },
      body: { team: { name: draft.name.trim(), allowed_workspaces, allowed_admins } },
    })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <TextField
        label={t`Name`}
        value={draft.name}
        autoComplete="off"
        onChange={(event) => set({ name: event.target.value })}
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2 }}>
        <NumberField
          label={t`Workspaces at most`}
          help={t`In the whole team`}
          value={draft.allowed_workspaces}
          onChange={(allowed_workspaces) => set({ allowed_workspaces })}
        />
        <NumberField
          label={t`Admins at most`}
          help={t`In each workspace`}
          value={draft.allowed_admins}
          onChange={(allowed_admins) => set({ allowed_admins })}
        />
      </Box>
      {save.error && <FormError>{messageOf(save.error)}</FormError>}
      <Box>
        <Button type="submit" variant="contained" loading={save.isPending} disabled={!maySave(draft, team)}>
          <Trans>Save</Trans>
        </Button>
      </Box>
    </Box>
  )
}

function isChanged(draft: Draft, team: TeamInfo): boolean {
  const before = draftOf(team)
  return (Object.keys(before) as (keyof Draft)[]).some((key) => draft[key].trim() !== before[key])
}

function maySave(draft: Draft, team: TeamInfo): boolean {
  const valid = [draft.allowed_workspaces, draft.allowed_admins].every((text) => /^\d{1,6}$/.test(text.trim()))
  return isChanged(draft, team) && valid && draft.name.trim() !== ''
}

interface NumberFieldProps {
  label: string
  help: string
  value: string
  onChange: (value: string) => void
}

function NumberField({ label, help, value, onChange }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      value={value}
      helperText={help}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 6 } }}
    />
  )
}
