import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useReading, useReadings } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { PersonAvatar } from '../../shared/person-avatar.tsx'
import { Part, PartList } from '../../ui/part.tsx'
import type { Member } from './member.ts'

type Group = Reply<typeof api.groups.list>[number]
type User = Reply<typeof api.groups.listMembers>[number]

interface WaitingPeopleProps {
  workspaceId: number
  /** Those who are here already. */
  people: readonly Member[]
}

/** People who are only in draft groups, and so are not in the workspace yet. Renders nothing if there are none. */
export function WaitingPeople({ workspaceId: workspace_id, people }: WaitingPeopleProps) {
  const { data: groups = [] } = useReading(read(api.groups.list, { query: { workspace_id } }))
  const drafts = groups.filter(({ is_draft, members_count }) => is_draft && members_count !== 0)
  const members = useReadings({
    queries: drafts.map(({ id }) => read(api.groups.listMembers, { params: { id }, query: { workspace_id } })),
  })
  const here = new Set(people.map(({ user }) => user.id))
  const waiting = new Map<number, { user: User; groups: Group[] }>()
  for (const [at, group] of drafts.entries())
    for (const user of members[at]?.data ?? []) {
      if (here.has(user.id)) continue
      const known = waiting.get(user.id)
      waiting.set(user.id, { user, groups: [...(known?.groups ?? []), group] })
    }
  if (waiting.size === 0) return null
  return (
    <div style={{ padding: '0 16px 16px' }}>
      <Part title={t`Waiting in draft groups`}>
        <Typography color="textSecondary" sx={{ mb: 1 }}>
          <Trans>These people get in once an admin publishes their group.</Trans>
        </Typography>
        <PartList>
          {[...waiting.values()].map(({ user, groups: of }) => (
            <li key={user.id}>
              <PersonAvatar person={user} size={28} />
              <span className="facts">
                <span className="name">{nameOf(user)}</span>
                {nameOf(user) !== user.email && (
                  <Typography
                    component="span"
                    variant="caption"
                    color="textSecondary"
                    sx={{ overflowWrap: 'anywhere' }}
                  >
                    {user.email}
                  </Typography>
                )}
              </span>
              <span style={{ overflowWrap: 'anywhere', textAlign: 'right' }}>
                {of.map(({ id, name }, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <Link to={paths.group(workspace_id, id)} style={{ color: 'inherit' }}>
                      {name}
                    </Link>
                  </span>
                ))}
              </span>
            </li>
          ))}
        </PartList>
      </Part>
    </div>
  )
}
