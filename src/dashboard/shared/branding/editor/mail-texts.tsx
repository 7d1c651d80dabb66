import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { type SubmitEvent, useState } from 'react'
import { PLACEHOLDERS } from '../../../../contract/endpoints/deal/placeholders.ts'
import { LANGUAGES, type Language } from '../../../../contract/endpoints/deal/notifications.ts'
import { messageOf } from '../../../api/failures.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { useDraft } from '../../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { type Branding, type BrandPlace, type Changes, useSaveBranding } from './brand-place.ts'
import { MailPreview } from './mail-preview.tsx'

const FILLED = PLACEHOLDERS.map((name) => `{${name}}`).join(', ')
const TEXTS = ['subject_en', 'text_en', 'subject_de', 'text_de'] as const

/** Subject and first words of invitations, in both languages, with the mail as it will be sent. */
export function MailTexts({ place, branding }: { place: BrandPlace; branding: Branding }) {
  const [language, setLanguage] = useState<Language>('en')
  const toasts = useToasts()
  const { save, isPending, error } = useSaveBranding(place, () => toasts.done(t`The invitation is saved`))
  const draft = useDraft({
    subject_en: branding.subject_en ?? '',
    text_en: branding.text_en ?? '',
    subject_de: branding.subject_de ?? '',
    text_de: branding.text_de ?? '',
  })
  const changed = draft.changed.length > 0
  useUnsavedChanges(changed)
  const texts = Object.fromEntries(TEXTS.map((key) => [key, draft.values[key].trim() || null])) as Changes
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const sent = Object.fromEntries(draft.changed.map((key) => [key, texts[key]]))
    if (changed && !isPending) save(sent, () => draft.saved(draft.values))
  }
  const field = (key: (typeof TEXTS)[number], label: string, maxLength: number) => (
    <TextField
      label={label}
      value={draft.values[key]}
      placeholder={branding.inherited?.[key] ?? ''}
      multiline={maxLength > 200}
      lang={language}
      autoComplete="off"
      onChange={(event) => draft.set({ [key]: event.target.value })}
      slotProps={{ htmlInput: { maxLength }, inputLabel: { shrink: true } }}
    />
  )
  return (
    <Form noValidate onSubmit={submit}>
      <Rules place={place} branding={branding} />
      <Languages language={language} onChange={setLanguage} />
      {field(`subject_${language}`, t`Subject`, 200)}
      {field(`text_${language}`, t`First words`, 2000)}
      <Hint>{t`Plain text. ${FILLED} are filled in; the last is the first name of the reader. What is expected, terms and the link follow by themselves.`}</Hint>
      {error && <FormError>{messageOf(error)}</FormError>}
      <div>
        <Button type="submit" variant="contained" loading={isPending} disabled={!changed}>
          <Trans>Save invitation</Trans>
        </Button>
      </div>
      <MailPreview key={language} place={place} draft={{ language, branding: texts }} />
    </Form>
  )
}

function Languages({ language, onChange }: { language: Language; onChange: (language: Language) => void }) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={t`Language of the invitation`}
      value={language}
      onChange={(_event, next: Language | null) => next && onChange(next)}
    >
      {LANGUAGES.map((each) => (
        <ToggleButton key={each} value={each} lang={each}>
          {NAMES[each]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** Choosing stores. */
function Rules({ place, branding }: { place: BrandPlace; branding: Branding }) {
  const toasts = useToasts()
  const { save: onChange, error } = useSaveBranding(place, () => toasts.done(t`The choice is saved`))
  const inherits = place === 'organization' ? undefined : t`As the organization has it`
  const languages = LANGUAGES.map((each) => [each, NAMES[each]] as [string, string])
  return (
    <Choices>
      <Choice
        label={t`Language for people who are new`}
        none={inherits ?? NAMES.en}
        value={branding.invitation_language ?? ''}
        options={inherits ? languages : languages.filter(([each]) => each !== 'en')}
        onChange={(value) => onChange({ invitation_language: value === '' ? null : (value as Language) })}
      />
      <Choice
        label={t`Who gets replies`}
        none={inherits ?? t`The sender’s address`}
        value={branding.replies ?? ''}
        options={
          [
            ['contact', t`The contact of the workspace`],
            ...(inherits ? [['nobody', t`The sender’s address`]] : []),
          ] as [string, string][]
        }
        onChange={(value) => onChange({ replies: value === '' ? null : (value as 'contact' | 'nobody') })}
      />
      {error && <FormError>{messageOf(error)}</FormError>}
    </Choices>
  )
}

const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

const Form = styled('form')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 })

const Choices = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 220px), 1fr))',
  gap: 16,
})

const Hint = styled('p')(({ theme }) => ({
  margin: '-8px 0 0',
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
}))
