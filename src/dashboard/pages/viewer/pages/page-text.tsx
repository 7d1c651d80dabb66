import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { memo, useMemo } from 'react'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { UNPRINTED } from '../../../ui/print.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { turnedStyle, type Box, type Size, type Turn } from './page-layout.ts'
import { drawnWords } from './drawn-words.ts'
import type { FileVersionKey } from './use-pages.ts'

interface PageTextProps {
  file: FileVersionKey
  number: number
  /** Size of the page image, in whose pixels the words have their places. */
  image: Size
  box: Box
  turn: Turn
}

/** How long the text of a page that is out of view is kept, in milliseconds. */
const KEPT = 60_000

/** The text of a page: for screen readers as it reads, and over the image word by word, where it can be selected. */
export const PageText = memo(function PageText({ file, number, image, box, turn }: PageTextProps) {
  const { workspaceId, fileId, version } = file
  const query = { workspace_id: workspaceId, ...(version !== undefined && { version }) }
  const reading = read(api.files.text, { params: { id: fileId, page_number: number }, query })
  const { data } = useReading({ ...reading, staleTime: Infinity, gcTime: KEPT })
  const words = useMemo(() => data && drawnWords(data, image), [data, image])
  if (!data || !words || words.length === 0) return null
  const scale = (turn % 180 === 0 ? box.width : box.height) / image.width
  return (
    // No browser may send the text of a document to a service that translates it.
    <Layer style={box} className={UNPRINTED} translate="no">
      <VisuallyHidden role="group" aria-label={t`Text of page ${number}`} className="read">
        {data.text.replaceAll('\u00ad', '')}
      </VisuallyHidden>
      <div aria-hidden style={turnedStyle(box, turn)}>
        <div className="words" style={{ ...image, transform: `scale(${scale})` }}>
          {words.map(({ text, endsLine, isRtl, style }, at) => [
            <span key={at} dir={isRtl ? 'rtl' : undefined} style={style}>
              {text}
            </span>,
            endsLine && <br key={`${at}-end`} />,
          ])}
        </div>
      </div>
    </Layer>
  )
})

const Layer = styled('div')({
  position: 'absolute',
  overflow: 'hidden',
  pointerEvents: 'none',
  '.read': { userSelect: 'none', whiteSpace: 'pre-line' },
  '& > div': { position: 'absolute', top: '50%', left: '50%' },
  '.words': { transformOrigin: '0 0', fontFamily: 'sans-serif', color: 'transparent', userSelect: 'text' },
  '.words span': { position: 'absolute', whiteSpace: 'pre', cursor: 'text', pointerEvents: 'auto' },
  '.words ::selection': { color: 'transparent', background: 'rgb(11 93 102 / 0.3)' },
})
