import { styled } from '@mui/material/styles'
import { memo } from 'react'
import { UNPRINTED } from '../../../ui/print.ts'
import { turnedStyle, type Box, type Size, type Turn } from '../pages/page-layout.ts'
import type { PageHits } from './hits.ts'

interface PageMarksProps {
  hits: PageHits['hits']
  /** Place of the current hit among the hits of this page. */
  current: number | undefined
  /** Size of the page image, in whose pixels the boxes are. */
  image: Size
  box: Box
  turn: Turn
}

/** The hits on a page, as colour over its image. The image is no text, so nothing else tells where they are. */
export const PageMarks = memo(function PageMarks({ hits, current, image, box, turn }: PageMarksProps) {
  return (
    <Layer style={box} className={UNPRINTED} aria-hidden>
      <div style={turnedStyle(box, turn)}>
        {hits.flatMap((boxes, hit) =>
          boxes.map(({ x, y, width, height }, at) => (
            <i
              // Hits of one page never change their order.
              key={`${hit}-${at}`}
              className={hit === current ? 'current' : undefined}
              style={{
                left: percent(x, image.width),
                top: percent(y, image.height),
                width: percent(width, image.width),
                height: percent(height, image.height),
              }}
            />
          )),
        )}
      </div>
    </Layer>
  )
})

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(3)}%`

/** Multiplied with the white page, so that the words and the mark of the reader stay legible. */
const Layer = styled('div')({
  position: 'absolute',
  overflow: 'hidden',
  pointerEvents: 'none',
  mixBlendMode: 'multiply',
  '& > div': { position: 'absolute', top: '50%', left: '50%' },
  i: { position: 'absolute', background: '#ffe083', borderRadius: 3, boxShadow: '0 0 0 2px #ffe083' },
  '.current': { background: '#ffb14d', boxShadow: '0 0 0 2px #ffb14d, 0 0 0 4px #8a4b00' },
})
