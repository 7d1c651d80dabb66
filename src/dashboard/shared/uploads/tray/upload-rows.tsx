import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { TRAY_ROW } from '../../../ui/toasts/tray.tsx'
import type { Upload } from '../upload.ts'
import type { UploadQueue } from '../upload-queue.ts'
import { inOrder } from './upload-report.ts'
import { UploadRow } from './upload-row.tsx'

const VISIBLE = 6

/** The list may hold thousands of files, so it renders only the visible rows. */
export function UploadRows({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const scroll = useRef<HTMLDivElement>(null)
  const ordered = inOrder(uploads)
  const virtual = useVirtualizer({
    count: ordered.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => TRAY_ROW,
    initialRect: { width: 400, height: TRAY_ROW * VISIBLE },
    overscan: 4,
  })
  return (
    <Scroll
      ref={scroll}
      style={{ maxHeight: TRAY_ROW * VISIBLE }}
      tabIndex={0}
      aria-label={t`Files being uploaded`}
      role="region"
    >
      <ul style={{ position: 'relative', height: virtual.getTotalSize(), margin: 0, padding: 0 }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const upload = ordered[index]
          return (
            upload && (
              <Place
                key={upload.id}
                style={{ height: TRAY_ROW, transform: `translateY(${start}px)` }}
                aria-setsize={ordered.length}
                aria-posinset={index + 1}
              >
                <UploadRow upload={upload} queue={queue} />
              </Place>
            )
          )
        })}
      </ul>
    </Scroll>
  )
}

const Scroll = styled('div')(({ theme }) => ({
  overflow: 'auto',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const Place = styled('li')({ position: 'absolute', top: 0, left: 0, right: 0, listStyle: 'none' })
