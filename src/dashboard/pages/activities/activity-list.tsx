import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { Activity } from 'lucide-react'
import { useRef } from 'react'
import { useRead } from '../../api/query.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { ActivityFeed } from './activity-feed.tsx'
import { afterOf, feedQuery, pageSizeOf, withFilter } from './activity-filters.ts'
import { FeedPages } from './feed-pages.tsx'

interface ActivityListProps {
  workspaceId: number
  search: URLSearchParams
  admin: boolean
  filtered: boolean
  onChange: (change: (before: URLSearchParams) => URLSearchParams) => void
  onClear: () => void
}

export function ActivityList({ workspaceId, admin, search, filtered, onChange, onClear }: ActivityListProps) {
  const { events, next } = useRead(feedQuery(workspaceId, search))
  const feed = useRef<HTMLElement>(null)
  const hrefOf = (id: number) => ({ search: withFilter(search, 'user_id', String(id)).toString() })
  const turnTo = (after: string) => {
    onChange((before) => withFilter(before, 'after', after))
    feed.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <>
      <Sheet ref={feed} sx={{ overflow: 'clip' }}>
        {events.length > 0 ? (
          <ActivityFeed workspaceId={workspaceId} search={search} events={events} hrefOf={admin ? hrefOf : undefined} />
        ) : (
          <Nothing filtered={filtered} onClear={onClear} />
        )}
      </Sheet>
      <FeedPages
        isNewest={afterOf(search) === undefined}
        next={next}
        onTurn={turnTo}
        size={pageSizeOf(search)}
        onSize={(size) => onChange((before) => withFilter(before, 'per_page', String(size)))}
      />
    </>
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState icon={Activity} title={t`Nothing has happened yet`} text={t`What people do here will be listed.`} />
    )
  }
  return (
    <EmptyState
      icon={Activity}
      title={t`Nothing matches`}
      text={t`No event fits these filters.`}
      action={<Button onClick={onClear}>{t`Clear the filters`}</Button>}
    />
  )
}
