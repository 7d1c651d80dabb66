import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Eye, EyeOff, KeyRound, Pencil, Send, Trash2 } from 'lucide-react'
import type { QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link as RouterLink, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { prefetch, useRead, useReading } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { DraftChip } from '../../shared/listing/draft-chip.tsx'
import { useWorkspace, workspaceQuery } from '../../shared/workspace.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Parts } from '../../ui/part.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { DeleteGroupDialog } from './delete-group-dialog.tsx'
import { DraftGroupDialog } from './drafts/draft-group-dialog.tsx'
import { PublishGroupDialog } from './drafts/publish-group-dialog.tsx'
import {
  expertsQuery,
  type GroupInfo,
  groupQuery,
  membersQuery,
  peopleQuery,
  questionSettingsQuery,
  whatIs,
} from './group-info.ts'
import { GroupMembers } from './members/group-members.tsx'
import { GroupSealedCopies } from './group-sealed-copies.tsx'
import { GroupQuestions } from './settings/group-questions.tsx'
import { GroupSecurity } from './settings/group-security.tsx'
import { RenameGroupDialog } from './rename-group-dialog.tsx'
import { isBuiltIn } from '../../../contract/rules.ts'

/** Waits for everything that decides how high the parts of the page are, so that none moves once the page is there. */
export async function loader({ params }: LoaderFunctionArgs) {
  const [id, groupId] = [idOf(params['workspaceId']), idOf(params['groupId'])]
  prefetch(groupQuery(id, groupId))
  const { admin } = await queryClient.ensureQueryData(workspaceQuery(id))
  const queries: { queryKey: QueryKey }[] = admin
    ? [membersQuery(id, groupId), peopleQuery(id), questionSettingsQuery(id), expertsQuery(id)]
    : []
  // A part that cannot be read says so, or is left out.
  await Promise.allSettled(queries.map((query) => queryClient.ensureQueryData(query)))
  return null
}

export function GroupPage() {
  const workspace = useWorkspace()
  const group = useRead(groupQuery(workspace.id, idOf(useParams()['groupId'])))
  return (
    <>
      <PageHeader title={group.name} text={<Facts group={group} />}>
        {workspace.admin && <GroupActions group={group} />}
      </PageHeader>
      <Columns>
        <Part title={t`Members`}>
          {workspace.admin ? (
            <GroupMembers group={group} />
          ) : (
            <Typography color="textSecondary">
              <Trans>Only workspace admins see who else is in a group.</Trans>
            </Typography>
          )}
        </Part>
        <Parts>
          <Part title={t`Security`}>
            <GroupSecurity key={group.id} group={group} locked={!workspace.admin} />
          </Part>
          {workspace.admin && !isBuiltIn(group) && (
            <Part title={t`Questions`}>
              <GroupQuestions group={group} />
            </Part>
          )}
          {workspace.admin && <GroupSealedCopies key={group.id} group={group} />}
        </Parts>
      </Columns>
    </>
  )
}

function Facts({ group }: { group: GroupInfo }) {
  const { members_count: members } = group
  const size = members === null ? '' : sizeWords(group, members)
  return (
    <>
      <Link component={RouterLink} to={paths.groups(group.workspace_id)}>
        <Trans>Groups</Trans>
      </Link>
      {group.is_draft && (
        <>
          {' · '}
          <DraftChip>{t({ message: 'Draft', context: 'group' })}</DraftChip>
        </>
      )}
      {[whatIs(group), size].map((fact) => fact && ` · ${fact}`)}
    </>
  )
}

const sizeWords = ({ is_draft }: GroupInfo, people: number) =>
  is_draft
    ? plural(people, { one: '# person is to get in', other: '# people are to get in' })
    : plural(people, { one: '# member', other: '# members' })

function GroupActions({ group }: { group: GroupInfo }) {
  const [open, setOpen] = useState<'rename' | 'delete' | 'draft' | 'publish'>()
  const close = () => setOpen(undefined)
  const mayBecomeDraft = useMayBecomeDraft(group)
  return (
    <Buttons>
      <Button
        variant="outlined"
        component={RouterLink}
        to={paths.permissions(group.workspace_id, { group: group.id })}
        startIcon={<KeyRound size={16} />}
      >
        <Trans>Access</Trans>
      </Button>
      <Button
        variant="outlined"
        component={RouterLink}
        to={paths.viewAs(group.workspace_id, { group: group.id })}
        startIcon={<Eye size={16} />}
      >
        <Trans>View as this group</Trans>
      </Button>
      {!isBuiltIn(group) && (
        <>
          {mayBecomeDraft && (
            <Button variant="outlined" startIcon={<EyeOff size={16} />} onClick={() => setOpen('draft')}>
              <Trans>Make draft…</Trans>
            </Button>
          )}
          <Button variant="outlined" startIcon={<Pencil size={16} />} onClick={() => setOpen('rename')}>
            <Trans>Rename</Trans>
          </Button>
          <Button variant="outlined" color="error" startIcon={<Trash2 size={16} />} onClick={() => setOpen('delete')}>
            <Trans>Delete</Trans>
          </Button>
        </>
      )}
      {group.is_draft && (
        <Button
          variant="contained"
          startIcon={<Send size={16} />}
          onClick={() => setOpen('publish')}
          sx={{ gridColumn: '1 / -1' }}
        >
          <Trans>Publish…</Trans>
        </Button>
      )}
      {open === 'draft' && <DraftGroupDialog group={group} onClose={close} />}
      {open === 'publish' && <PublishGroupDialog group={group} onClose={close} />}
      {open === 'rename' && <RenameGroupDialog group={group} onClose={close} />}
      {open === 'delete' && <DeleteGroupDialog group={group} onClose={close} />}
    </Buttons>
  )
}

/** Once somebody has come in with a group, it stays published. */
function useMayBecomeDraft({ id, kind, workspace_id, is_draft }: GroupInfo): boolean {
  const { data: people } = useReading(peopleQuery(workspace_id))
  const hasEntered = people?.some(
    ({ admin, groups, invitation_state }) =>
      !admin && invitation_state === 'arrived' && groups.some((group) => group.id === id),
  )
  return kind === 'custom' && !is_draft && hasEntered === false
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Sheet aria-label={title} sx={{ m: 0, p: 2, alignSelf: 'start' }}>
      <Typography variant="h2" sx={{ mb: 1.5 }}>
        {title}
      </Typography>
      <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 14 }}>{children}</div>
    </Sheet>
  )
}

/** Two in a row on phones. */
const Buttons = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  [theme.breakpoints.down('sm')]: { display: 'grid', gridTemplateColumns: '1fr auto', width: 'calc(100vw - 32px)' },
}))

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1.15fr) minmax(0, 1fr)',
  gap: 16,
  padding: '0 16px 16px',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

export { GroupPage as Component }
