import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { toIanaZone } from '../../../contract/time-zones.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { type Me, sessionQuery } from '../../api/session.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { Meanwhile } from '../../ui/states/meanwhile.tsx'
import { setTimeZone } from '../../ui/words/time-zone.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { useDraft } from '../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../ui/dialogs/use-unsaved-changes.ts'
import { TimeZoneField } from '../../shared/time-zone-field.tsx'

type Profile = Pick<Me, 'first_name' | 'last_name' | 'company' | 'title' | 'email' | 'time_zone'>

export function ProfileForm({ me }: { me: Me }) {
  const draft = useDraft<Profile>(me)
  const { values, changed } = draft
  const save = useSaveProfile()
  useUnsavedChanges(changed.length > 0)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (changed.length === 0 || values.email.trim() === '' || save.isPending) return
    const user: Partial<Profile> = Object.fromEntries(changed.map((key) => [key, values[key].trim()]))
    save.mutate(
      { body: { user } },
      {
        onSuccess: ({ pending_email }) => {
          draft.saved(values)
          // The account keeps its old address until the user enters the code.
          if (pending_email !== null) draft.drop('email')
        },
      },
    )
  }
  const isRenamed = changed.includes('first_name') || changed.includes('last_name')
  const meanwhile = (key: keyof Profile) =>
    draft.overtaken.includes(key) && <Meanwhile value={me[key]} onTake={() => draft.drop(key)} />
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2 }}>
        <TextField
          label={t`First name`}
          value={values.first_name}
          autoComplete="given-name"
          helperText={meanwhile('first_name')}
          onChange={(event) => draft.set({ first_name: event.target.value })}
        />
        <TextField
          label={t`Last name`}
          value={values.last_name}
          autoComplete="family-name"
          helperText={
            meanwhile('last_name') || (isRenamed && t`Watermarks show a new name once a workspace admin accepts it.`)
          }
          onChange={(event) => draft.set({ last_name: event.target.value })}
        />
        <TextField
          label={t`Company`}
          value={values.company}
          autoComplete="organization"
          helperText={meanwhile('company')}
          onChange={(event) => draft.set({ company: event.target.value })}
        />
        <TextField
          label={t({ message: 'Title', context: 'of a person' })}
          value={values.title}
          autoComplete="organization-title"
          helperText={meanwhile('title')}
          onChange={(event) => draft.set({ title: event.target.value })}
        />
      </Box>
      <TextField
        label={t`E-mail address`}
        type="email"
        value={values.email}
        autoComplete="email"
        helperText={
          meanwhile('email') || t`You sign in with it. A new one counts once you enter the code that we mail to it.`
        }
        onChange={(event) => draft.set({ email: event.target.value })}
      />
      <TimeZoneField
        label={t`Time zone`}
        helperText={t`Dates and times are shown in it, in watermarks too.`}
        value={values.time_zone}
        onChange={(time_zone) => draft.set({ time_zone })}
      />
      {save.error && <FormError>{messageOf(save.error)}</FormError>}
      <Box>
        <Button
          type="submit"
          variant="contained"
          loading={save.isPending}
          disabled={changed.length === 0 || values.email.trim() === ''}
        >
          <Trans>Save</Trans>
        </Button>
      </Box>
    </Box>
  )
}

/** Invalidates the session after a save, because the session contains the user. */
function useSaveProfile() {
  const toasts = useToasts()
  const client = useQueryClient()
  return useAction(api.users.updateMe, {
    onDone: async ({ time_zone, pending_email }, { body }) => {
      setTimeZone(toIanaZone(time_zone))
      await client.invalidateQueries(sessionQuery)
      const isAsked = body.user.email !== undefined && pending_email !== null
      toasts.done(isAsked ? t`A mail is on its way to ${pending_email}` : t`Your profile is saved`)
    },
  })
}
