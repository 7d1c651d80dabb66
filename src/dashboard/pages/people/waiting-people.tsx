import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Pagination from '@mui/material/Pagination'
import Typography from '@mui/material/Typography'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { PersonAvatar } from '../../shared/person-avatar.tsx'
import { Part, PartList } from '../../ui/part.tsx'
import { useSettled } from '../../ui/use-settled.ts'

const PAUSE_MS = 150

interface WaitingPeopleProps {
  workspaceId: number
  /** Part of a name, address or group. */
  q: string
}

/** People who are only in draft groups, and so are not in the workspace yet. Renders nothing if none matches. */
export function WaitingPeople({ workspaceId, q: typed }: WaitingPeopleProps) {
  const q = useSettled(typed.trim(), typed.trim(), PAUSE_MS)
  const [turned, setTurned] = useState({ q, page: 1 })
  const page = turned.q === q ? turned.page : 1
  const query = { page, per_page: 25, ...(q && { q }) } as const
  const { data } = useReading({
    ...read(api.draftGroups.listWaiting, { params: { id: workspaceId }, query }),
    placeholderData: keepPreviousData,
  })
  if (!data || data.pagination.total_items === 0) return null
  const { people, pagination } = data
  return (
    <div style={{ padding: '0 16px 16px' }}>
      <Part title={t`Waiting in draft groups`}>
        <Typography color="textSecondary" sx={{ mb: 1 }}>
          <Trans>These people get in once an admin publishes their group.</Trans>
        </Typography>
        <PartList>
          {people.map(({ user, groups }) => (
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
              <span style={{ maxWidth: '45%', overflowWrap: 'anywhere', textAlign: 'right' }}>
                {groups.map(({ id, name }, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <Link to={paths.group(workspaceId, id)} style={{ color: 'inherit' }}>
                      {name}
                    </Link>
                  </span>
                ))}
              </span>
            </li>
          ))}
        </PartList>
        {(pagination.total_pages > 1 || page > 1) && (
          <Pagination
            size="small"
            count={pagination.total_pages}
            page={page}
            onChange={(_event, next) => setTurned({ q, page: next })}
            aria-label={t`Pages of waiting people`}
            sx={{ mt: 1 }}
          />
        )}
      </Part>
    </div>
  )
}
