import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronRight, Vault } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { count } from '../../ui/format.ts'
import { Time } from '../../ui/time.tsx'
import type { EnterableWorkspace } from './spaces.ts'

export function WorkspaceRow({ workspace }: { workspace: EnterableWorkspace }) {
  const { id, name, admin, members, last_activity_at } = workspace
  return (
    <Item>
      <Row to={paths.workspace(id)}>
        <Tile aria-hidden>
          <Vault size={18} />
        </Tile>
        <Typography noWrap title={name} sx={{ fontSize: '0.875rem', fontWeight: 600, flex: '0 1 auto' }}>
          {name}
        </Typography>
        {admin && <Chip size="small" variant="outlined" label="Admin" />}
        <Facts>
          <span>{members !== null && count(members, 'member')}</span>
          <span>
            {last_activity_at ? (
              <>
                active <Time relative at={last_activity_at} />
              </>
            ) : (
              'nothing happened yet'
            )}
          </span>
        </Facts>
        <ChevronRight size={16} aria-hidden />
      </Row>
    </Item>
  )
}

const Item = styled('li')(({ theme }) => ({
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))

const Row = styled(Link)(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 56,
  padding: '0 16px',
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '&:hover': { background: theme.vars.palette.selection.row },
  '&:focus-visible': { outlineOffset: -2 },
  '& > svg': { flexShrink: 0, color: theme.vars.palette.text.secondary },
}))

const Tile = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 34,
  height: 34,
  flexShrink: 0,
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
  color: theme.vars.palette.primary.main,
}))

const Facts = styled('span')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '100px 170px',
  gap: 12,
  marginLeft: 'auto',
  flexShrink: 0,
  color: theme.vars.palette.text.secondary,
  textAlign: 'right',
  [theme.breakpoints.down('sm')]: { display: 'none' },
}))
