import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BookOpen } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useReading } from '../../api/query.ts'
import { messageOf } from '../../api/failures.ts'
import { paths } from '../../paths.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { TWO_LINES } from '../../ui/words/two-lines.ts'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { duration, minutesAndSeconds } from '../../ui/words/duration.ts'
import { type FileEngagement, fileQuery, type Span, titleQuery } from './engaged.ts'
import { longestPages } from '../../../contract/engagement/page-times.ts'
import { PageStrips } from './page-strips.tsx'
import { PeopleTable } from './people-table.tsx'
import { ReachPlot } from './reach-plot.tsx'

interface DocumentPanelProps {
  workspaceId: number
  fileId: number
  span: Span
  places: ReadonlyMap<number, number>
}

/** One document by page: how long each was read, where readers stop, and by whom. */
export function DocumentPanel({ workspaceId, fileId, span, places }: DocumentPanelProps) {
  const { data: file } = useReading(titleQuery(workspaceId, fileId))
  const { data, error, refetch } = useReading(fileQuery(workspaceId, fileId, span))
  return (
    <Sheet sx={{ m: 0, p: 2, minWidth: 0 }} aria-label={t`Selected document`}>
      <Head>
        <FileIcon kind={file?.kind} />
        <Typography variant="h2" title={file?.title}>
          <span>{file?.outline}</span> {file?.title}
        </Typography>
        <Button component={Link} to={paths.view(workspaceId, fileId)}>{t`Open`}</Button>
      </Head>
      {error && !data && <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows />}
      {data && <Facts data={data} />}
      {data && data.people.some(({ ms }) => ms > 0) && <Pages data={data} places={places} />}
      {data && data.people.length > 0 && (
        <>
          <Typography variant="h3" sx={{ mt: 2, mb: 0.5 }}>{t`Readers`}</Typography>
          <PeopleTable label={t`Readers`} people={data.people} pages={data.pages} />
        </>
      )}
    </Sheet>
  )
}

function Facts({ data: { pages, ms, readers } }: { data: FileEngagement }) {
  const time = duration(ms)
  const facts = [
    pages === 0 ? t`No pages` : plural(pages, { one: '# page', other: '# pages' }),
    ms > 0
      ? plural(readers, { one: `read for ${time} by # person`, other: `read for ${time} by # people` })
      : t`no reading time in these days`,
  ]
  return (
    <Typography variant="caption" color="textSecondary" component="p">
      {facts.join(' · ')}
    </Typography>
  )
}

function Pages({ data, places }: { data: FileEngagement; places: ReadonlyMap<number, number> }) {
  const { groups, pages } = data
  const reading = groups.filter(({ readers }) => readers > 0)
  if (reading.length === 0) return null
  // Nobody stayed on a page for a second in the others.
  const reaching = reading.filter(({ stops }) => stops.length > 0)
  const longest = longestPages(reading, 3).map(({ page, ms }) => {
    const time = minutesAndSeconds(ms)
    return t`page ${page} (${time} min)`
  })
  return (
    <>
      <PageStrips groups={reading} pages={pages} />
      <Longest>
        <BookOpen size={15} aria-hidden />
        <span>
          <b>{t`Read longest:`}</b> {longest.join(', ')}
        </span>
      </Longest>
      {pages > 1 && reaching.length > 0 && <ReachPlot groups={reaching} pages={pages} places={places} />}
    </>
  )
}

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  h2: { flex: 1, minWidth: 0, ...TWO_LINES },
  'h2 span': { fontWeight: 400, color: theme.vars.palette.text.secondary, marginRight: 4 },
}))

const Longest = styled('p')(({ theme }) => ({
  display: 'flex',
  gap: 8,
  margin: '12px 0 0',
  padding: '7px 12px',
  borderRadius: 6,
  fontSize: '0.75rem',
  background: theme.vars.palette.selection.row,
  svg: { flexShrink: 0, marginTop: 1, color: theme.vars.palette.primary.main },
  b: { fontWeight: 600 },
}))
