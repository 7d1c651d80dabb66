import { plural, t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import type { Reply } from '../../../../../contract/endpoint.ts'
import { api } from '../../../../../contract/index.ts'
import { messageOf } from '../../../../api/failures.ts'
import { read, useAction, useReading } from '../../../../api/query.ts'
import { WordsField } from '../../../../shared/inviting/words-field.tsx'
import { countWords } from '../../../../shared/names-of.ts'
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../../ui/toasts/toasts.tsx'
import { DraftsTable } from './drafts-table.tsx'

type Published = Reply<typeof api.drafts.publish>

interface PublishDialogProps {
  workspaceId: number
  /** Ids of the folders that are meant, and of those above them. */
  folderIds: ReadonlySet<number>
  onClose: () => void
}

/** Shows who will see which drafts, and publishes the chosen ones together. */
export function PublishDialog({ workspaceId, folderIds, onClose }: PublishDialogProps) {
  const toasts = useToasts()
  const params = { id: workspaceId }
  const { data, error } = useReading(read(api.drafts.list, { params }))
  const [changed, setChanged] = useState<ReadonlySet<number>>()
  const [wantsInviting, setWantsInviting] = useState(false)
  const [message, setMessage] = useState('')
  const drafts = data?.drafts ?? []
  const chosen = changed ?? meantAmong(drafts, folderIds)
  const body = { folder_ids: drafts.map(({ folder_id }) => folder_id).filter((id) => chosen.has(id)) }
  const isAny = body.folder_ids.length > 0
  const trial = useReading({
    ...read(api.drafts.publish, { params, body: { ...body, dry_run: true } }),
    enabled: isAny,
    placeholderData: (before) => before,
  })
  const uninvited = (isAny && trial.data?.uninvited) || 0
  const invites = wantsInviting && uninvited > 0
  const publish = useAction(api.drafts.publish, {
    onDone: (published) => {
      onClose()
      toasts.done(publishedWords(published))
      if (invites && published.uninvited > 0) toasts.failed(leftWords(published.uninvited))
    },
  })
  const failure = error ?? publish.error ?? trial.error
  return (
    <FormDialog
      open
      maxWidth="md"
      title={t`Publish drafts`}
      submit={t`Publish now`}
      disabled={!isAny}
      pending={publish.isPending}
      error={failure ? messageOf(failure) : undefined}
      unsaved={invites && message !== ''}
      onSubmit={() =>
        publish.mutate({ params, body: { ...body, dry_run: false, ...(invites && { invitation: { message } }) } })
      }
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {data && drafts.length === 0
          ? t`There are no drafts in this workspace.`
          : t`Only workspace admins see them now. Here is who will.`}
      </Typography>
      {data && drafts.length > 0 && <DraftsTable {...data} chosen={chosen} onChoose={setChanged} />}
      {drafts.length > 0 && (
        <div aria-live="polite">
          <Typography sx={{ fontWeight: 600 }}>
            {!isAny ? t`Choose at least one draft.` : trial.data ? seenWords(trial.data) : '\u00a0'}
          </Typography>
          <Typography color="textSecondary">
            {t`People who get mails of news find the files in their next one. Mails that were sent stay sent.`}
          </Typography>
          {isAny && body.folder_ids.length < drafts.length && (
            <Typography color="textSecondary">
              {t`Drafts that you leave out come behind what is published beside them, so their numbers may change.`}
            </Typography>
          )}
        </div>
      )}
      {uninvited > 0 && (
        <>
          <FormControlLabel
            label={plural(uninvited, {
              one: 'Invite # person among them who is not invited yet',
              other: 'Invite # people among them who are not invited yet',
            })}
            control={<Checkbox checked={invites} onChange={(_event, checked) => setWantsInviting(checked)} />}
          />
          {invites && <WordsField value={message} onChange={setMessage} />}
        </>
      )}
    </FormDialog>
  )
}

function publishedWords(published: Published): string {
  const what = countWords(published)
  const { invited } = published
  if (invited === 0) return t`Published: ${what}.`
  const mails = plural(invited, { one: '# invitation is on its way', other: '# invitations are on their way' })
  return t`Published: ${what}. ${mails}.`
}

const leftWords = (left: number) =>
  plural(left, {
    one: '# person is still not invited: 100 are invited at a time, a mailbox gets ten mails an hour, and the team may suppress mails.',
    other:
      '# people are still not invited: 100 are invited at a time, a mailbox gets ten mails an hour, and the team may suppress mails.',
  })

/** The drafts that are meant; all of them, if none is. */
function meantAmong(drafts: readonly { folder_id: number }[], folderIds: ReadonlySet<number>): ReadonlySet<number> {
  const ids = drafts.map(({ folder_id }) => folder_id)
  const meant = ids.filter((id) => folderIds.has(id))
  return new Set(meant.length > 0 ? meant : ids)
}

function seenWords({ folders, files, people, groups }: Published): string {
  if (folders === 0) return t`Nothing can be seen yet: a draft above still hides it.`
  const what = countWords({ folders, files })
  if (groups === 0) return t`No group may see anything of it yet: ${what}.`
  if (people === 0) return t`The groups that may see something of it have no people yet: ${what}.`
  const inGroups = plural(groups, { one: '# group', other: '# groups' })
  return plural(people, {
    one: `${inGroups} may see something of it, with # person: ${what}.`,
    other: `${inGroups} may see something of it, with # people: ${what}.`,
  })
}
