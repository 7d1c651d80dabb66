import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Users } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router-dom'
import { prefetch, useRead } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { ActivityViews } from '../../shared/activities/activity-views.tsx'
import { useWorkspace } from '../../shared/workspace.ts'
import { Choice } from '../../ui/fields/choice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { calendarDate, dayAndMonth } from '../../ui/words/format.ts'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { ByDocument } from './by-document.tsx'
import { DocumentPanel } from './document-panel.tsx'
import {
  documentsQuery,
  type EngagedGroup,
  groupsQuery,
  PERIODS,
  spanOf,
  type Wanted,
  wantedOf,
  withWanted,
} from './engaged.ts'
import { GroupCards } from './group-cards.tsx'
import { ReportButton } from './report-button.tsx'
import { PeopleDialog } from './people-dialog.tsx'

export function loader({ params, request }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  const wanted = wantedOf(new URL(request.url).searchParams)
  return prefetch(groupsQuery(id, spanOf(wanted)), documentsQuery(id, wanted))
}

/** How much each group reads: side by side, by document, and page by page. */
export function EngagementPage() {
  const workspace = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const wanted = wantedOf(search)
  return (
    <>
      <PageHeader
        title={t`Activity`}
        text={t`Time counts while a page is in view and its window is used; the welcome page tells readers`}
        views={<ActivityViews workspaceId={workspace.id} value="engagement" />}
      >
        <Period>
          <Choice
            label={t`Period`}
            value={wanted.until ?? String(wanted.days)}
            options={periodsFor(wanted)}
            onChange={(days) => setSearch(withWanted(search, 'days', days))}
          />
        </Period>
        <ReportButton workspace={workspace} span={spanOf(wanted)} />
      </PageHeader>
      {!workspace.measures_reading && <NotMeasured workspaceId={workspace.id} />}
      <Suspense fallback={<SkeletonRows />}>
        <Engagement workspaceId={workspace.id} wanted={wanted} />
      </Suspense>
    </>
  )
}

/** The last days, and before them the days that the address names: those of a report. */
function periodsFor(wanted: Wanted): [string, string][] {
  const { from, to } = spanOf(wanted)
  const last = PERIODS.map((days): [string, string] => [
    String(days),
    plural(days, { one: 'Last # day', other: 'Last # days' }),
  ])
  return to === undefined ? last : [[to, `${dayAndMonth(from)} – ${dayAndMonth(to)}`], ...last]
}

function NotMeasured({ workspaceId }: { workspaceId: number }) {
  return (
    <Note role="status">
      {t`This room does not measure reading times now. Views and downloads are recorded.`}{' '}
      <Link to={paths.settings(workspaceId)}>{t`Settings`}</Link>
    </Note>
  )
}

function Engagement({ workspaceId, wanted }: { workspaceId: number; wanted: Wanted }) {
  const { name } = useWorkspace()
  const span = spanOf(wanted)
  const { groups, from, to } = useRead(groupsQuery(workspaceId, span))
  const { files } = useRead(documentsQuery(workspaceId, wanted))
  const [opened, setOpened] = useState<EngagedGroup>()
  const places = useMemo(() => {
    const ids = groups.map(({ group_id }) => group_id).toSorted((a, b) => a - b)
    return new Map(ids.map((id, place) => [id, place]))
  }, [groups])
  if (groups.length === 0) {
    const text = t`Engagement compares the groups of a room. This room has none of its own yet.`
    return <EmptyState icon={Users} title={t`No groups to compare`} text={text} />
  }
  const chosen = wanted.file ?? files[0]?.file_id
  return (
    <>
      <Printed>
        {name}, {calendarDate(from)} – {calendarDate(to)}
      </Printed>
      <GroupCards groups={groups} places={places} period={{ from, to }} onOpen={setOpened} />
      <Columns>
        <Suspense fallback={<SkeletonRows />}>
          <ByDocument workspaceId={workspaceId} wanted={wanted} groups={groups} chosen={chosen} />
        </Suspense>
        {chosen !== undefined && (
          <DocumentPanel key={chosen} workspaceId={workspaceId} fileId={chosen} span={span} places={places} />
        )}
      </Columns>
      {opened && (
        <PeopleDialog workspaceId={workspaceId} span={span} group={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1.1fr) minmax(0, 1fr)',
  alignItems: 'start',
  gap: 12,
  padding: '0 16px 16px',
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

/** On paper, where neither the room nor the choice of the period is. */
const Printed = styled('p')({ display: 'none', margin: '0 16px 12px', '@media print': { display: 'block' } })

const Period = styled('div')({ width: 148, '.MuiInputBase-root': { height: 32 } })

const Note = styled('p')(({ theme }) => ({
  margin: '0 16px 12px',
  padding: '8px 12px',
  borderRadius: 8,
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.secondary,
  a: { color: theme.vars.palette.primary.main, fontWeight: 600 },
}))

export { EngagementPage as Component }
