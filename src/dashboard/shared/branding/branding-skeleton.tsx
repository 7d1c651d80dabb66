import Skeleton from '@mui/material/Skeleton'
import { late } from '../../ui/states/late.ts'

export const BrandingSkeleton = () => <Skeleton variant="rounded" height={760} sx={{ animation: late }} />
