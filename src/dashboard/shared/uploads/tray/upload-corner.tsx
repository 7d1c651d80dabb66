import { lazy, Suspense } from 'react'
import { useUploadsWanted } from '../drop/start-uploads.ts'

const UploadPlace = lazy(async () => ({ default: (await import('../send/late-uploads.ts')).UploadPlace }))

/** The place of uploads in the frame. */
export function UploadCorner() {
  return <Suspense>{useUploadsWanted() && <UploadPlace />}</Suspense>
}
