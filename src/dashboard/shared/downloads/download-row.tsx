import { plural, t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { useTheme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { Download as DownloadSign, FileArchive, RotateCw, Trash2, X } from 'lucide-react'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { bytes, dayOf } from '../../ui/words/format.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { TrayRow } from '../../ui/toasts/tray.tsx'
import { countWords } from '../names-of.ts'
import { downloadsQuery, isUnderWay, isWithoutFile, type Download } from './download.ts'
import { save } from './save.ts'
import { useMakeZip } from './use-download.ts'

interface DownloadRowProps {
  workspaceId: number
  download: Download
  /** The name given when the zip was requested; undefined if it was requested in another tab or visit. */
  name: string | undefined
}

export function DownloadRow({ workspaceId, download, name }: DownloadRowProps) {
  const { vars } = useTheme()
  const words = name ?? contentWords(download)
  const fetching = useFetch(workspaceId, download)
  const makeZip = useMakeZip(workspaceId)
  const [remove, isRemoving] = useRemove(workspaceId, download)
  const hasEnded = download.status === 'failed' || download.status === 'expired'
  const again = () => {
    const { folder_ids, file_ids } = download
    void makeZip({ folder_ids, file_ids }, words, remove)
  }
  return (
    <TrayRow>
      <FileArchive size={20} color={vars.palette.tint.other} aria-hidden style={{ flexShrink: 0 }} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap title={words} sx={{ lineHeight: 1.35 }}>
          {words}
        </Typography>
        <Status download={download} />
      </div>
      {download.status === 'done' && (
        <IconButton aria-label={t`Download ${words}`} disabled={fetching.isPending} onClick={() => fetching.mutate()}>
          <DownloadSign size={17} />
        </IconButton>
      )}
      {hasEnded && (
        <IconButton aria-label={t`Make ${words} again`} onClick={again}>
          <RotateCw size={16} />
        </IconButton>
      )}
      <IconButton
        aria-label={isUnderWay(download) ? t`Stop ${words}` : t`Delete ${words}`}
        disabled={isRemoving}
        onClick={remove}
      >
        {isUnderWay(download) ? <X size={16} /> : <Trash2 size={16} />}
      </IconButton>
    </TrayRow>
  )
}

function Status({ download }: { download: Download }) {
  if (isUnderWay(download)) return <LinearProgress aria-label={t`In the making`} sx={{ mt: 0.75, borderRadius: 1 }} />
  const failed = download.status === 'failed'
  return (
    <Typography
      noWrap
      variant="caption"
      color={failed ? 'error' : 'textSecondary'}
      sx={{ display: 'block', lineHeight: 1.3 }}
    >
      {statusWords(download)}
    </Typography>
  )
}

function statusWords(download: Download): string {
  const { status, size, expires_at, left_out } = download
  if (status === 'failed') return t`Could not be made`
  if (status === 'expired') return t`No longer there`
  if (isWithoutFile(download)) return t`Left out: the zip says why`
  const end = dayOf(expires_at)
  const omitted = left_out !== null && left_out > 0 && plural(left_out, { one: '# left out', other: '# left out' })
  return [omitted, size !== null && bytes(size), t`until ${end}`].filter(Boolean).join(' · ')
}

function contentWords({ folder_ids, file_ids }: Download): string {
  const content = countWords({ folders: folder_ids.length, files: file_ids.length })
  // A single file may come as it is.
  return folder_ids.length === 0 && file_ids.length === 1 ? content : t`Zip of ${content}`
}

function useFetch(workspaceId: number, { id }: Download) {
  const toasts = useToasts()
  return useMutation({
    mutationFn: () => call(api.downloads.get, { params: { id }, query: { workspace_id: workspaceId, single: true } }),
    onSuccess: save,
    onError: (error) => {
      const reason = messageOf(error)
      toasts.failed(t`Could not download the zip. ${reason}`)
    },
  })
}

function useRemove(workspaceId: number, { id }: Download): [remove: () => void, isPending: boolean] {
  const toasts = useToasts()
  const { mutateAsync, isPending } = useAction(api.downloads.remove, {
    optimistic: ({ params }, foresee) =>
      foresee(downloadsQuery(workspaceId), ({ downloads }) => ({
        downloads: downloads.filter((each) => each.id !== params.id),
      })),
  })
  // The row is gone while the service is asked.
  const remove = () =>
    void mutateAsync({ params: { id }, query: { workspace_id: workspaceId } }).catch((error: unknown) =>
      toasts.failed(messageOf(error)),
    )
  return [remove, isPending]
}
