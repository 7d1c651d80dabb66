import Skeleton from '@mui/material/Skeleton'
import { late } from '../../../ui/states/late.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'

/** More rows would be out of view. */
const MOST_ROWS = 20

/** Placeholders for the form and for one row per member. */
export function MembersSkeleton({ members }: { members: number }) {
  return (
    <>
      <Skeleton variant="rounded" height={36} sx={{ animation: late }} />
      <SkeletonRows rows={Math.min(members, MOST_ROWS)} height={46} columns="28px minmax(0, 1fr) 28px" />
    </>
  )
}
