import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { keepPreviousData } from '@tanstack/react-query'
import { CircleCheck, EyeOff, Users } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { isAdminGroup } from '../../../../contract/rules.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useRead, useReading } from '../../../api/query.ts'
import { idOf } from '../../../paths.ts'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { naturally, number } from '../../../ui/words/format.ts'
import { Sheet } from '../../../ui/dialogs/sheet.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Choice } from '../../../ui/fields/choice.tsx'
import { pageOf, pageSizeOf, withFilter } from '../activity-filters.ts'
import { ActivityPages } from '../activity-pages.tsx'
import { type Unread, UnreadTable } from './unread-table.tsx'

type Group = Reply<typeof api.groups.list>[number]

/** The files that a group may view but no member of it has opened. */
export function UnreadReport({ workspaceId }: { workspaceId: number }) {
  const [search, setSearch] = useSearchParams()
  const all = useRead(read(api.groups.list, { query: { workspace_id: workspaceId } }))
  const groups = all.filter((group) => !isAdminGroup(group) && !group.is_draft).toSorted(inOrder)
  const asked = idOf(search.get('group') ?? undefined)
  const group = groups.find(({ id }) => id === asked) ?? groups[0]
  const [page, per_page] = [pageOf(search), pageSizeOf(search)]
  const params = { workspace_id: workspaceId, group_id: group?.id ?? 0 }
  const { data, error, refetch } = useReading({
    ...read(api.activities.unread, { params, query: { page, per_page } }),
    enabled: group !== undefined,
    placeholderData: keepPreviousData,
  })
  if (!group) return <EmptyState icon={Users} title={t`No group to show`} text={t`This workspace has no groups.`} />
  return (
    <>
      <Bar>
        <Choice
          label={t`Group`}
          value={String(group.id)}
          options={groups.map(({ id, name }) => [String(id), name])}
          onChange={(id) => setSearch({ show: 'unread', group: id })}
        />
        {data ? <Progress {...data} unread={data.pagination.total_items} /> : <div className="progress" />}
      </Bar>
      <Sheet>
        {data ? (
          <Files
            workspaceId={workspaceId}
            report={data}
            onFirst={() => setSearch((before) => withFilter(before, 'page', '1'))}
          />
        ) : (
          !error && <SkeletonRows />
        )}
        {error && !data && <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />}
      </Sheet>
      {data && data.files.length > 0 && (
        <ActivityPages
          pagination={data.pagination}
          total={plural(data.pagination.total_items, { one: '# file', other: '# files' })}
          onPage={(next) => setSearch((before) => withFilter(before, 'page', String(next)))}
          onSize={(size) => setSearch((before) => withFilter(before, 'per_page', String(size)))}
        />
      )}
    </>
  )
}

/** Custom groups by name, then All Members. */
const inOrder = (a: Group, b: Group) =>
  Number(a.kind === 'all_members') - Number(b.kind === 'all_members') || naturally(a.name, b.name)

interface FilesProps {
  workspaceId: number
  report: Unread
  onFirst: () => void
}

function Files({ workspaceId, report, onFirst }: FilesProps) {
  if (report.files.length > 0) return <UnreadTable workspaceId={workspaceId} files={report.files} />
  if (report.viewable === 0) {
    return <EmptyState icon={EyeOff} title={t`Nothing to open`} text={t`This group may not view any file.`} />
  }
  if (report.pagination.total_items > 0) {
    return (
      <EmptyState
        icon={EyeOff}
        title={t`Nothing on this page any more`}
        text={t`The files that are left are on the pages before.`}
        action={<Button onClick={onFirst}>{t`First page`}</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={CircleCheck}
      title={t`Everything was opened`}
      text={t`Members have opened each file they may view.`}
    />
  )
}

/** How many of its files the group has opened, in words and as a bar. */
function Progress({ members, viewable, unread }: { members: number; viewable: number; unread: number }) {
  const opened = viewable - unread
  const count = number(opened)
  return (
    <div className="progress">
      <span>
        <Trans>
          <b>{count}</b> of <Plural value={viewable} one="# file" other="# files" /> opened by{' '}
          <Plural value={members} one="# member" other="# members" />
        </Trans>
      </span>
      <div className="track" aria-hidden>
        <i style={{ width: `${viewable === 0 ? 0 : (opened / viewable) * 100}%` }} />
      </div>
    </div>
  )
}

const Bar = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 260px) minmax(0, 360px)',
  alignItems: 'center',
  gap: 20,
  padding: '4px 16px 14px',
  '.MuiInputBase-root': { height: 34 },
  '.progress': { minHeight: 29, color: theme.vars.palette.text.secondary },
  b: { fontWeight: 600, color: theme.vars.palette.text.primary },
  '.track': { height: 4, marginTop: 5, borderRadius: 2, overflow: 'hidden', background: theme.vars.palette.divider },
  '.track i': { display: 'block', height: '100%', borderRadius: 2, background: theme.vars.palette.primary.main },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))
