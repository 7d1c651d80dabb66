import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import { FolderLock, Star } from 'lucide-react'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { dotOf } from '../../ui/dot.ts'
import { unreadIn } from '../../shared/news/news-queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Time } from '../../ui/words/time.tsx'
import type { WorkspaceNews } from './news.ts'
import type { EnterableWorkspace } from './spaces.ts'
import { type Stored, storedWords } from './team-usage.ts'

interface WorkspaceCardProps {
  workspace: EnterableWorkspace
  news: WorkspaceNews | undefined
  /** Undefined where it is not shown. */
  stored?: Stored | undefined
}

export function WorkspaceCard({ workspace, news, stored }: WorkspaceCardProps) {
  const { id, name, admin, members, last_activity_at } = workspace
  const unread = news !== undefined && unreadIn(news) > 0
  return (
    <Card aria-label={name}>
      <Head>
        <Tile aria-hidden>
          <FolderLock size={18} />
          {unread && <i />}
        </Tile>
        <Name to={paths.workspace(id)} title={name}>
          {name}
          {/* Behind a long name that is cut off, it would widen the page. */}
          {unread && <VisuallyHidden style={{ left: 0 }}>, {t`unread`}</VisuallyHidden>}
        </Name>
        {admin && <Chip size="small" variant="outlined" label={t`Admin`} />}
        <Favourite workspace={workspace} />
      </Head>
      {news && <News news={news} admin={admin} />}
      {workspace.terms_await && (
        <Lines>
          <li className="news">{t`Terms await your answer`}</li>
        </Lines>
      )}
      <Facts>
        {/* In a line of its own, which keeps its place until it is known. */}
        {stored !== undefined && <span className="stored">{stored ? storedWords(stored) : '\u00a0'}</span>}
        {members !== null && <span>{plural(members, { one: '# member', other: '# members' })}</span>}
        <LastActivity at={last_activity_at} admin={admin} />
      </Facts>
    </Card>
  )
}

function Favourite({ workspace: { id, name, favourite } }: Pick<WorkspaceCardProps, 'workspace'>) {
  const toasts = useToasts()
  const mark = useAction(api.workspaces.setFavourite, {
    optimistic: ({ body }, foresee) =>
      foresee(read(api.users.workspaces), ({ workspaces }) => ({
        workspaces: workspaces.map((each) => (each.id === id ? { ...each, favourite: body.favourite } : each)),
      })),
  })
  const set = (next: boolean) =>
    mark.mutate({ params: { id }, body: { favourite: next } }, { onError: (error) => toasts.failed(messageOf(error)) })
  return (
    <IconButton
      className={favourite ? 'star favourite' : 'star'}
      aria-label={t`Favourite: ${name}`}
      aria-pressed={favourite}
      onClick={() => set(!favourite)}
    >
      <Star size={17} fill={favourite ? 'currentColor' : 'none'} />
    </IconButton>
  )
}

function News({ news, admin }: { news: WorkspaceNews; admin: boolean }) {
  const { new_since, new_files, unread_files, unread_questions, unread_passed } = news
  const amount = plural(new_files, { 0: 'No new documents', one: '# new document', other: '# new documents' })
  const unread = plural(unread_files, { 0: 'Nothing unread', one: '# unread document', other: '# unread documents' })
  return (
    <Lines>
      <li className={new_files > 0 ? 'news' : ''}>
        <Trans>
          {amount} since <Time at={new_since} />
        </Trans>
      </li>
      <li className={unread_files > 0 ? 'news' : ''}>
        <Trans>{unread} of the last 90 days</Trans>
      </li>
      {unread_questions > 0 && (
        <li className="news">
          {admin || unread_passed > 0
            ? plural(unread_questions, { one: '# unread question', other: '# unread questions' })
            : plural(unread_questions, { one: '# new answer', other: '# new answers' })}
        </li>
      )}
    </Lines>
  )
}

/** Others than admins learn only of their own activity. */
function LastActivity({ at, admin }: { at: string | null; admin: boolean }) {
  if (!at) return <span>{admin ? t`nothing happened yet` : t`you were not here yet`}</span>
  if (!admin) {
    return (
      <span>
        <Trans>
          you were here <Time relative at={at} />
        </Trans>
      </span>
    )
  }
  return (
    <span>
      <Trans>
        active <Time relative at={at} />
      </Trans>
    </span>
  )
}

const Card = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  gap: 10,
  minWidth: 0,
  padding: '14px 16px 12px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.vars.shape.borderRadius,
  background: theme.vars.palette.background.paper,
  '&:hover': { background: theme.vars.palette.selection.row },
}))

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minWidth: 0,
  // Above the link that covers the card.
  '.star': { flex: 'none', zIndex: 1, margin: '-6px -8px -6px auto', color: theme.vars.palette.text.secondary },
  '.star.favourite': { color: theme.vars.palette.primary.main },
}))

/** Opens the workspace from anywhere on its card. */
const Name = styled(Link)(({ theme }) => ({
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  fontSize: '0.875rem',
  fontWeight: 600,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 'inherit' },
  '&:focus-visible': { outline: 0 },
  '&:focus-visible::after': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
}))

/** The square with an icon at the beginning of a card or line. */
export const TILE = {
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 34,
  height: 34,
  borderRadius: 8,
} as const

const Tile = styled('span')(({ theme }) => ({
  ...TILE,
  position: 'relative',
  background: theme.vars.palette.selection.row,
  color: theme.vars.palette.primary.main,
  '& > i': { ...dotOf(theme.vars.palette.primary.main), top: -3, right: -3, width: 9, height: 9, borderRadius: 5 },
}))

const Lines = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: 4,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.8125rem',
  color: theme.vars.palette.text.secondary,
  '& li': { position: 'relative', paddingLeft: 15 },
  '& li::before': {
    content: '""',
    position: 'absolute',
    top: '0.45em',
    left: 0,
    width: 7,
    height: 7,
    borderRadius: '50%',
    background: theme.vars.palette.divider,
  },
  '& .news': { fontWeight: 500, color: theme.vars.palette.text.primary },
  '& .news::before': { background: theme.vars.palette.primary.main },
}))

const Facts = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 14px',
  marginTop: 'auto',
  paddingTop: 9,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
  '& > .stored': { flexBasis: '100%' },
  '& > :last-child': { marginLeft: 'auto' },
}))
