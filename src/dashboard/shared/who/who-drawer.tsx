import { plural, t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { UsersRound, X } from 'lucide-react'
import { useId } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { calendarDate, fullDate, timeAgo } from '../../ui/words/format.ts'
import { InvitationChip } from '../inviting/invitation-chip.tsx'
import { numberedName } from '../listing/entries.ts'
import { nameOf } from '../people.ts'
import { PersonChip } from '../person-chip.tsx'
import { ViewAsLink } from '../view-as/view-as-link.tsx'
import { flagName } from './flag-name.ts'
import { passesWords, useReach } from './reach.ts'

type FolderPerson = Reply<typeof api.permissions.listPeople>[number]
type Kind = 'folder' | 'file'

interface WhoDrawerProps {
  workspaceId: number
  kind: Kind
  id: number
  /** Undefined if it is not loaded. */
  name: string | undefined
  /** Where a view as a person begins. */
  folderId: number
  onClose: () => void
}

/** Shows who can see a folder or file, why, until when, how protected, and when they last opened it. */
export function WhoDrawer({ workspaceId, kind, id, name, folderId, onClose }: WhoDrawerProps) {
  const titleId = useId()
  const chosen = kind === 'file' ? { file: id } : {}
  const given = { params: { id }, query: { workspace_id: workspaceId } }
  const { data: people, error } = useReading(
    kind === 'folder' ? read(api.permissions.listPeople, given) : read(api.permissions.listFilePeople, given),
  )
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': titleId, sx: { width: 'min(400px, 100vw)' } } }}
    >
      <Head>
        <div style={{ minWidth: 0 }}>
          <Typography id={titleId} variant="h2" noWrap title={name}>
            {titleOf(kind, name)}
          </Typography>
          <Typography color="textSecondary" role="status">
            {people ? plural({ people: people.length }, { one: '# person', other: '# people' }) : '\u00a0'}
          </Typography>
        </div>
        <IconButton aria-label={t`Close`} onClick={onClose}>
          <X size={18} />
        </IconButton>
      </Head>
      {error && <FormError>{messageOf(error)}</FormError>}
      {!people && !error && <SkeletonRows height={64} rows={6} columns="28px minmax(0, 1fr)" />}
      {people?.length === 0 && <EmptyState icon={UsersRound} title={t`Nobody yet`} />}
      <List>
        {people?.map((person) => (
          <li key={person.user.id}>
            <PersonLine kind={kind} person={person} />
            <ViewAsLink
              to={paths.viewAs(workspaceId, { user: person.user.id, ...chosen }, folderId)}
              name={nameOf(person.user)}
            />
          </li>
        ))}
      </List>
      {kind === 'folder' && <Passing workspaceId={workspaceId} folderId={id} />}
      <Waiting workspaceId={workspaceId} folderId={folderId} chosen={chosen} />
    </Drawer>
  )
}

function titleOf(kind: Kind, name: string | undefined): string {
  if (name !== undefined) return t`Who can see ${name}?`
  return kind === 'folder' ? t`Who can see this folder?` : t`Who can see this file?`
}

function PersonLine({ kind, person }: { kind: Kind; person: FolderPerson }) {
  const { last_opened_at: opened } = person
  return (
    <div style={{ minWidth: 0 }}>
      <PersonChip person={person.user} />
      <Rights>
        <InvitationChip state={person.invitation_state} />
        {person.terms_await && <Chip size="small" variant="outlined" color="warning" label={t`Terms not accepted`} />}
        {FLAGS.filter((flag) => person[flag]).map((flag) => (
          <Chip key={flag} size="small" label={flagName(flag)} />
        ))}
        {(person.watermark || person.marked_pages) && <Chip size="small" variant="outlined" label={t`Watermark`} />}
        {person.drm && <Chip size="small" variant="outlined" label={t`DRM`} />}
        {endsOf(person).map((end) => (
          <Chip key={end} size="small" variant="outlined" color="warning" label={end} />
        ))}
      </Rights>
      <Typography variant="caption" component="p" title={opened === null ? undefined : fullDate(opened)}>
        {openedWords(kind, opened)}
      </Typography>
      {reasonsOf(person).map((reason) => (
        <Typography key={reason} variant="caption" color="textSecondary" component="p">
          {reason}
        </Typography>
      ))}
    </div>
  )
}

/** Groups whose members only go through the folder to others below. */
function Passing({ workspaceId, folderId }: { workspaceId: number; folderId: number }) {
  const { groups = [], folders } = useReach(workspaceId, folderId)
  const passing = groups.filter(({ reach }) => !reach.view)
  if (passing.length === 0) return null
  return (
    <List aria-label={t`Groups that pass through`}>
      {passing.map(({ group, reach }) => (
        <li key={group.id}>
          <div style={{ minWidth: 0 }}>
            <Typography sx={{ fontWeight: 500 }}>{group.name}</Typography>
            <Typography variant="caption" color="textSecondary">
              {passesWords(reach, folders)}
            </Typography>
          </div>
          <ViewAsLink to={paths.viewAs(workspaceId, { group: group.id }, folderId)} name={group.name} />
        </li>
      ))}
    </List>
  )
}

interface WaitingProps {
  workspaceId: number
  folderId: number
  chosen: { file?: number }
}

/** Draft groups whose people will see the folder or the file. */
function Waiting({ workspaceId, folderId, chosen }: WaitingProps) {
  const { drafts } = useReach(workspaceId, folderId)
  const waiting = drafts.filter(({ reach }) => reach.view)
  if (waiting.length === 0) return null
  return (
    <List aria-label={t`Once groups are published`}>
      {waiting.map(({ group, reach }) => (
        <li key={group.id}>
          <div style={{ minWidth: 0 }}>
            <Typography sx={{ fontWeight: 500 }}>{whenWords(group.name)}</Typography>
            <Typography variant="caption" color="textSecondary" component="p" sx={{ mb: 0.5 }}>
              {plural(group.members_count ?? 0, { one: '# person', other: '# people' })}
            </Typography>
            <Chips>
              {FLAGS.filter((flag) => reach[flag]).map((flag) => (
                <Chip
                  key={flag}
                  size="small"
                  variant="outlined"
                  label={flagName(flag)}
                  sx={{ borderStyle: 'dashed' }}
                />
              ))}
            </Chips>
          </div>
          <ViewAsLink to={paths.viewAs(workspaceId, { group: group.id, ...chosen }, folderId)} name={group.name} />
        </li>
      ))}
    </List>
  )
}

const whenWords = (name: string) => t`When ${name} is published`

/** Returns "ends 3 Mar 2027" for all rights, or "Download ends 3 Mar 2027" for each right where the ends differ. */
function endsOf(person: FolderPerson): string[] {
  const flags = FLAGS.filter((flag) => person[flag])
  const isSame = new Set(flags.map((flag) => person.ends[flag])).size === 1
  return (isSame ? flags.slice(0, 1) : flags).flatMap((flag) => {
    const until = person.ends[flag]
    if (until === null) return []
    const [right, day] = [flagName(flag), calendarDate(until)]
    return [isSame ? t`ends ${day}` : t`${right} ends ${day}`]
  })
}

function openedWords(kind: Kind, at: string | null): string {
  if (at === null) return kind === 'file' ? t`Not opened yet` : t`No file here opened yet`
  const ago = timeAgo(at)
  return kind === 'file' ? t`Last opened: ${ago}` : t`Last opened a file here: ${ago}`
}

/** Returns "Download: Lenders, given on 3 Finance", one line per right and group; for an admin, one for all rights. */
function reasonsOf({ admin, reasons }: FolderPerson): string[] {
  if (admin) return [t`Workspace admins have every right on every folder`]
  return reasons.map(({ flag, group_name: group, folder_name, folder_outline }) => {
    const right = flagName(flag)
    const folder = numberedName(folder_outline, folder_name)
    return t`${right}: ${group}, given on ${folder}`
  })
}

const Head = styled('header')({
  display: 'flex',
  alignItems: 'flex-start',
  justifyContent: 'space-between',
  gap: 8,
  padding: '14px 10px 10px 16px',
})

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    alignItems: 'start',
    gap: 8,
    padding: '10px 10px 10px 16px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
}))

const Chips = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 4 })

const Rights = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 4,
  margin: '6px 0 4px 38px',
  '& ~ p': { marginLeft: 38 },
})
