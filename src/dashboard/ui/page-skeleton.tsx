import Box from '@mui/material/Box'
import { SkeletonRows } from './skeleton-rows.tsx'

/** The first page before it can be shown: a title and a list, whatever it will be. */
export function PageSkeleton() {
  return (
    <Box sx={{ maxWidth: 1280, mx: 'auto', pt: 2.5 }}>
      <SkeletonRows rows={1} height={32} columns="160px" />
      <Box sx={{ mx: 2, mt: 2, bgcolor: 'background.paper', borderRadius: 1, overflow: 'hidden' }}>
        <SkeletonRows rows={6} height={56} columns="34px minmax(0, 1fr) 120px" />
      </Box>
    </Box>
  )
}
