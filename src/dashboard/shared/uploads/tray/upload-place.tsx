import { useEffect } from 'react'
import { useMe } from '../../session.ts'
import { ConflictDialog } from '../conflicts/conflict-dialog.tsx'
import { UploadTray } from './upload-tray.tsx'
import { ownUploads, uploads } from '../uploads.ts'

/** The tray and its questions. */
export function UploadPlace() {
  const { id } = useMe()
  useEffect(() => ownUploads(id), [id])
  return (
    <>
      <UploadTray queue={uploads} />
      <ConflictDialog />
    </>
  )
}
