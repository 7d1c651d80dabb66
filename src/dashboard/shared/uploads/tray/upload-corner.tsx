import { lazy, Suspense, useEffect } from 'react'
import { holdsFiles } from '../drop/holds-files.ts'
import { useUploadsWanted } from '../drop/start-uploads.ts'

const UploadPlace = lazy(async () => ({ default: (await import('../send/late-uploads.ts')).UploadPlace }))

/** The place of uploads in the frame. */
export function UploadCorner() {
  useEffect(() => {
    document.addEventListener('dragover', refuseFiles)
    return () => document.removeEventListener('dragover', refuseFiles)
  }, [])
  return <Suspense>{useUploadsWanted() && <UploadPlace />}</Suspense>
}

/** Refuses files outside of a dropzone: the browser would show a dropped file in place of the dashboard. */
function refuseFiles(event: DragEvent) {
  if (event.defaultPrevented || !event.dataTransfer || !holdsFiles(event.dataTransfer)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
