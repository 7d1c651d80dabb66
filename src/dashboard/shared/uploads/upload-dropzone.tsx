import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Ban, Upload } from 'lucide-react'
import type { DragEvent, ReactNode } from 'react'
import { useDropzone } from 'react-dropzone'
import { readDrop } from './read-drop.ts'
import { useAddFiles } from './use-add-files.ts'

interface UploadDropzoneProps {
  workspaceId: number
  folderId: number
  /** Named while files hover above. */
  folderName: string
  /** Whether the person may upload into this folder. */
  mayUpload: boolean
  children: ReactNode
}

/** Files and folders dropped anywhere on the children are uploaded. Fills its place. */
export function UploadDropzone({ workspaceId, folderId, folderName, mayUpload, children }: UploadDropzoneProps) {
  const addFiles = useAddFiles(workspaceId, folderId)
  const { getRootProps, isDragActive } = useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    // It is read here, which has room for any number of files.
    getFilesFromEvent: async () => [],
  })
  const onDrop = ({ dataTransfer }: DragEvent) => {
    if (mayUpload && dataTransfer.types.includes('Files')) void addFiles(readDrop(dataTransfer))
  }
  return (
    <Place {...getRootProps({ onDrop, role: undefined, tabIndex: undefined })}>
      {children}
      {isDragActive && (
        <Veil className={mayUpload ? '' : 'refused'}>
          <Hint>
            {mayUpload ? <Upload size={20} aria-hidden /> : <Ban size={20} aria-hidden />}
            {mayUpload ? t`Drop to upload to ${folderName}` : t`You may not upload to ${folderName}`}
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
  '&.refused': { borderColor: theme.vars.palette.text.secondary, background: 'none' },
  '&.refused > div': { background: theme.vars.palette.text.secondary, color: theme.vars.palette.background.paper },
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
