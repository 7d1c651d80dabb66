import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { Plus, Trash2 } from 'lucide-react'
import type { SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction, useRead } from '../../api/query.ts'
import { welcomeQuery } from '../../shared/welcome-query.ts'
import { IconButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { useDraft } from '../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../ui/dialogs/use-unsaved-changes.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'

const EMPTY = { name: '', role: '', email: '', phone: '' }
type Contact = typeof EMPTY
const MOST = 10

/** People beside the contact whom readers may ask, as typed. */
export function ContactPeople({ workspaceId }: { workspaceId: number }) {
  const { contacts } = useRead(welcomeQuery(workspaceId))
  const toasts = useToasts()
  const save = useAction(api.workspaces.updateWelcome, { onDone: () => toasts.done(t`The welcome page is saved`) })
  const stored = JSON.stringify(contacts)
  const draft = useDraft({ contacts: stored })
  const people = JSON.parse(draft.values.contacts) as Contact[]
  const change = (next: Contact[]) => draft.set({ contacts: JSON.stringify(next) })
  const changed = draft.changed.length > 0
  useUnsavedChanges(changed)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const sent = { params: { id: workspaceId }, body: { welcome: { contacts: people } } }
    save.mutate(sent, { onSuccess: () => draft.saved(draft.values) })
  }
  return (
    <Form noValidate onSubmit={submit}>
      {people.map((person, at) => (
        <ContactFields
          key={at}
          place={at + 1}
          person={person}
          onChange={(part) => change(people.with(at, { ...person, ...part }))}
          onRemove={() => change(people.toSpliced(at, 1))}
        />
      ))}
      {save.error && <FormError>{messageOf(save.error)}</FormError>}
      <Row>
        <Button
          variant="outlined"
          startIcon={<Plus size={15} />}
          disabled={people.length >= MOST}
          onClick={() => change([...people, EMPTY])}
        >
          <Trans>Add a person to contact</Trans>
        </Button>
        {changed && (
          <Button type="submit" variant="contained" loading={save.isPending}>
            <Trans>Save people</Trans>
          </Button>
        )}
      </Row>
    </Form>
  )
}

interface ContactFieldsProps {
  place: number
  person: Contact
  onChange: (part: Partial<Contact>) => void
  onRemove: () => void
}

function ContactFields({ place, person, onChange, onRemove }: ContactFieldsProps) {
  const field = (key: keyof Contact, label: string, maxLength = 255) => (
    <TextField
      label={label}
      value={person[key]}
      autoComplete="off"
      onChange={(event) => onChange({ [key]: event.target.value })}
      slotProps={{ htmlInput: { maxLength } }}
    />
  )
  return (
    <Person role="group" aria-label={t`Person ${place}`}>
      {field('name', t`Name`)}
      {field('role', t`Role`)}
      {field('email', t`E-mail`, 254)}
      {field('phone', t`Telephone`, 60)}
      <IconButton onClick={onRemove} aria-label={t`Remove person ${place}`}>
        <Trash2 size={16} />
      </IconButton>
    </Person>
  )
}

const Form = styled('form')({ display: 'grid', gap: 12 })

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8 })

const Person = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr)) auto',
  alignItems: 'center',
  gap: 8,
  '& > button': { gridColumn: 3, gridRow: 1 },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr) auto', '& > button': { gridColumn: 2 } },
}))
