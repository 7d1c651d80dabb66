import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useMe } from '../session.ts'
import { useQuestion } from './conflict-question.ts'
import { ownUploads, uploads } from './uploads.ts'

const UploadTray = lazy(async () => ({ default: (await import('./upload-tray.tsx')).UploadTray }))
const ConflictDialog = lazy(async () => ({ default: (await import('./conflict-dialog.tsx')).ConflictDialog }))

/** The tray's place in the frame; its code is loaded with the first upload. */
export function UploadCorner() {
  const { id } = useMe()
  useEffect(() => void ownUploads(id), [id])
  const { length } = useSyncExternalStore(uploads.subscribe, uploads.snapshot).uploads
  const isAsked = useQuestion() !== undefined
  return (
    <Suspense>
      {length > 0 && <UploadTray queue={uploads} />}
      {isAsked && <ConflictDialog />}
    </Suspense>
  )
}
