import { lazy, Suspense, useEffect, useState } from 'react'
import { useWorkspace } from '../../../shared/workspace.ts'
import { useViewedFile } from '../viewed-file.tsx'
import { useSight } from '../viewer-sight.tsx'

const MeasureReading = lazy(() =>
  import('./measure-reading.ts').then(
    ({ MeasureReading }) => ({ default: MeasureReading }),
    () => ({ default: () => null }),
  ),
)

/** Where the workspace measures reading: loaded once a page is on screen. Admins who view as somebody read nothing. */
export function Reading() {
  const { measures_reading } = useWorkspace()
  const { workspace, shown } = useViewedFile()
  const isSeen = useFirstPageSeen()
  if (!shown || !isSeen || !measures_reading || workspace.seenAs) return null
  return (
    <Suspense>
      <MeasureReading />
    </Suspense>
  )
}

function useFirstPageSeen(): boolean {
  const { scroller } = useSight().window
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!scroller || seen) return undefined
    const see = () => setSeen(true)
    if ([...scroller.querySelectorAll('img')].some(({ naturalWidth }) => naturalWidth > 0)) see()
    // Events of images do not bubble.
    scroller.addEventListener('load', see, { capture: true })
    return () => scroller.removeEventListener('load', see, { capture: true })
  }, [scroller, seen])
  return seen
}
