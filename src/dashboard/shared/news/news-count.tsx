import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { useReading } from '../../api/query.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { newsCounts } from './news-counts.ts'
import { COUNTED_EVERY, unreadIn } from './news-queries.ts'

const MOST = 99

/** How much is unread, at the corner of the bell. */
export function NewsCount() {
  const { data } = useReading({ ...newsCounts(), refetchInterval: COUNTED_EVERY })
  const unread = (data?.workspaces ?? []).reduce((sum, workspace) => sum + unreadIn(workspace), 0)
  if (unread === 0) return null
  return (
    <>
      <Count aria-hidden>{unread > MOST ? `${MOST}+` : unread}</Count>
      <VisuallyHidden>, {t`${unread} unread`}</VisuallyHidden>
    </>
  )
}

const Count = styled('span')(({ theme }) => ({
  position: 'absolute',
  top: -3,
  left: 15,
  minWidth: 16,
  padding: '0 4px',
  boxSizing: 'border-box',
  borderRadius: 8,
  fontSize: 10,
  fontWeight: 700,
  lineHeight: '16px',
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.primary.contrastText,
  background: theme.vars.palette.primary.main,
  boxShadow: `0 0 0 2px ${theme.vars.palette.background.paper}`,
}))
