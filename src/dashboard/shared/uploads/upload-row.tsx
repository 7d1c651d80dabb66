import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { CircleCheck, RotateCw, X } from 'lucide-react'
import { bytes } from '../../ui/format.ts'
import { TrayRow } from '../../ui/tray.tsx'
import { FileIcon } from '../file-icon.tsx'
import type { Upload } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'

export function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, file, path, state } = upload
  const place = [...path, file.name].join(' / ')
  return (
    <TrayRow>
      <FileIcon name={file.name} size={20} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap title={place} sx={{ lineHeight: 1.35 }}>
          {file.name}
        </Typography>
        <Status upload={upload} />
      </div>
      {state === 'failed' && (
        <IconButton aria-label={`Try ${file.name} again`} onClick={() => queue.retry(id)}>
          <RotateCw size={16} />
        </IconButton>
      )}
      {state === 'done' ? (
        <Done size={18} aria-label="Uploaded" />
      ) : (
        <IconButton aria-label={`Cancel ${file.name}`} onClick={() => queue.cancel(id)}>
          <X size={16} />
        </IconButton>
      )}
    </TrayRow>
  )
}

function Status({ upload }: { upload: Upload }) {
  const { state, sent, file, failure } = upload
  if (state === 'sending') {
    const percent = file.size === 0 ? 0 : Math.min(100, (sent / file.size) * 100)
    return (
      <LinearProgress variant="determinate" value={percent} aria-label={file.name} sx={{ mt: 0.75, borderRadius: 1 }} />
    )
  }
  const text = state === 'failed' ? failure : state === 'waiting' ? 'Waiting' : storedText(upload)
  return (
    <Typography
      noWrap
      title={text}
      variant="caption"
      color={state === 'failed' ? 'error' : 'textSecondary'}
      sx={{ display: 'block', lineHeight: 1.3 }}
    >
      {text}
    </Typography>
  )
}

function storedText({ version, file }: Upload): string {
  const size = bytes(file.size)
  return (version ?? 1) > 1 ? `New version ${version} · ${size}` : size
}

const Done = styled(CircleCheck)(({ theme }) => ({
  flexShrink: 0,
  margin: 6,
  color: theme.vars.palette.success.main,
}))
