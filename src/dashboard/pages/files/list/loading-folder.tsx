import Box from '@mui/material/Box'
import { HEAD_HEIGHT, TOUCH_ROW } from '../../../shared/listing/list-surface.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'

/** Placeholders for the lines, in the columns that the lines will have. */
export function LoadingFolder({ touch }: { touch: boolean }) {
  if (touch) return <SkeletonRows height={TOUCH_ROW} columns="16px minmax(0, 1fr)" />
  return (
    <div>
      <Box sx={{ height: HEAD_HEIGHT, borderBottom: 1, borderColor: 'divider' }} />
      <Box sx={{ pl: 9.5 }}>
        <SkeletonRows columns="18px minmax(140px, 1fr) 124px 76px 28px" />
      </Box>
    </div>
  )
}
