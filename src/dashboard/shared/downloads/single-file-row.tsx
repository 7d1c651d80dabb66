import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { Download, X } from 'lucide-react'
import { TrayRow } from '../../ui/toasts/tray.tsx'
import { FileIcon } from '../file-icon.tsx'
import { forgetSingleFile, type SingleFile } from './single-files.ts'
import { useDownload } from './use-download.ts'

export function SingleFileRow({ file }: { file: SingleFile }) {
  const { name, state, fileId, fileKind } = file
  const download = useDownload(file.workspaceId)
  const isSaved = state === 'saved'
  return (
    <TrayRow>
      <FileIcon kind={fileKind} size={20} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap title={name} sx={{ lineHeight: 1.35 }}>
          {name}
        </Typography>
        <Typography noWrap variant="caption" color="textSecondary" sx={{ display: 'block', lineHeight: 1.3 }}>
          {isSaved ? t`Given to your browser` : t`Being made ready for you…`}
        </Typography>
        {!isSaved && <LinearProgress aria-label={t`${name} is being made ready`} sx={{ borderRadius: 1 }} />}
      </div>
      {isSaved && (
        <>
          <IconButton
            aria-label={t`Download ${name} again`}
            onClick={() => void download([{ kind: 'file', id: fileId, name, ...(fileKind && { fileKind }) }])}
          >
            <Download size={17} />
          </IconButton>
          <IconButton aria-label={t`Take ${name} off the list`} onClick={() => forgetSingleFile(fileId)}>
            <X size={16} />
          </IconButton>
        </>
      )}
    </TrayRow>
  )
}
