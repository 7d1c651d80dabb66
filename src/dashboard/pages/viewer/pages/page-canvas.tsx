import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { UNPRINTED } from '../../../ui/print.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { useFinding } from '../find/find-owner.tsx'
import { PageMarks } from '../find/page-marks.tsx'
import { useViewedFile } from '../viewed-file.tsx'
import type { Size } from './page-layout.ts'
import { PageText } from './page-text.tsx'
import { PageImage } from './page-image.tsx'
import { useSwipe } from './use-swipe.ts'
import { useSight } from '../viewer-sight.tsx'

/** Milliseconds. */
const REST = 250

interface PageCanvasProps {
  title: string
  /** Keeps these pages off the paper, because the print dialog prints its own. */
  unprinted: boolean
}

/** The pages below one another. Only pages in view are in the DOM, each in its own place from the start. */
export function PageCanvas({ title, unprinted }: PageCanvasProps) {
  const { window, pages, turn, renew } = useSight()
  const { layout, sight, view, setScroller, goTo } = window
  const swipe = useSwipe(layout.width <= view.width ? (step) => goTo(sight.page + step) : undefined)
  const indexes = Array.from({ length: Math.max(0, sight.last - sight.first + 1) }, (_, at) => sight.first + at)
  return (
    <Scroller
      ref={setScroller}
      role="region"
      aria-label={t`Pages of ${title}`}
      tabIndex={0}
      className={unprinted ? UNPRINTED : ''}
      {...swipe}
    >
      <div style={{ position: 'relative', width: layout.width, height: layout.height }}>
        {indexes.map((index) => {
          const box = layout.boxes[index]
          const number = index + 1
          return (
            box && (
              <PageImage
                key={number}
                number={number}
                url={pages.get(number)?.expiring_url}
                thumbnailUrl={pages.get(number)?.expiring_thumbnail_url}
                turn={turn}
                box={box}
                renew={renew}
                unprinted={unprinted}
              />
            )
          )
        })}
        <Texts />
        <Marks />
      </div>
      {!unprinted && layout.boxes.length > indexes.length && (
        <Partial>{t`Not all pages: Print in the viewer prints them all.`}</Partial>
      )}
    </Scroller>
  )
}

/** The texts of the pages in view, once the user has stopped scrolling. */
function Texts() {
  const { window, turn } = useSight()
  const { shownKey, document } = useViewedFile()
  const { first, last } = window.sight
  const rested = useSettled({ first, last }, `${first} ${last}`, REST)
  const images = useImages()
  if (document?.text_layer !== 'select') return null
  return images.slice(rested.first, rested.last + 1).map((image, at) => {
    const index = rested.first + at
    const box = window.layout.boxes[index]
    return box && <PageText key={index} file={shownKey} number={index + 1} image={image} box={box} turn={turn} />
  })
}

/** The sizes of the page images in their own pixels. */
function useImages(): readonly Size[] {
  const { document } = useViewedFile()
  return useMemo(
    () => document?.widths.map((width, index) => ({ width, height: document.heights[index] ?? width })) ?? [],
    [document],
  )
}

/** The hits on the pages in view. */
function Marks() {
  const { window, turn } = useSight()
  const images = useImages()
  const { found, current } = useFinding()
  const { first, last } = window.sight
  return found.pages.map(({ page_number, hits }) => {
    const box = window.layout.boxes[page_number - 1]
    const image = images[page_number - 1]
    if (page_number <= first || page_number > last + 1 || !box || !image) return null
    const here = current?.page === page_number ? current.at : undefined
    return <PageMarks key={page_number} hits={hits} current={here} image={image} box={box} turn={turn} />
  })
}

/** Shown only on paper, to users who print with the browser's menu. */
const Partial = styled('p')({ display: 'none', '@media print': { display: 'block' } })

const Scroller = styled('div')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  overflow: 'auto',
  // Reserves the space of the scroll bar, so that the fitted width does not depend on it.
  scrollbarGutter: 'stable',
  overscrollBehavior: 'contain',
  // Two fingers zoom the pages, not the browser's window.
  touchAction: 'pan-x pan-y',
  overflowAnchor: 'none',
  background: theme.vars.palette.background.default,
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
}))
