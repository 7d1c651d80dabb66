import { lazy, Suspense } from 'react'
import { BrandingSkeleton } from './branding-skeleton.tsx'
import type { BrandPlace } from './editor/brand-place.ts'

const BrandingEditor = lazy(async () => ({
  default: (await import('./editor/branding-editor.tsx')).BrandingEditor,
}))

/** The editor comes with what takes pictures, so it is loaded after its page. */
export function Branding({ place }: { place: BrandPlace }) {
  return (
    <Suspense fallback={<BrandingSkeleton />}>
      <BrandingEditor place={place} />
    </Suspense>
  )
}
