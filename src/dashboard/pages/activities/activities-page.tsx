import Button from '@mui/material/Button'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useRef } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ActivityFeed } from './activity-feed.tsx'
import { ActivityFilterBar } from './activity-filter-bar.tsx'
import { activitiesQuery, filtersOf, isFiltered, withFilter, withoutFilters } from './activity-filters.ts'
import { ActivityPages } from './activity-pages.tsx'

/** Milliseconds between two readings while the page is visible. */
const LIVE = 15_000

export const loader = ({ params, request }: LoaderFunctionArgs) =>
  prefetch(activitiesQuery(idOf(params['workspaceId']), new URL(request.url).searchParams))

export function ActivitiesPage() {
  const workspace = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const { pagination, events } = useSuspenseQuery({
    ...activitiesQuery(workspace.id, search),
    refetchInterval: LIVE,
  }).data
  const filtered = isFiltered(filtersOf(search))
  const clear = () => setSearch(withoutFilters)
  const feed = useRef<HTMLElement>(null)
  const turnTo = (page: number) => {
    setSearch((before) => withFilter(before, 'page', String(page)))
    feed.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <>
      <PageHeader
        title={workspace.admin ? 'Activity' : 'Your activity'}
        text={
          workspace.admin ? 'What everybody did in this workspace, as it happens' : 'What you did in this workspace'
        }
      />
      <ActivityFilterBar
        workspaceId={workspace.id}
        admin={workspace.admin}
        values={search}
        filtered={filtered}
        onChange={(filter, value) => setSearch((before) => withFilter(before, filter, value))}
        onClear={clear}
      />
      <Sheet ref={feed} sx={{ overflow: 'clip' }}>
        {events.length > 0 ? <ActivityFeed events={events} /> : <Nothing filtered={filtered} onClear={clear} />}
      </Sheet>
      <ActivityPages
        pagination={pagination}
        onPage={turnTo}
        onSize={(size) => setSearch((before) => withFilter(before, 'per_page', String(size)))}
      />
    </>
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return <EmptyState icon={Activity} title="Nothing has happened yet" text="What people do here will be listed." />
  }
  return (
    <EmptyState
      icon={Activity}
      title="Nothing matches"
      text="No event fits these filters."
      action={<Button onClick={onClear}>Clear the filters</Button>}
    />
  )
}

export { ActivitiesPage as Component }
