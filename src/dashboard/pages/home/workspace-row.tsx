import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronRight, FolderLock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { Time } from '../../ui/words/time.tsx'
import type { EnterableWorkspace } from './spaces.ts'

export function WorkspaceRow({ workspace }: { workspace: EnterableWorkspace }) {
  const { id, name, admin, members, last_activity_at } = workspace
  return (
    <Item>
      <Row to={paths.workspace(id)}>
        <Tile aria-hidden>
          <FolderLock size={18} />
        </Tile>
        <Name>
          <Typography noWrap title={name} sx={{ fontSize: '0.875rem', fontWeight: 600 }}>
            {name}
          </Typography>
          {admin && <Chip size="small" variant="outlined" label={t`Admin`} />}
        </Name>
        <Facts>
          {members !== null && <span>{plural(members, { one: '# member', other: '# members' })}</span>}
          <LastActivity at={last_activity_at} />
        </Facts>
        <ChevronRight size={16} aria-hidden />
      </Row>
    </Item>
  )
}

function LastActivity({ at }: { at: string | null }) {
  if (!at) return <span>{t`nothing happened yet`}</span>
  return (
    <span>
      <Trans>
        active <Time relative at={at} />
      </Trans>
    </span>
  )
}

const Item = styled('li')(({ theme }) => ({
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))

const Row = styled(Link)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '34px minmax(0, 1fr) auto 16px',
  alignItems: 'center',
  columnGap: 12,
  minHeight: 56,
  padding: '0 16px',
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '&:hover': { background: theme.vars.palette.selection.row },
  '&:focus-visible': { outlineOffset: -2 },
  '& > svg': { color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: {
    gridTemplateAreas: '"tile name chevron" "tile facts chevron"',
    gridTemplateColumns: '34px minmax(0, 1fr) 16px',
    padding: '8px 16px',
    '& > svg': { gridArea: 'chevron' },
  },
}))

const Tile = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 34,
  height: 34,
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
  color: theme.vars.palette.primary.main,
  [theme.breakpoints.down('sm')]: { gridArea: 'tile' },
}))

const Name = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minWidth: 0,
  [theme.breakpoints.down('sm')]: { gridArea: 'name' },
}))

const Facts = styled('span')(({ theme }) => ({
  display: 'flex',
  gap: 12,
  color: theme.vars.palette.text.secondary,
  '& > span': { minWidth: 88, textAlign: 'right' },
  '& > :last-child': { minWidth: 164 },
  [theme.breakpoints.down('sm')]: {
    gridArea: 'facts',
    fontSize: '0.75rem',
    '& > span, & > :last-child': { minWidth: 0 },
  },
}))
