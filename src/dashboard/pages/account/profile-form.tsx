import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { sessionQuery, type User } from '../../api/session.ts'
import { FormError } from '../../ui/form-error.tsx'
import { setTimeZone } from '../../ui/time-zone.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.ts'

const KEYS = ['first_name', 'last_name', 'email', 'time_zone'] as const
type Profile = Pick<User, (typeof KEYS)[number]>

export function ProfileForm({ me }: { me: User }) {
  const [draft, setDraft] = useState<Profile>(me)
  const save = useSaveProfile()
  const set = (change: Partial<Profile>) => setDraft((before) => ({ ...before, ...change }))
  const changed = KEYS.filter((key) => draft[key].trim() !== me[key])
  useUnsavedChanges(changed.length > 0)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const user: Partial<Profile> = Object.fromEntries(changed.map((key) => [key, draft[key].trim()]))
    save.mutate({ body: { user } })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2 }}>
        <TextField
          label={t`First name`}
          value={draft.first_name}
          autoComplete="given-name"
          onChange={(event) => set({ first_name: event.target.value })}
        />
        <TextField
          label={t`Last name`}
          value={draft.last_name}
          autoComplete="family-name"
          onChange={(event) => set({ last_name: event.target.value })}
        />
      </Box>
      <TextField
        label={t`E-mail address`}
        type="email"
        value={draft.email}
        autoComplete="email"
        helperText={t`You sign in with it.`}
        onChange={(event) => set({ email: event.target.value })}
      />
      <TimeZoneField value={draft.time_zone} onChange={(time_zone) => set({ time_zone })} />
      {save.error && <FormError>{messageOf(save.error)}</FormError>}
      <Box>
        <Button
          type="submit"
          variant="contained"
          loading={save.isPending}
          disabled={changed.length === 0 || draft.email.trim() === ''}
        >
          <Trans>Save</Trans>
        </Button>
      </Box>
    </Box>
  )
}

/** The session carries who is signed in, so it is read again. */
function useSaveProfile() {
  const toasts = useToasts()
  const client = useQueryClient()
  return useAction(api.users.updateMe, {
    onDone: async ({ time_zone }) => {
      setTimeZone(time_zone)
      await client.invalidateQueries(sessionQuery)
      toasts.done(t`Your profile is saved`)
    },
  })
}

function TimeZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  return (
    <Autocomplete
      size="small"
      disableClearable
      options={[...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter(Boolean)}
      value={value}
      onChange={(_event, zone) => onChange(zone)}
      getOptionLabel={(zone) => zone.replaceAll('_', ' ')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={t`Time zone`}
          helperText={t`Dates and times are shown in it, in watermarks too.`}
        />
      )}
    />
  )
}
