import { plural, t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Eye, UsersRound, X } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { PersonChip } from '../../../shared/person-chip.tsx'
import { nameOf } from '../../../shared/people.ts'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { flagName } from '../changes/describe-change.ts'

type FolderPerson = Reply<typeof api.permissions.listPeople>[number]

interface WhoDrawerProps {
  workspaceId: number
  folderId: number
  /** Undefined if the folder is not loaded. */
  folderName: string | undefined
  onClose: () => void
}

/** Shows who can see a folder and why: which group grants it, and on which folder. */
export function WhoDrawer({ workspaceId, folderId, folderName, onClose }: WhoDrawerProps) {
  const titleId = useId()
  const query = read(api.permissions.listPeople, { params: { id: folderId }, query: { workspace_id: workspaceId } })
  const { data: people, error } = useReading(query)
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': titleId, sx: { width: 'min(400px, 100vw)' } } }}
    >
      <Head>
        <div style={{ minWidth: 0 }}>
          <Typography id={titleId} variant="h2" noWrap title={folderName}>
            {folderName === undefined ? t`Who can see this folder?` : t`Who can see ${folderName}?`}
          </Typography>
          <Typography color="textSecondary" role="status">
            {people ? plural({ people: people.length }, { one: '# person', other: '# people' }) : ' '}
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
            <PersonLine person={person} />
            <ViewAs to={paths.viewAs(workspaceId, { user: person.user.id }, folderId)} name={nameOf(person.user)} />
          </li>
        ))}
      </List>
    </Drawer>
  )
}

function ViewAs({ to, name }: { to: string; name: string }) {
  const label = t`View as ${name}`
  return (
    <IconButton component={Link} to={to} aria-label={label} title={label}>
      <Eye size={17} />
    </IconButton>
  )
}

function PersonLine({ person }: { person: FolderPerson }) {
  return (
    <div style={{ minWidth: 0 }}>
      <PersonChip person={person.user} />
      <Rights>
        {FLAGS.filter((flag) => person[flag]).map((flag) => (
          <Chip key={flag} size="small" label={flagName(flag)} />
        ))}
        {person.watermark && <Chip size="small" variant="outlined" label={t`Watermark`} />}
        {person.drm && <Chip size="small" variant="outlined" label={t`DRM`} />}
      </Rights>
      {reasonsOf(person).map((reason) => (
        <Typography key={reason} variant="caption" color="textSecondary" component="p">
          {reason}
        </Typography>
      ))}
    </div>
  )
}

/** Returns "Download: Lenders, given on Finance", one line per right and group; for an admin, one for all rights. */
function reasonsOf({ admin, reasons }: FolderPerson): string[] {
  if (admin) return [t`Workspace admins have every right on every folder`]
  return reasons.map(({ flag, group_name: group, folder_name: folder }) => {
    const right = flagName(flag)
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

const Rights = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 4,
  margin: '6px 0 4px 38px',
  '& ~ p': { marginLeft: 38 },
})
