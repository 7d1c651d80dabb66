import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { FolderLock } from 'lucide-react'
import { Link as RouterLink } from 'react-router-dom'
import { useRead } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { enterableQuery } from '../../shared/workspace.ts'
import { PartList } from '../../ui/part.tsx'
import { naturally } from '../../ui/words/format.ts'
import type { TeamInfo } from './team-info.ts'

/** Membership of a team opens none of its workspaces, so only workspaces that the user is a member of are shown. */
export function TeamWorkspaces({ team }: { team: TeamInfo }) {
  const { workspaces } = useRead(enterableQuery)
  const own = workspaces.filter(({ team_id }) => team_id === team.id).toSorted((a, b) => naturally(a.name, b.name))
  if (own.length === 0) {
    return <Typography color="textSecondary">{t`None that you can enter.`}</Typography>
  }
  return (
    <PartList>
      {own.map(({ id, name, admin }) => (
        <li key={id}>
          <FolderLock size={18} aria-hidden />
          <Link
            component={RouterLink}
            to={paths.workspace(id)}
            color="inherit"
            underline="hover"
            noWrap
            className="name"
          >
            {name}
          </Link>
          {admin && <Chip size="small" variant="outlined" label={t`Admin`} />}
        </li>
      ))}
    </PartList>
  )
}
