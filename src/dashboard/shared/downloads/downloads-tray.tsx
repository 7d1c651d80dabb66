import { plural, t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Tray, TRAY_ROW, TrayHead } from '../../ui/toasts/tray.tsx'
import { useMe } from '../session.ts'
import { isUnderWay, type Download } from './download.ts'
import { DownloadRow } from './download-row.tsx'
import { SingleFileRow } from './single-file-row.tsx'
import { useSingleFiles } from './single-files.ts'
import { openTray, useTrayMemory } from './tray-memory.ts'
import { useDownloads } from './use-downloads.ts'

/** Number of rows visible without scrolling. */
const VISIBLE = 4

/** The user's downloads in the workspace: zips, and files since the page was loaded. Closing the tray keeps them. */
export function DownloadsTray({ workspaceId }: { workspaceId: number }) {
  const { id: userId } = useMe()
  const { names } = useTrayMemory(userId)
  const downloads = useDownloads(workspaceId)
  const files = useSingleFiles(userId, workspaceId)
  const [folded, setFolded] = useState(false)
  const titleId = useId()
  const zips = downloads ?? []
  const isEmpty = zips.length + files.length === 0
  const isOver = isEmpty && downloads !== undefined
  // So that the next download does not find it open.
  useEffect(() => {
    if (isOver) openTray(userId, undefined)
  }, [isOver, userId])
  if (isEmpty) return null
  return (
    <Tray aria-labelledby={titleId}>
      <TrayHead>
        <Typography id={titleId} component="h2" variant="subtitle2" aria-live="polite" sx={{ flex: 1 }}>
          {titleOf(zips)}
        </Typography>
        <IconButton
          aria-label={folded ? t`Show downloads` : t`Hide downloads`}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded ? <ChevronUp size={17} /> : <ChevronDown size={17} />}
        </IconButton>
        <IconButton aria-label={t`Close downloads`} onClick={() => openTray(userId, undefined)}>
          <X size={17} />
        </IconButton>
      </TrayHead>
      {!folded && (
        <Rows tabIndex={0} aria-labelledby={titleId}>
          {files.map((file) => (
            <li key={`file-${file.fileId}`}>
              <SingleFileRow file={file} />
            </li>
          ))}
          {zips.map((download) => (
            <li key={download.id}>
              <DownloadRow workspaceId={workspaceId} download={download} name={names[download.id]} />
            </li>
          ))}
        </Rows>
      )}
    </Tray>
  )
}

function titleOf(downloads: readonly Download[]): string {
  const underWay = downloads.filter(isUnderWay).length
  return underWay > 0 ? plural(underWay, { one: 'Making # zip', other: 'Making # zips' }) : t`Downloads`
}

const Rows = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  maxHeight: TRAY_ROW * VISIBLE,
  overflow: 'auto',
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '> li': { height: TRAY_ROW },
}))
