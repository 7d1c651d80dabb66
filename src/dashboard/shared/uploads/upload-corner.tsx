import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useMe } from '../session.ts'
import { uploads } from './uploads.ts'

const UploadTray = lazy(async () => ({ default: (await import('./upload-tray.tsx')).UploadTray }))

/** The tray's place in the frame; its code is loaded with the first upload. */
export function UploadCorner() {
  useOwner(useMe().id)
  const { length } = useSyncExternalStore(uploads.subscribe, uploads.snapshot).uploads
  return <Suspense>{length > 0 && <UploadTray queue={uploads} />}</Suspense>
}

let owner: number | undefined

/** What one person has not finished uploading, the next must not send on. */
function useOwner(userId: number) {
  useEffect(() => {
    if (owner !== undefined && owner !== userId) uploads.clear()
    owner = userId
  }, [userId])
}
