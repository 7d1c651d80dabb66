import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { naturally } from '../../ui/words/format.ts'

interface AllTeamsProps {
  teams: readonly { id: number; name: string; member: boolean }[]
}

/** Includes teams that the user is not in: organization admins may read their information. */
export function AllTeams({ teams }: AllTeamsProps) {
  if (teams.length === 0)
    return <Typography color="textSecondary">{t`No team yet. Spaces is where to create one.`}</Typography>
  return (
    <List>
      {teams
        .toSorted((a, b) => naturally(a.name, b.name))
        .map(({ id, name, member }) => (
          <li key={id}>
            <Link component={RouterLink} to={paths.team(id)} color="inherit" underline="hover" noWrap>
              {name}
            </Link>
            {member && <Chip size="small" variant="outlined" label={t`Yours`} />}
          </li>
        ))}
    </List>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 10, minHeight: 38 },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  a: { fontWeight: 500, minWidth: 0 },
}))
