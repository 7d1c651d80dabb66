import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useReadings } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { PersonAvatar } from '../../shared/person-avatar.tsx'
import { personNamed } from '../../shared/people.ts'
import { Time } from '../../ui/words/time.tsx'
import { AsideSection, Entries } from './aside.tsx'
import { latest, liveliest } from './latest.ts'
import type { EnterableWorkspace } from './spaces.ts'

const MOST = 5
const DAYS = 30

/** Who came into the liveliest workspaces that the user administers for the first time, lately; hidden where nobody did. */
export function FirstArrivals({ workspaces: all }: { workspaces: readonly EnterableWorkspace[] }) {
  const workspaces = all.filter(({ admin }) => admin)
  const query = { verb: 'joined', others: true, from: daysAgo(DAYS), page: 1, per_page: 25 } as const
  const answers = useReadings({
    queries: liveliest(workspaces).map(({ id }) => read(api.activities.list, { params: { workspace_id: id }, query })),
  })
  const arrivals = latest(answers.flatMap(({ data }) => data?.events ?? [])).slice(0, MOST)
  const nameOf = (id: number) => workspaces.find((workspace) => workspace.id === id)?.name
  if (arrivals.length === 0) return null
  return (
    <AsideSection title={t`Came in for the first time`}>
      <People>
        {arrivals.map(({ id, user_name, workspace_id, created_at }) => (
          <li key={`${workspace_id} ${id}`}>
            <PersonAvatar person={personNamed(user_name)} size={26} />
            <span>
              <strong>{user_name}</strong>
              <Link to={paths.people(workspace_id)}>{nameOf(workspace_id)}</Link>
            </span>
            <Time relative at={created_at} />
          </li>
        ))}
      </People>
    </AsideSection>
  )
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const People = styled(Entries)(({ theme }) => ({
  '& li': { display: 'flex', alignItems: 'center', gap: 12 },
  '& span': { display: 'grid', flex: 1, minWidth: 0 },
  '& a, & time': { fontSize: '0.75rem', color: theme.vars.palette.text.secondary },
}))
