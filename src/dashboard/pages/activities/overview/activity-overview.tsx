import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { useRead } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { calendarDate, timeAgo } from '../../../ui/words/format.ts'
import { Part } from '../../../ui/part.tsx'
import { summaryQuery, withFilter } from '../activity-filters.ts'
import { DayChart } from './day-chart.tsx'
import { OverviewColumns } from './overview-columns.tsx'
import { periodsOf, SERIES, type Summary } from './periods.ts'
import { Ranking } from './ranking.tsx'

/** In milliseconds. Counting costs more than reading a page of the feed. */
const COUNT_EVERY = 30_000

const READING = ['views', 'downloads'] as const

/**
 * Counts the matching activities by day, file and user; with a user filter, which files the user read, and how often.
 */
export function ActivityOverview({ workspaceId, search }: { workspaceId: number; search: URLSearchParams }) {
  const query = summaryQuery(workspaceId, search)
  const summary = useRead({ ...query, refetchInterval: COUNT_EVERY })
  const person = search.has('user_id') ? summary.people[0] : undefined
  const name = person?.user_name
  return (
    <OverviewColumns>
      <Part title={t`Activity over time`} action={<Range {...summary} />}>
        <DayChart periods={periodsOf(summary)} />
      </Part>
      <Part title={name === undefined ? t`Most viewed files` : t`What ${name} read`}>
        {person && <Engagement person={person} />}
        <Ranking
          series={READING}
          of={t`File`}
          label={t`Most viewed files`}
          rows={summary.files.map((file) => ({ ...file, id: file.file_id, name: fileName(workspaceId, file) }))}
          empty={t`No view or download of a file in these days matches the filters.`}
        />
      </Part>
      {!search.has('user_id') && (
        <Part title={t`Most active people`}>
          <Ranking
            series={SERIES}
            of={t`Person`}
            label={t`Most active people`}
            rows={summary.people.map((each) => ({
              ...each,
              id: each.user_id,
              name: (
                <Link to={{ search: withFilter(search, 'user_id', String(each.user_id)).toString() }}>
                  {each.user_name}
                </Link>
              ),
            }))}
            empty={t`Nobody did anything in these days.`}
          />
        </Part>
      )}
    </OverviewColumns>
  )
}

function fileName(workspaceId: number, { file_id: file, folder_id, title, deleted }: Summary['files'][number]) {
  if (title === null) return <span>{t`A file that is gone`}</span>
  if (deleted || folder_id === null) return <span title={title}>{t`${title} (deleted)`}</span>
  return (
    <Link to={paths.files(workspaceId, folder_id, { file })} title={title}>
      {title}
    </Link>
  )
}

function Range({ from, to, total }: Pick<Summary, 'from' | 'to' | 'total'>) {
  const days = from === to ? calendarDate(from) : `${calendarDate(from)} – ${calendarDate(to)}`
  return (
    <Typography variant="caption" color="textSecondary">
      {plural(total, { one: `# event, ${days}`, other: `# events, ${days}` })}
    </Typography>
  )
}

function Engagement({ person }: { person: Summary['people'][number] }) {
  const { views, downloads, files } = person
  const ago = timeAgo(person.last_active_at)
  return (
    <Typography color="textSecondary" sx={{ mt: -1, mb: 1.5 }}>
      <Trans>
        <Plural value={views} one="# view" other="# views" /> and{' '}
        <Plural value={downloads} one="# download" other="# downloads" /> of{' '}
        <Plural value={files} one="# file" other="# files" />, last active {ago}
      </Trans>
    </Typography>
  )
}
