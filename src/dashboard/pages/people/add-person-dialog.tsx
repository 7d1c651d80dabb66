import { plural, t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { type PersonAdded, useAddPeople } from '../../shared/inviting/add-people.ts'
import { emailsOf, NOBODY, useAddressable } from '../../shared/inviting/addressable.ts'
import { INVITE_NOW, InviteChoice } from '../../shared/inviting/invite-choice.tsx'
import { NotAdded } from '../../shared/inviting/not-added.tsx'
import { withNotInvited } from '../../shared/inviting/not-invited.ts'
import { PeopleField } from '../../shared/inviting/people-field.tsx'
import { nameOf } from '../../shared/people.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { number } from '../../ui/words/format.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface AddPersonDialogProps {
  workspaceId: number
  onClose: () => void
}

/** Users come into a workspace through a group. */
export function AddPersonDialog({ workspaceId, onClose }: AddPersonDialogProps) {
  const toasts = useToasts()
  const { data: groups = [] } = useReading(read(api.groups.list, { query: { workspace_id: workspaceId } }))
  const { people, known } = useAddressable()
  const [who, setWho] = useState(NOBODY)
  const [group_id, setGroupId] = useState<number>()
  const [inviting, setInviting] = useState(INVITE_NOW)
  const add = useAddPeople()
  const isDraft = groups.some((group) => group.id === group_id && group.is_draft)
  const emails = emailsOf(who)
  const many = number(emails.length)
  const submit = () => {
    if (group_id === undefined) return
    add.mutate(
      { workspace_id: workspaceId, group_id, emails, known, inviting },
      {
        onSuccess: ({ added, refused, left }) => {
          if (added.length > 0) toasts.done(withNotInvited(addedText(added), added, inviting))
          if (refused.length === 0) onClose()
          else setWho({ chosen: [...refused.map(({ email }) => email), ...left], text: '' })
        },
      },
    )
  }
  return (
    <FormDialog
      open
      title={t`Add person`}
      submit={emails.length > 1 ? t`Add ${many}` : t`Add`}
      pending={add.isPending}
      disabled={emails.length === 0 || group_id === undefined}
      unsaved={emails.length > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <PeopleField
        autoFocus
        label={t`Name or e-mail addresses`}
        help={t`One, or several as they stand in a mail or a spreadsheet.`}
        people={people}
        groupId={group_id}
        value={who}
        onChange={setWho}
        readOnly={add.isPending}
      />
      <TextField
        select
        label={t`Group`}
        value={group_id ?? ''}
        helperText={t`The group decides what the person may see and do.`}
        onChange={(event) => setGroupId(Number(event.target.value))}
      >
        {groups.map(({ id, name, is_draft }) => (
          <MenuItem key={id} value={id}>
            {is_draft ? t`${name} (draft)` : name}
          </MenuItem>
        ))}
      </TextField>
      {isDraft ? (
        <Typography color="textSecondary">
          {t`This group is a draft. People whom you add to it are not mailed and are not listed here until you publish it.`}
        </Typography>
      ) : (
        <InviteChoice value={inviting} onChange={setInviting} />
      )}
      {add.data && <NotAdded outcome={add.data} />}
    </FormDialog>
  )
}

function addedText(added: readonly PersonAdded[]): string {
  const [first] = added
  const name = first ? nameOf(first) : ''
  return plural({ people: added.length }, { one: `${name} has been added`, other: '# people have been added' })
}
