import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useRead, useReading } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { ContactPeople } from './contact-people.tsx'
import { welcomeQuery } from '../../shared/welcome-query.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { Choice } from '../../ui/fields/choice.tsx'
import { TextForm } from '../../ui/fields/text-form.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

/** What the landing page and the invitations of the workspace say. */
export function WelcomeTexts({ workspaceId }: { workspaceId: number }) {
  const { description, expectation, text, contact_note } = useRead(welcomeQuery(workspaceId))
  const toasts = useToasts()
  const save = useAction(api.workspaces.updateWelcome, { onDone: () => toasts.done(t`The welcome page is saved`) })
  const params = { id: workspaceId }
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ContactChoice workspaceId={workspaceId} />
      <ContactPeople workspaceId={workspaceId} />
      <TextForm
        fields={[
          { key: 'description', label: t`What the room is about, also in invitations`, maxLength: 500 },
          { key: 'text', label: t`Welcome text`, multiline: true, maxLength: 5000 },
          {
            key: 'expectation',
            label: t`What is expected of readers, also in invitations`,
            multiline: true,
            maxLength: 2000,
          },
          { key: 'contact_note', label: t`How to reach the contact: telephone, hours` },
        ]}
        values={{ description, text, expectation, contact_note }}
        pending={save.isPending}
        error={save.error ? messageOf(save.error) : undefined}
        onSave={(welcome, onSaved) => save.mutate({ params, body: { welcome } }, { onSuccess: onSaved })}
      />
    </Box>
  )
}

/** Choosing stores. */
function ContactChoice({ workspaceId }: { workspaceId: number }) {
  const { contact } = useRead(welcomeQuery(workspaceId))
  const { data: people = [] } = useReading(read(api.workspaces.listMembers, { params: { id: workspaceId } }))
  const set = useAction(api.workspaces.updateWelcome)
  const admins = people
    .filter(({ admin }) => admin)
    .map(({ user }) => [String(user.id), nameOf(user)] as [string, string])
  const known = contact ? ([[String(contact.user_id), nameOf(contact)]] as [string, string][]) : []
  const choose = (id: string) =>
    set.mutate({
      params: { id: workspaceId },
      body: { welcome: { contact_user_id: id === '' ? null : Number(id) } },
    })
  return (
    <>
      <Choice
        label={t`Contact for readers`}
        none={t`Nobody`}
        value={contact ? String(contact.user_id) : ''}
        options={admins.length > 0 ? admins : known}
        onChange={choose}
      />
      {set.error && <FormError>{messageOf(set.error)}</FormError>}
    </>
  )
}
