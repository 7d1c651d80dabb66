import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { CircleCheck, Pause, Play, RotateCw, X } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { FileKind } from '../../../../contract/endpoints/files.ts'
import { paths } from '../../../paths.ts'
import { bytes } from '../../../ui/words/format.ts'
import { TrayRow } from '../../../ui/toasts/tray.tsx'
import { FileIcon } from '../../file-icon.tsx'
import type { Upload } from '../upload.ts'
import type { UploadQueue } from '../upload-queue.ts'

/** Guesses by the type that the browser derives from the name; the service detects the kind when it has the file. */
function guessKind(type: string): FileKind {
  if (type === 'application/pdf') return 'pdf'
  return (['image', 'video', 'audio'] as const).find((family) => type.startsWith(`${family}/`)) ?? 'other'
}

export function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, name, state } = upload
  return (
    <TrayRow>
      <FileIcon kind={upload.stored?.kind ?? guessKind(upload.file?.type ?? '')} size={20} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Name upload={upload} />
        <Status upload={upload} />
      </div>
      {(state === 'sending' || state === 'waiting') && (
        <IconButton aria-label={t`Pause ${name}`} onClick={() => queue.pauseOne(id)}>
          <Pause size={16} />
        </IconButton>
      )}
      {state === 'paused' && (
        <IconButton aria-label={t`Go on with ${name}`} onClick={() => queue.retry(id)}>
          <Play size={16} />
        </IconButton>
      )}
      {state === 'failed' && (
        <IconButton aria-label={t`Try ${name} again`} onClick={() => queue.retry(id)}>
          <RotateCw size={16} />
        </IconButton>
      )}
      {state === 'done' ? (
        <Done size={18} aria-label={t`Uploaded`} />
      ) : (
        <IconButton aria-label={t`Cancel ${name}`} onClick={() => queue.cancel([id])}>
          <X size={16} />
        </IconButton>
      )}
    </TrayRow>
  )
}

/** Links to the file once it is stored. */
function Name({ upload: { name, path, stored, workspaceId } }: { upload: Upload }) {
  const place = [...path, name].join(' / ')
  return (
    <Typography noWrap title={place} sx={{ lineHeight: 1.35 }}>
      {stored ? <ToFile to={paths.files(workspaceId, stored.folder_id, { file: stored.id })}>{name}</ToFile> : name}
      {path.length > 0 && <Path>{path.join(' / ')}</Path>}
    </Typography>
  )
}

function Status({ upload }: { upload: Upload }) {
  const { state, sent, name, size, failure } = upload
  if (state === 'sending' && failure === undefined) {
    const percent = size === 0 ? 0 : Math.min(100, (sent / size) * 100)
    return <LinearProgress variant="determinate" value={percent} aria-label={name} sx={{ mt: 0.75, borderRadius: 1 }} />
  }
  const text = textOf(upload)
  return (
    <Typography
      noWrap
      title={text}
      variant="caption"
      color={failure === undefined ? 'textSecondary' : 'error'}
      sx={{ display: 'block', lineHeight: 1.3 }}
    >
      {text}
    </Typography>
  )
}

function textOf({ state, stored, size, sent, failure = '' }: Upload): string {
  const whole = bytes(stored?.file_size ?? size)
  const arrived = bytes(sent)
  if (state === 'sending') return t`Trying again. ${failure}`
  if (failure) return failure
  if (state === 'waiting') return t`Waiting`
  if (state === 'paused') return t`Paused at ${arrived} of ${whole}`
  if (state === 'missing') return t`Not uploaded yet · ${whole}`
  const version = stored?.version ?? 1
  return version > 1 ? t`New version ${version} · ${whole}` : whole
}

/** Distinguishes files of the same name. */
const Path = styled('span')(({ theme }) => ({
  marginLeft: 8,
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
}))

const ToFile = styled(Link)({ color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } })

const Done = styled(CircleCheck)(({ theme }) => ({
  flexShrink: 0,
  margin: 6,
  color: theme.vars.palette.success.main,
}))
