import Skeleton from '@mui/material/Skeleton'
import { lazy, Suspense } from 'react'
import { late } from '../../ui/states/late.ts'
import type { BrandPlace } from './editor/brand-place.ts'

const BrandingEditor = lazy(async () => ({
  default: (await import('./editor/branding-editor.tsx')).BrandingEditor,
}))

/** The editor comes with what takes pictures, so it is loaded after its page. */
export function Branding({ place }: { place: BrandPlace }) {
  return (
    <Suspense fallback={<Skeleton variant="rounded" height={760} sx={{ animation: late }} />}>
      <BrandingEditor place={place} />
    </Suspense>
  )
}
