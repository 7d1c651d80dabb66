import Skeleton from '@mui/material/Skeleton'
import { late } from '../../ui/late.ts'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'

/** Beyond these nothing is in sight. */
const MOST_ROWS = 20

/** The form, and a row for each member that is to come. */
export function MembersSkeleton({ members }: { members: number }) {
  return (
    <>
      <div style={{ height: 69 }}>
        <Skeleton variant="rounded" height={36} sx={{ animation: late }} />
      </div>
      <SkeletonRows rows={Math.min(members, MOST_ROWS)} height={46} columns="28px minmax(0, 1fr) 28px" />
    </>
  )
}
