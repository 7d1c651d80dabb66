import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BellOff, CheckCheck } from 'lucide-react'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router-dom'
import { MOST_NEWS } from '../../../contract/endpoints/deal/news.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { prefetch, read, useAction, useRead } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { useLiveWorkspace } from '../../shared/live/use-live-workspace.ts'
import { newsCounts } from '../../shared/news/news-counts.ts'
import { COUNTED_EVERY, unreadIn } from '../../shared/news/news-queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { dayOf, number } from '../../ui/words/format.ts'
import { daysOf, type NewsItem } from './news-days.ts'
import { NewsRow } from './news-row.tsx'
import { RoomFilter, type RoomOfNews } from './room-filter.tsx'

const listQuery = (room: number | undefined) =>
  read(api.news.list, room === undefined ? {} : { query: { workspace_id: room } })

const roomIn = (query: URLSearchParams) => (query.has('room') ? idOf(query.get('room') ?? '') : undefined)

export function loader({ request }: LoaderFunctionArgs) {
  return prefetch(listQuery(roomIn(new URL(request.url).searchParams)), newsCounts(), read(api.users.workspaces))
}

/** What is new for the user in all workspaces, or in one. */
export function NewsPage() {
  const room = roomIn(useSearchParams()[0])
  useLiveWorkspace(room ?? -1)
  const { items } = useRead({ ...listQuery(room), staleTime: 0, refetchInterval: COUNTED_EVERY })
  const { rooms, names, isPart } = useRooms()
  return (
    <Page>
      <PageHeader title={t`News`} text={<Trans>What others added, answered and changed in the last 90 days</Trans>}>
        {items.length > 0 && <MarkRead items={items} room={room} />}
      </PageHeader>
      <Column>
        {rooms.length > 1 && <RoomFilter rooms={rooms} current={room} />}
        {items.length === 0 && <NoNews />}
        {daysOf(items).map(({ day, at, rooms: ofDay }) => (
          <section key={day} aria-label={dayWords(at)}>
            <h2>{dayWords(at)}</h2>
            {ofDay.map(({ workspaceId, items: inRoom }) => (
              <Paper key={workspaceId} variant="outlined">
                {room === undefined && <h3>{names.get(workspaceId)}</h3>}
                <ul>
                  {inRoom.map((item) => (
                    <NewsRow key={keyOf(item)} item={item} />
                  ))}
                </ul>
              </Paper>
            ))}
          </section>
        ))}
        {items.length >= MOST_NEWS && (
          <Typography color="textSecondary">{t`Only the newest ${number(MOST_NEWS)} are listed.`}</Typography>
        )}
        {isPart && room === undefined && (
          <Typography color="textSecondary">
            {t`This is the news of the ${number(rooms.length)} workspaces that you visited last. Other news stays unread.`}
          </Typography>
        )}
      </Column>
    </Page>
  )
}

export { NewsPage as Component }

interface Rooms {
  rooms: RoomOfNews[]
  names: ReadonlyMap<number, string>
  /** There are workspaces whose news are not read. */
  isPart: boolean
}

function useRooms(): Rooms {
  const counts = useRead(newsCounts()).workspaces
  const { workspaces } = useRead(read(api.users.workspaces))
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const rooms = counts.map((each) => ({
    id: each.workspace_id,
    name: names.get(each.workspace_id) ?? '',
    unread: unreadIn(each),
  }))
  return {
    rooms,
    names,
    isPart: rooms.length > 0 && rooms.length < workspaces.filter(({ terms_await }) => !terms_await).length,
  }
}

/** Marks what is listed as read, and nothing that has come since. */
function MarkRead({ items, room }: { items: readonly NewsItem[]; room: number | undefined }) {
  const toasts = useToasts()
  const mark = useAction(api.news.markRead, {
    optimistic: (_input, foresee) =>
      foresee(listQuery(room), (before) => ({ items: before.items.map((item) => ({ ...item, unread: false })) })),
    onDone: () => toasts.done(t`All news are marked as read`),
  })
  const until = items[0]?.at ?? ''
  const body = { until, ...(room !== undefined && { workspace_id: room }) }
  return (
    <Button
      variant="outlined"
      startIcon={<CheckCheck size={16} />}
      disabled={!items.some(({ unread }) => unread)}
      onClick={() => mark.mutate({ body }, { onError: (error) => toasts.failed(messageOf(error)) })}
    >
      <Trans>Mark all as read</Trans>
    </Button>
  )
}

function NoNews() {
  return (
    <EmptyState
      icon={BellOff}
      title={t`Nothing new`}
      text={t`Documents, answers and changes of your access appear here.`}
      action={
        <ButtonLink to={paths.home()}>
          <Trans>To the workspaces</Trans>
        </ButtonLink>
      }
    />
  )
}

function dayWords(at: string): string {
  const day = dayOf(at)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  if (day === dayOf(new Date().toISOString())) return t`Today`
  return day === dayOf(yesterday) ? t`Yesterday` : day
}

const keyOf = ({ workspace_id, file, question, access }: NewsItem) =>
  [workspace_id, file?.file_id ?? question?.id ?? access, question?.expert].join(' ')

const Page = styled('div')({ maxWidth: 992 })

const Column = styled('div')(({ theme }) => {
  const { palette, shape } = theme.vars
  return {
    display: 'grid',
    gap: 16,
    padding: '4px 16px 24px',
    section: { display: 'grid', gap: 10 },
    h2: { margin: '4px 0 0', fontSize: '0.875rem', fontWeight: 650 },
    '.MuiPaper-root': { overflow: 'hidden', borderRadius: shape.borderRadius },
    h3: {
      margin: 0,
      padding: '7px 16px',
      fontSize: '0.75rem',
      fontWeight: 600,
      color: palette.text.secondary,
      background: palette.background.default,
      borderBottom: `1px solid ${palette.divider}`,
      overflowWrap: 'anywhere',
    },
    ul: { listStyle: 'none', margin: 0, padding: 0 },
    li: {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      gap: 12,
      minHeight: 44,
      padding: '6px 16px',
      boxSizing: 'border-box',
    },
    'li + li': { borderTop: `1px solid ${palette.divider}` },
    'li:hover': { background: palette.selection.row },
    i: { flex: 'none', width: 7, height: 7, borderRadius: 5 },
    '.unread i': { background: palette.primary.main },
    svg: { flex: 'none' },
    'li > svg': { color: palette.text.secondary },
    '.words': { flex: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 10 },
    a: { overflowWrap: 'anywhere' },
    'li a': { color: 'inherit' },
    'li a:not(:hover)': { textDecoration: 'none' },
    // The whole line is the link.
    'li a::after': { content: '""', position: 'absolute', inset: 0 },
    'li a:focus-visible': { outline: 0 },
    'li a:focus-visible::after': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
    '.unread a': { fontWeight: 600 },
    'small, time': { color: palette.text.secondary, fontSize: '0.75rem' },
    time: { flex: 'none', fontVariantNumeric: 'tabular-nums' },
  }
})
