import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { UNPRINTED } from '../../../ui/print.ts'
import { turnedPart } from '../pages/page-layout.ts'
import { useViewedFile } from '../viewed-file.tsx'
import { useSight } from '../viewer-sight.tsx'
import { useFinding } from './find-owner.tsx'

/** Divisions of the scroll track; hits in the same one share a tick. */
const FINE = 400

/** Shows on the scroll track where in the document the hits are. */
export function HitTicks() {
  const { layout } = useSight().window
  const { turn } = useSight()
  const { document } = useViewedFile()
  const { pages } = useFinding().found
  const path = useMemo(() => {
    const ticks = new Set<number>()
    for (const { page_number, hits } of pages) {
      const box = layout.boxes[page_number - 1]
      const image = { width: document?.widths[page_number - 1] ?? 1, height: document?.heights[page_number - 1] ?? 1 }
      if (!box) continue
      for (const [part] of hits) {
        const share = part ? turnedPart(part, image, turn).top : 0
        ticks.add(Math.round(((box.top + share * box.height) / layout.height) * FINE))
      }
    }
    return Array.from(ticks, (tick) => `M0 ${tick}h1`).join('')
  }, [pages, layout, document, turn])
  if (path === '') return null
  return (
    <Track viewBox={`0 0 1 ${FINE}`} preserveAspectRatio="none" className={UNPRINTED} aria-hidden>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </Track>
  )
}

const Track = styled('svg')(({ theme }) => ({
  position: 'absolute',
  top: 0,
  right: 2,
  zIndex: 1,
  width: 10,
  height: '100%',
  pointerEvents: 'none',
  stroke: theme.vars.palette.warning.main,
  strokeWidth: 3,
}))
