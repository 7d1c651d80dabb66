import { t } from '@lingui/core/macro'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { late } from '../../../ui/states/late.ts'

/** Placeholders as high as the parts, shown until the code of the chart has loaded. */
export function OverviewSkeleton({ parts }: { parts: number }) {
  return (
    <OverviewColumns role="status" aria-label={t`Loading`} sx={{ animation: late }}>
      {Array.from({ length: parts }, (_, at) => (
        <Skeleton key={at} component="section" variant="rounded" sx={{ height: at === 0 ? CHART : RANKING }} />
      ))}
    </OverviewColumns>
  )
}

const CHART = { xs: 334, sm: 321 }
const RANKING = 321

export const OverviewColumns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1.2fr) repeat(auto-fit, minmax(260px, 1fr))',
  gap: 16,
  padding: '0 16px 16px',
  [theme.breakpoints.down('lg')]: {
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    // Short rankings keep the room too, which the chart beside them keeps in a wider window.
    gridAutoRows: `minmax(${RANKING}px, auto)`,
    '> :first-of-type': { gridColumn: '1 / -1' },
  },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)', gridAutoRows: 'auto' },
}))
