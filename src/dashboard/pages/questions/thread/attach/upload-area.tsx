import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { messageOf } from '../../../../api/failures.ts'
import { useMe } from '../../../../shared/session.ts'
import { useWorkspaceId } from '../../../../shared/workspace.ts'
import type { Thread } from '../../questions.ts'
import { Finder, type Found } from './finder.tsx'
import { uploadAll } from './upload-all.ts'
import { DropArea } from '../../../../ui/fields/drop-area.tsx'

interface UploadAreaProps {
  place: Thread['place']
  onUploaded: (file: { file_id: number; title: string }) => void
  /** Tells how many files are on their way. */
  onPending: (count: number) => void
}

/** Uploads dropped or chosen files to a folder, as Files does: its tray shows progress, and asks about taken names. */
export function UploadArea({ place, onUploaded, onPending }: UploadAreaProps) {
  const workspaceId = useWorkspaceId()
  const { id: userId } = useMe()
  const [folder, setFolder] = useState<Found | null>(folderOf(place))
  const [pending, setPending] = useState(0)
  const [failure, setFailure] = useState<string>()
  const send = async (files: File[]) => {
    if (!folder || files.length === 0) return
    const count = (left: number) => {
      setPending(left)
      onPending(left)
    }
    count(files.length)
    setFailure(undefined)
    try {
      const { stored, failed } = await uploadAll({ userId, workspaceId, folderId: folder.id, files })
      for (const { id, title } of stored) onUploaded({ file_id: id, title })
      if (failed > 0)
        setFailure(plural(failed, { one: '# file was not uploaded.', other: '# files were not uploaded.' }))
    } catch (error) {
      setFailure(messageOf(error))
    }
    count(0)
  }
  const isClosed = !folder || pending > 0
  const zone = useDropzone({ onDrop: (files) => void send(files), noClick: true, noKeyboard: true, disabled: isClosed })
  return (
    <>
      <Finder what="folder" label={t`Upload to the folder`} value={folder} onFound={setFolder} />
      <DropArea {...zone.getRootProps({ role: undefined, tabIndex: undefined })} data-over={zone.isDragActive}>
        <input {...zone.getInputProps({ 'aria-label': t`Documents to upload` })} />
        <Button
          variant="outlined"
          startIcon={<Upload size={16} />}
          disabled={!folder}
          loading={pending > 0}
          onClick={zone.open}
        >
          <Trans>Upload documents</Trans>
        </Button>
        <Typography color="textSecondary" role="status">
          {pending > 0
            ? plural(pending, { one: '# document is being uploaded', other: '# documents are being uploaded' })
            : folder
              ? t`or drop them here`
              : t`Choose a folder first`}
        </Typography>
      </DropArea>
      {failure !== undefined && <Typography color="error">{failure}</Typography>}
    </>
  )
}

/** A question on a folder proposes that folder. */
function folderOf(place: Thread['place']): Found | null {
  if (!place || place.deleted || place.file_id !== null) return null
  return { id: place.folder_id, name: place.title, outline: '' }
}
