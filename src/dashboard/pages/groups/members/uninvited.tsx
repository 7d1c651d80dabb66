import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { noMailsText } from '../../../shared/inviting/no-mails.tsx'
import { WordsField } from '../../../shared/inviting/words-field.tsx'
import { useWorkspace } from '../../../shared/workspace.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { Note } from '../../../ui/states/note.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import type { GroupInfo } from '../group-info.ts'

/** Members of a group who were added without a mail, and the button that invites them all. */
export function Uninvited({ group }: { group: GroupInfo }) {
  const [open, setOpen] = useState(false)
  const { team_rules } = useWorkspace()
  const count = group.uninvited_count ?? 0
  if (count === 0 && !open) return null
  return (
    <Note icon={Mail}>
      {plural(count, { one: '# member is not invited yet.', other: '# members are not invited yet.' })}{' '}
      {team_rules?.suppress_emails ? (
        noMailsText()
      ) : (
        <Button onClick={() => setOpen(true)}>
          {plural(count, { one: 'Invite # member', other: 'Invite # members' })}
        </Button>
      )}
      {open && <InviteDialog group={group} count={count} onClose={() => setOpen(false)} />}
    </Note>
  )
}

function InviteDialog({ group, count, onClose }: { group: GroupInfo; count: number; onClose: () => void }) {
  const { id, name, workspace_id } = group
  const [message, setMessage] = useState('')
  const toasts = useToasts()
  const invite = useAction(api.groups.invite, {
    onDone: ({ invited, left }) => {
      if (invited > 0) toasts.done(invitedText(invited))
      if (left > 0) toasts.failed(leftText(left))
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title={t`Invite the members of ${name}`}
      submit={plural(count, { one: 'Invite # member', other: 'Invite # members' })}
      pending={invite.isPending}
      unsaved={message !== ''}
      error={invite.error ? messageOf(invite.error) : undefined}
      onSubmit={() => invite.mutate({ params: { id }, body: { workspace_id, message } })}
      onClose={onClose}
    >
      {t`Each of them gets a mail with a link of their own, the description of the room and your words.`}
      <WordsField value={message} onChange={setMessage} />
    </FormDialog>
  )
}

export const invitedText = (invited: number) =>
  plural(invited, { one: '# invitation is on its way', other: '# invitations are on their way' })

export const leftText = (left: number) =>
  plural(left, {
    one: '# member is still not invited: 100 are invited at a time, a mailbox gets ten mails an hour, one person invites a thousand a day, and the team may suppress mails.',
    other:
      '# members are still not invited: 100 are invited at a time, a mailbox gets ten mails an hour, one person invites a thousand a day, and the team may suppress mails.',
  })
