import { plural, t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { UserPlus } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { type PersonAdded, useAddPeople } from '../../../shared/inviting/add-people.ts'
import { emailsOf, NOBODY, useAddressable } from '../../../shared/inviting/addressable.ts'
import { INVITE_NOW, InviteChoice } from '../../../shared/inviting/invite-choice.tsx'
import { NotAdded } from '../../../shared/inviting/not-added.tsx'
import { withNotInvited } from '../../../shared/inviting/not-invited.ts'
import { PeopleField } from '../../../shared/inviting/people-field.tsx'
import { nameOf } from '../../../shared/people.ts'
import { number } from '../../../ui/words/format.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'

interface AddMemberFormProps {
  workspaceId: number
  group: { id: number; name: string; is_draft: boolean }
}

/** Adds anyone whom the user can see by name, and everybody else by e-mail address. */
export function AddMemberForm({ workspaceId, group }: AddMemberFormProps) {
  const toasts = useToasts()
  const { people, known } = useAddressable()
  const [who, setWho] = useState(NOBODY)
  const [inviting, setInviting] = useState(INVITE_NOW)
  const add = useAddPeople()
  const emails = emailsOf(who)
  const many = number(emails.length)
  // A single name is quickly typed again, so only a list counts as unsaved.
  useUnsavedChanges(emails.length > 1 || (emails.length > 0 && inviting.message !== ''))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (add.isPending || emails.length === 0) return
    const call = { workspace_id: workspaceId, group_id: group.id, emails, known, inviting }
    add.mutate(call, {
      onSuccess: ({ added, refused, left }) => {
        const rest = [...refused.map(({ email }) => email), ...left]
        setWho((now) => (now === who ? { chosen: rest, text: '' } : now))
        if (rest.length === 0) setInviting(INVITE_NOW)
        if (added.length > 0) toasts.done(withNotInvited(addedText(added, group), added, inviting))
      },
    })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 1 }}>
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1, '& > div': { flex: '1 1 240px' } }}
      >
        <PeopleField
          label={t`Name or e-mail addresses`}
          people={people}
          groupId={group.id}
          value={who}
          onChange={setWho}
        />
        <Button
          type="submit"
          variant="contained"
          disabled={emails.length === 0}
          loading={add.isPending}
          startIcon={<UserPlus size={16} />}
          sx={{ flex: 'none' }}
        >
          {emails.length > 1 ? t`Add ${many}` : t`Add`}
        </Button>
      </Box>
      {emails.length > 0 && !group.is_draft && <InviteChoice value={inviting} onChange={setInviting} />}
      {add.data && <NotAdded outcome={add.data} />}
    </Box>
  )
}

function addedText(added: readonly PersonAdded[], { name: groupName, is_draft }: AddMemberFormProps['group']): string {
  const [first] = added
  const name = first ? nameOf(first) : ''
  if (is_draft)
    return plural(
      { people: added.length },
      {
        one: `${name} gets in once ${groupName} is published`,
        other: `# people get in once ${groupName} is published`,
      },
    )
  return plural(
    { people: added.length },
    { one: `${name} is now in ${groupName}`, other: `# people are now in ${groupName}` },
  )
}
