import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import type { ReactNode, SubmitEvent } from 'react'
import { MAX_ALLOWED } from '../../../contract/endpoints/teams.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { Meanwhile } from '../../ui/states/meanwhile.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { useDraft } from '../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../ui/dialogs/use-unsaved-changes.ts'
import type { TeamInfo } from './team-info.ts'

interface Fields {
  name: string
  allowed_workspaces: string
  allowed_admins: string
}

const fieldsOf = ({ name, allowed_workspaces, allowed_admins }: TeamInfo): Fields => ({
  name,
  allowed_workspaces: String(allowed_workspaces),
  allowed_admins: String(allowed_admins),
})

/** Numbers are kept as typed until they are sent, because an empty field is not 0. */
export function TeamLimits({ team }: { team: TeamInfo }) {
  const toasts = useToasts()
  const draft = useDraft(fieldsOf(team))
  const { values } = draft
  const save = useAction(api.teams.update, { onDone: () => toasts.done(t`The team is saved`) })
  const changed = draft.changed.length > 0
  useUnsavedChanges(changed)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!changed || !isValid(values) || save.isPending) return
    const all = {
      name: values.name.trim(),
      allowed_workspaces: Number(values.allowed_workspaces),
      allowed_admins: Number(values.allowed_admins),
    }
    const sent = Object.fromEntries(draft.changed.map((key) => [key, all[key]]))
    save.mutate({ params: { id: team.id }, body: { team: sent } }, { onSuccess: () => draft.saved(values) })
  }
  const field = (key: keyof Fields) => ({
    value: values[key],
    onChange: (text: string) => draft.set({ [key]: text }),
    overtakenBy: draft.overtaken.includes(key) && (
      <Meanwhile value={fieldsOf(team)[key]} onTake={() => draft.drop(key)} />
    ),
  })
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <TextLine label={t`Name`} maxLength={255} {...field('name')} />
      <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2 }}>
        <TextLine
          label={t`Workspaces at most`}
          help={t`In the whole team; existing ones stay`}
          maxLength={6}
          numeric
          {...field('allowed_workspaces')}
        />
        <TextLine
          label={t`Admins at most`}
          help={t`In each workspace; existing ones stay`}
          maxLength={6}
          numeric
          {...field('allowed_admins')}
        />
      </Box>
      {save.error && <FormError>{messageOf(save.error)}</FormError>}
      <Box>
        <Button type="submit" variant="contained" loading={save.isPending} disabled={!changed || !isValid(values)}>
          <Trans>Save</Trans>
        </Button>
      </Box>
    </Box>
  )
}

function isValid({ name, allowed_workspaces, allowed_admins }: Fields): boolean {
  return name.trim() !== '' && [allowed_workspaces, allowed_admins].every(isLimit)
}

const isLimit = (text: string) => /^\d{1,6}$/.test(text.trim()) && Number(text) <= MAX_ALLOWED

interface TextLineProps {
  label: string
  help?: string
  value: string
  /** The value that another user has stored meanwhile. */
  overtakenBy: ReactNode
  maxLength: number
  numeric?: boolean
  onChange: (value: string) => void
}

function TextLine({ label, help, value, overtakenBy, maxLength, numeric = false, onChange }: TextLineProps) {
  return (
    <TextField
      label={label}
      value={value}
      helperText={overtakenBy || help}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { inputMode: numeric ? 'numeric' : 'text', maxLength } }}
    />
  )
}
