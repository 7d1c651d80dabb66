import Box from '@mui/material/Box'
import { Bone } from './bone.tsx'
import { late } from './late.ts'
import { SkeletonRows } from './skeleton-rows.tsx'

/** Shown until the first page is ready: the outline of a title and a list, whatever the page. */
export function PageSkeleton() {
  return (
    <Box sx={{ maxWidth: 1280, mx: 'auto', p: 2, animation: late }}>
      <Bone style={{ width: 160, height: 22 }} />
      <Box sx={{ mt: 2.5, bgcolor: 'background.paper', borderRadius: 1, overflow: 'hidden' }}>
        <SkeletonRows rows={6} height={56} columns="34px minmax(0, 1fr) 120px" />
      </Box>
    </Box>
  )
}
