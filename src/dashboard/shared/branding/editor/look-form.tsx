import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import type { SubmitEvent } from 'react'
import { isColour, isReadable, SCHEMES, type Scheme } from '../../../../contract/endpoints/looks/accents.ts'
import { messageOf } from '../../../api/failures.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { useDraft } from '../../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { AccentField } from './accent-field.tsx'
import { type Branding, type BrandPlace, useSaveBranding } from './brand-place.ts'
import { LookPreview } from './look-preview.tsx'

/** Names and accents, with a preview of what is typed. */
export function LookForm({ place, branding }: { place: BrandPlace; branding: Branding }) {
  const { inherited } = branding
  const toasts = useToasts()
  const { save, isPending, error } = useSaveBranding(place, () => toasts.done(t`The branding is saved`))
  const draft = useDraft({
    display_name: branding.display_name ?? '',
    accent_light: branding.accent_light ?? '',
    accent_dark: branding.accent_dark ?? '',
    sender_name: branding.sender_name ?? '',
  })
  const { values } = draft
  const changed = draft.changed.length > 0
  const isFit = SCHEMES.every((scheme) => fits(scheme, values[`accent_${scheme}`]))
  useUnsavedChanges(changed)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!changed || !isFit || isPending) return
    const sent = Object.fromEntries(draft.changed.map((key) => [key, values[key].trim() || null]))
    save(sent, () => draft.saved(values))
  }
  const nameField = (key: 'display_name' | 'sender_name', label: string) => (
    <TextField
      label={label}
      value={values[key]}
      placeholder={inherited?.[key] ?? ''}
      autoComplete="off"
      onChange={(event) => draft.set({ [key]: event.target.value })}
      slotProps={{ htmlInput: { maxLength: 100 }, inputLabel: { shrink: true } }}
    />
  )
  return (
    <form noValidate onSubmit={submit}>
      <Grid>
        {nameField('display_name', t`Display name`)}
        {nameField('sender_name', t`Sender of mails`)}
        {SCHEMES.map((scheme) => (
          <AccentField
            key={scheme}
            scheme={scheme}
            value={values[`accent_${scheme}`]}
            inherited={inherited?.[`accent_${scheme}`] ?? null}
            onChange={(colour) => draft.set({ [`accent_${scheme}`]: colour })}
          />
        ))}
        {SCHEMES.map((scheme) => (
          <LookPreview
            key={scheme}
            scheme={scheme}
            accent={shownAccent(values[`accent_${scheme}`], inherited?.[`accent_${scheme}`])}
            name={values.display_name || (inherited?.display_name ?? '')}
          />
        ))}
      </Grid>
      {error && <FormError>{messageOf(error)}</FormError>}
      <Button type="submit" variant="contained" loading={isPending} disabled={!changed || !isFit}>
        <Trans>Save branding</Trans>
      </Button>
    </form>
  )
}

const fits = (scheme: Scheme, colour: string) => colour === '' || (isColour(colour) && isReadable(scheme, colour))

const shownAccent = (typed: string, inherited: string | null | undefined) =>
  isColour(typed) ? typed : (inherited ?? null)

const Grid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 220px), 1fr))',
  gap: 16,
  marginBottom: 16,
})
