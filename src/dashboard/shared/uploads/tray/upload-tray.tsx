import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { ChevronDown, ChevronUp, FileDown, Pause, Play, RotateCw, X } from 'lucide-react'
import { useId, useState, useSyncExternalStore } from 'react'
import { saveCsv } from '../../../ui/words/csv.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Tray, TrayFoot, TrayHead } from '../../../ui/toasts/tray.tsx'
import { isOnline, onConnection } from '../send/connection.ts'
import { MissingFiles } from './missing-files-foot.tsx'
import { mayStop, useStopQuestion } from './stop-question.ts'
import { reportAsCsv } from '../send/upload-file.ts'
import type { UploadQueue } from '../upload-queue.ts'
import { busy, reportOf, totalsOf, type UploadTotals } from './upload-report.ts'
import { UploadRows } from './upload-rows.tsx'
import { useLeaveWarning } from '../use-leave-warning.ts'

/** Lists the uploads in the corner of every page until the user closes it. */
export function UploadTray({ queue }: { queue: UploadQueue }) {
  const { uploads, paused, preparing } = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const [folded, setFolded] = useState(false)
  const titleId = useId()
  const totals = totalsOf(uploads)
  const online = useSyncExternalStore(onConnection, isOnline)
  useLeaveWarning(busy(totals))
  if (uploads.length === 0 && !preparing) return null
  return (
    <Tray aria-labelledby={titleId}>
      <TrayHead>
        <Typography
          id={titleId}
          component="h2"
          variant="subtitle2"
          aria-live={busy(totals) ? 'off' : 'polite'}
          sx={{ flex: 1 }}
        >
          {preparing && !busy(totals) ? t`Preparing to upload…` : reportOf(totals, { paused, online })}
        </Typography>
        {busy(totals) && <PauseButton queue={queue} paused={paused} />}
        <IconButton
          aria-label={folded ? t`Show files` : t`Hide files`}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded ? <ChevronUp size={17} /> : <ChevronDown size={17} />}
        </IconButton>
        <CloseButton queue={queue} />
        <StopDialog {...totals} />
      </TrayHead>
      {busy(totals) && (
        <LinearProgress variant="determinate" value={totals.progress * 100} aria-label={t`All uploads`} />
      )}
      {preparing && !busy(totals) && <LinearProgress aria-label={t`Preparing to upload…`} />}
      {!folded && uploads.length > 0 && <UploadRows uploads={uploads} queue={queue} />}
      {totals.missing > 0 && (
        <MissingFiles missing={uploads.filter(({ state }) => state === 'missing')} queue={queue} />
      )}
      {!folded && !busy(totals) && totals.done + totals.failed > 0 && (
        <TrayFoot>
          <Button startIcon={<FileDown size={15} />} onClick={() => saveCsv('uploads.csv', reportAsCsv(uploads))}>
            <Trans>Save the report</Trans>
          </Button>
        </TrayFoot>
      )}
      {!folded && totals.failed > 1 && (
        <TrayFoot>
          <Button startIcon={<RotateCw size={15} />} onClick={() => queue.retryFailed()}>
            {plural(totals.failed, { one: 'Try the # failed file again', other: 'Try the # failed files again' })}
          </Button>
        </TrayFoot>
      )}
    </Tray>
  )
}

function PauseButton({ queue, paused }: { queue: UploadQueue; paused: boolean }) {
  return paused ? (
    <IconButton aria-label={t`Go on uploading`} onClick={() => queue.resume()}>
      <Play size={17} />
    </IconButton>
  ) : (
    <IconButton aria-label={t`Pause uploading`} onClick={() => queue.pause()}>
      <Pause size={17} />
    </IconButton>
  )
}

/** Closing discards unfinished uploads, so it asks first if there are any. */
function CloseButton({ queue }: { queue: UploadQueue }) {
  const close = async () => {
    if (await mayStop(queue.snapshot().uploads)) queue.clear()
  }
  return (
    <IconButton aria-label={t`Close uploads`} onClick={() => void close()}>
      <X size={17} />
    </IconButton>
  )
}

function StopDialog({ waiting, sending, paused }: UploadTotals) {
  const answer = useStopQuestion()
  const left = waiting + sending + paused
  return (
    <ConfirmDialog
      open={answer !== undefined}
      title={t`Stop uploading?`}
      confirm={t`Stop uploading`}
      onConfirm={() => answer?.(true)}
      onClose={() => answer?.(false)}
    >
      {plural(left, {
        one: '# file will not be uploaded. What has arrived stays.',
        other: '# files will not be uploaded. What has arrived stays.',
      })}
    </ConfirmDialog>
  )
}
