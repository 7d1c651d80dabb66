import { plural, t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { FileText, type LucideIcon, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useAction, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { WordsField } from '../../../shared/inviting/words-field.tsx'
import { countWords } from '../../../shared/names-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { number } from '../../../ui/words/format.ts'
import type { GroupInfo } from '../group-info.ts'
import { invitedText, leftText } from '../members/uninvited.tsx'

type Published = Reply<typeof api.draftGroups.publish>

interface PublishGroupDialogProps {
  group: GroupInfo
  onClose: () => void
}

/** Shows what the people in a draft group will see and who is invited, and publishes it in one act. */
export function PublishGroupDialog({ group, onClose }: PublishGroupDialogProps) {
  const { id, name, workspace_id } = group
  const params = { id }
  const { data, error } = useReading({
    ...read(api.draftGroups.publish, { params, body: { workspace_id, dry_run: true } }),
    refetchOnMount: 'always',
  })
  const [wantsInviting, setWantsInviting] = useState(true)
  const [message, setMessage] = useState('')
  const uninvited = data?.uninvited ?? 0
  const invites = wantsInviting && uninvited > 0
  const publish = usePublishing(name, invites, onClose)
  const submit = () => {
    const invitation = invites ? { invitation: { message } } : {}
    publish.mutate({ params, body: { workspace_id, dry_run: false, ...invitation } })
  }
  const failure = error ?? publish.error
  return (
    <FormDialog
      open
      maxWidth="sm"
      title={t`Publish ${name}`}
      submit={invites ? t`Publish and invite ${number(Math.min(uninvited, 100))}` : t`Publish now`}
      disabled={!data}
      pending={publish.isPending}
      error={failure ? messageOf(failure) : undefined}
      unsaved={invites && message !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`Only workspace admins know of the group now. Here is what changes for its people.`}
      </Typography>
      {!data && !error && <SkeletonRows rows={2} height={52} columns="minmax(0, 1fr)" />}
      {data && (
        <>
          <Effect group={group} foreseen={data} />
          {uninvited > 0 && (
            <FormControlLabel
              label={plural(uninvited, {
                one: 'Invite # person who is not invited yet',
                other: 'Invite # people who are not invited yet',
              })}
              control={<Checkbox checked={wantsInviting} onChange={(_event, checked) => setWantsInviting(checked)} />}
            />
          )}
          {invites && <WordsField value={message} onChange={setMessage} />}
          <Typography variant="caption" color="textSecondary" component="p">
            {t`Mails that were sent stay sent. Once one of its people has come in, the group cannot become a draft again.`}
          </Typography>
        </>
      )}
    </FormDialog>
  )
}

function usePublishing(name: string, invites: boolean, onClose: () => void) {
  const toasts = useToasts()
  return useAction(api.draftGroups.publish, {
    onDone: (published) => {
      onClose()
      toasts.done(publishedWords(name, published))
      if (invites && published.uninvited > 0) toasts.failed(leftText(published.uninvited))
    },
  })
}

function Effect({ group, foreseen }: { group: GroupInfo; foreseen: Published }) {
  const { id, workspace_id } = group
  const { folders, files, people } = foreseen
  return (
    <List>
      <Line icon={Users} title={peopleWords(people)} text={newcomerWords(foreseen)} />
      <Line
        icon={FileText}
        title={folders > 0 ? seenWords(folders, files) : t`They will see no folder yet`}
        text={t`Draft folders stay hidden until they are published themselves.`}
      >
        <Link component={RouterLink} to={paths.viewAs(workspace_id, { group: id })}>{t`View as this group`}</Link>
        <Link component={RouterLink} to={paths.permissions(workspace_id, { group: id })}>{t`Change its access`}</Link>
      </Line>
    </List>
  )
}

interface LineProps {
  icon: LucideIcon
  title: string
  text: string
  children?: ReactNode
}

const Line = ({ icon: Icon, title, text, children }: LineProps) => (
  <li>
    <Icon size={18} aria-hidden />
    <div>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      <Typography color="textSecondary">{text}</Typography>
      {children && <span className="links">{children}</span>}
    </div>
  </li>
)

function seenWords(folders: number, files: number): string {
  const what = countWords({ folders, files })
  return t`They will see ${what}`
}

const peopleWords = (people: number) =>
  people === 0 ? t`Nobody is in the group yet` : plural(people, { one: '# person gets in', other: '# people get in' })

function newcomerWords({ people, newcomers }: Published): string {
  if (people === 0) return t`Whoever is added later gets in at once.`
  const here = people - newcomers
  if (newcomers === 0) return t`All of them are in this workspace already and find the group among their news.`
  if (here === 0) return t`All of them are new in this workspace.`
  return plural(here, {
    one: '# of them is in this workspace already and finds the group among the news.',
    other: '# of them are in this workspace already and find the group among their news.',
  })
}

function publishedWords(name: string, { invited }: Published): string {
  if (invited === 0) return t`${name} is published.`
  const mails = invitedText(invited)
  return t`${name} is published. ${mails}.`
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  li: { display: 'flex', gap: 12, padding: '10px 14px' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  svg: { flex: 'none', marginTop: 2, color: theme.vars.palette.primary.main },
  '.links': { display: 'flex', flexWrap: 'wrap', columnGap: 16, rowGap: 4, marginTop: 4, a: { lineHeight: '24px' } },
}))
