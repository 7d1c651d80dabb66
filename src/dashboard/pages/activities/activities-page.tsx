import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { ActivityViews } from '../../shared/activities/activity-views.tsx'
import { useWorkspace } from '../../shared/workspace.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { ActivityFilterBar } from './activity-filter-bar.tsx'
import { feedQuery, isFiltered, withFilter, withoutFilters } from './activity-filters.ts'
import { ActivityList } from './activity-list.tsx'
import { ExportButton } from './export-button.tsx'
import { OverviewSkeleton } from './overview/overview-columns.tsx'

const ActivityOverview = lazy(async () => ({
  default: (await import('./overview/activity-overview.tsx')).ActivityOverview,
}))
const UnreadReport = lazy(async () => ({ default: (await import('./unread/unread-report.tsx')).UnreadReport }))

type Show = 'feed' | 'unread'

const TEXTS: Record<Show, MessageDescriptor> = {
  feed: msg`What everybody did in this workspace, as it happens`,
  unread: msg`What a group may view and none of its members has viewed or downloaded`,
}

export const loader = ({ params, request }: LoaderFunctionArgs) =>
  prefetch(feedQuery(idOf(params['workspaceId']), new URL(request.url).searchParams))

export function ActivitiesPage() {
  const workspace = useWorkspace()
  const [search] = useSearchParams()
  if (!workspace.admin) {
    return (
      <>
        <PageHeader title={t`Your activity`} text={t`What you did in this workspace`}>
          <ExportButton workspace={workspace} search={search} />
        </PageHeader>
        <Happened workspace={workspace} />
      </>
    )
  }
  const show: Show = search.get('show') === 'unread' ? 'unread' : 'feed'
  return (
    <>
      <PageHeader
        title={t`Activity`}
        text={i18n._(TEXTS[show])}
        views={<ActivityViews workspaceId={workspace.id} value={show} />}
      >
        {show === 'feed' && <ExportButton workspace={workspace} search={search} />}
      </PageHeader>
      {show === 'feed' ? (
        <Happened workspace={workspace} />
      ) : (
        <Suspense fallback={<SkeletonRows />}>
          <UnreadReport workspaceId={workspace.id} />
        </Suspense>
      )}
    </>
  )
}

function Happened({ workspace }: { workspace: { id: number; admin: boolean } }) {
  const [search, setSearch] = useSearchParams()
  const filtered = isFiltered(search)
  const clear = () => setSearch(withoutFilters)
  return (
    <>
      <ActivityFilterBar
        workspaceId={workspace.id}
        admin={workspace.admin}
        values={search}
        filtered={filtered}
        onChange={(filter, value) => setSearch((before) => withFilter(before, filter, value))}
        onDays={(from, to) => setSearch((before) => withFilter(withFilter(before, 'to', to), 'from', from))}
        onClear={clear}
      />
      {workspace.admin && (
        <Suspense fallback={<OverviewSkeleton parts={search.has('user_id') ? 2 : 3} />}>
          <ActivityOverview workspaceId={workspace.id} search={search} />
        </Suspense>
      )}
      <ActivityList
        workspaceId={workspace.id}
        admin={workspace.admin}
        search={search}
        filtered={filtered}
        onChange={setSearch}
        onClear={clear}
      />
    </>
  )
}

export { ActivitiesPage as Component }
