import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import type { Me } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { TimeZoneField } from '../../../shared/time-zone-field.tsx'
import { StepForm } from './step-form.tsx'

type Profile = Pick<Me, 'first_name' | 'last_name' | 'company' | 'title' | 'time_zone'>

const ASKED = ['first_name', 'last_name', 'company'] as const

const zoneOfBrowser = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Asks a person once, after the first sign-in, who they are. */
export function ProfileStep({ me, onDone }: { me: Me; onDone: (me: Me) => void }) {
  const { first_name, last_name, company, title } = me
  const [user, setUser] = useState<Profile>({ first_name, last_name, company, title, time_zone: zoneOfBrowser() })
  const save = useMutation({ mutationFn: () => call(api.users.updateMe, { body: { user } }), onSuccess: onDone })
  const hasName = `${user.first_name}${user.last_name}`.trim() !== ''
  const missing = ASKED.find((key) => me[key] === '')
  const field = (key: keyof Profile, label: string, autoComplete: string) => (
    <TextField
      label={label}
      value={user[key]}
      autoComplete={autoComplete}
      autoFocus={key === missing}
      onChange={(event) => setUser({ ...user, [key]: event.target.value })}
      slotProps={{ htmlInput: { maxLength: 255 } }}
    />
  )
  return (
    <StepForm onSubmit={() => hasName && !save.isPending && save.mutate()}>
      <div>
        <Typography variant="h1">
          <Trans>About you</Trans>
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5 }}>
          <Trans>
            Asked once. The admins of your rooms see it. Other readers see your name beside the questions that you ask
            for your group, and nothing else unless you are their contact.
          </Trans>
        </Typography>
      </div>
      <Pair>
        {field('first_name', t`First name`, 'given-name')}
        {field('last_name', t`Last name`, 'family-name')}
        {field('company', t`Company`, 'organization')}
        {field('title', t`Title, if you like`, 'organization-title')}
      </Pair>
      <TimeZoneField
        label={t`Time zone, from this browser`}
        value={user.time_zone}
        onChange={(time_zone) => setUser({ ...user, time_zone })}
      />
      {save.error && <FormError>{messageOf(save.error)}</FormError>}
      <Button type="submit" variant="contained" large loading={save.isPending} disabled={!hasName}>
        <Trans>Continue</Trans>
      </Button>
    </StepForm>
  )
}

const Pair = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 16,
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: '1fr' },
}))
