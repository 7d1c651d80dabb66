import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDropzone } from 'react-dropzone'
import { useUploads } from './uploads.ts'

interface UploadDropzoneProps {
  workspaceId: number
  folderId: number
  /** Named while files hover above. */
  folderName: string
  /** Nothing can be dropped here: the person may not upload into this folder. */
  disabled?: boolean
  children: ReactNode
}

/** Files and folders dropped anywhere on the children are uploaded. Fills its place. */
export function UploadDropzone({ workspaceId, folderId, folderName, disabled = false, children }: UploadDropzoneProps) {
  const { addFiles } = useUploads()
  const { getRootProps, isDragActive } = useDropzone({
    disabled,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    // That API gives no directories.
    useFsAccessApi: false,
    onDrop: (files: File[]) => addFiles(workspaceId, folderId, files),
  })
  return (
    // A page that takes no uploads is not disabled for that.
    <Place {...getRootProps({ role: undefined, tabIndex: undefined })} aria-disabled={undefined}>
      {children}
      {isDragActive && (
        <Veil>
          <Hint>
            <Upload size={20} aria-hidden />
            <Trans>Drop to upload to {folderName}</Trans>
          </Hint>
        </Veil>
      )}
    </Place>
  )
}

const Place = styled('div')({ position: 'relative', height: '100%', minHeight: 0, minWidth: 0 })

const Veil = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: 8,
  zIndex: 2,
  display: 'grid',
  placeContent: 'end center',
  paddingBottom: 32,
  borderRadius: 12,
  border: `2px dashed ${theme.vars.palette.primary.main}`,
  background: `color-mix(in srgb, ${theme.vars.palette.primary.main} 12%, transparent)`,
  pointerEvents: 'none',
}))

const Hint = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '10px 18px',
  borderRadius: 10,
  boxShadow: theme.vars.shadows[6],
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  fontSize: 14,
  fontWeight: 600,
}))
