import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

export interface RoomOfNews {
  id: number
  name: string
  unread: number
}

/** Links to the news of all workspaces and of each. */
export function RoomFilter({ rooms, current }: { rooms: readonly RoomOfNews[]; current: number | undefined }) {
  return (
    <Pills aria-label={t`Workspaces with news`}>
      <Link to={paths.news()} aria-current={current === undefined ? 'page' : undefined}>
        {t`All workspaces`}
      </Link>
      {rooms.map(({ id, name, unread }) => (
        <Link key={id} to={paths.news({ room: id })} aria-current={current === id ? 'page' : undefined} title={name}>
          <span>{name}</span>
          {unread > 0 && (
            <>
              <b aria-hidden>{unread}</b>
              <VisuallyHidden>, {t`${unread} unread`}</VisuallyHidden>
            </>
          )}
        </Link>
      ))}
    </Pills>
  )
}

const Pills = styled('nav')(({ theme }) => {
  const { palette } = theme.vars
  return {
    display: 'flex',
    flexWrap: 'wrap',
    gap: 8,
    a: {
      position: 'relative',
      display: 'inline-flex',
      alignItems: 'center',
      gap: 8,
      minHeight: 32,
      maxWidth: 260,
      boxSizing: 'border-box',
      padding: '0 12px',
      border: `1px solid ${palette.divider}`,
      borderRadius: 16,
      background: palette.background.paper,
      color: palette.text.primary,
      fontSize: '0.8125rem',
      fontWeight: 500,
      textDecoration: 'none',
    },
    'a:hover': { background: palette.selection.row },
    'a[aria-current]': { borderColor: palette.primary.main, background: palette.selection.item, fontWeight: 600 },
    'a span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    b: {
      flex: 'none',
      minWidth: 18,
      padding: '0 5px',
      boxSizing: 'border-box',
      borderRadius: 9,
      fontSize: '0.6875rem',
      fontWeight: 650,
      lineHeight: '18px',
      textAlign: 'center',
      fontVariantNumeric: 'tabular-nums',
      color: palette.primary.contrastText,
      background: palette.primary.main,
    },
    [theme.breakpoints.down('sm')]: { a: { minHeight: 36 } },
  }
})
