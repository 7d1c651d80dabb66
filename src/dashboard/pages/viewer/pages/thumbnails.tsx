import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useLastingUrl } from '../../../shared/use-lasting-url.ts'
import { number } from '../../../ui/words/format.ts'
import { UNPRINTED } from '../../../ui/print.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { rangeWith } from '../../../shared/listing/range-with.ts'
import { countOf, type PageHits } from '../find/hits.ts'
import type { Size } from './page-layout.ts'
import type { FilePage } from './use-pages.ts'

const ROW = 164
const BOX = { width: 104, height: 128 }
const OVERSCAN = 3
/** Milliseconds that the rail stands still before it loads images, so that the pages in view are drawn first. */
const REST = 150

interface ThumbnailsProps {
  sizes: readonly Size[]
  pages: ReadonlyMap<number, FilePage>
  hits: readonly PageHits[]
  current: number
  onGo: (page: number) => void
  renew: (page: number) => Promise<void>
  /** Receives the pages in view, as ranges of first and last page, whose URLs are wanted. */
  onSight: (ranges: [first: number, last: number][]) => void
}

/** Small images of all pages, or of those with hits, beside the pages. One of them has the keyboard focus, and the arrow keys move on. */
export function Thumbnails({ sizes, pages, hits, current, onGo, onSight, renew }: ThumbnailsProps) {
  const rail = useRef<HTMLDivElement>(null)
  const [isOfHits, setOfHits] = useState(false)
  const chosen = useMemo(
    () => (isOfHits && hits.length > 0 ? hits.map(({ page_number }) => page_number) : undefined),
    [isOfHits, hits],
  )
  const place = chosen ? chosen.indexOf(current) : current - 1
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler is used here
  const window = useVirtualizer<HTMLDivElement, Element>({
    count: chosen?.length ?? sizes.length,
    getScrollElement: () => rail.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    paddingStart: 8,
    paddingEnd: 8,
    rangeExtractor: rangeWith(place),
  })
  useEffect(() => window.scrollToIndex(Math.max(0, place), { align: 'auto' }), [window, place])
  const items = window.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = window.range ?? {}
  const rested = useSettled({ startIndex, endIndex }, `${startIndex} ${endIndex}`, REST)
  const isRested = (index: number) => index >= rested.startIndex - OVERSCAN && index <= rested.endIndex + OVERSCAN
  useEffect(
    () =>
      onSight(chosen?.slice(startIndex, endIndex + 1).map((page) => [page, page]) ?? [[startIndex + 1, endIndex + 1]]),
    [onSight, chosen, startIndex, endIndex],
  )

  const counts = useMemo(() => new Map(hits.map(({ page_number, hits }) => [page_number, hits.length])), [hits])

  const hadFocus = useRef(false)
  useEffect(() => {
    if (hadFocus.current) rail.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true })
  }, [current])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    hadFocus.current = step !== undefined
    if (step === undefined) return
    event.preventDefault()
    const next = step === 1 ? chosen?.find((page) => page > current) : chosen?.findLast((page) => page < current)
    onGo(next ?? (chosen ? current : current + step))
  }
  return (
    <Rail
      className={UNPRINTED}
      aria-label={t`Thumbnails`}
      onKeyDown={onKeyDown}
      onBlur={() => (hadFocus.current = false)}
    >
      {hits.length > 0 && <Choice isOfHits={isOfHits} count={countOf(hits)} onChange={setOfHits} />}
      <div ref={rail} className="scroller">
        <ol style={{ height: window.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const page = chosen?.[index] ?? index + 1
            return (
              <li key={page} style={{ transform: `translateY(${start}px)` }}>
                <Thumbnail
                  number={page}
                  {...fitted(sizes[page - 1])}
                  url={isRested(index) ? pages.get(page)?.expiring_thumbnail_url : undefined}
                  hits={counts.get(page) ?? 0}
                  current={current === page}
                  onGo={onGo}
                  renew={renew}
                />
              </li>
            )
          })}
        </ol>
      </div>
    </Rail>
  )
}

interface ChoiceProps {
  isOfHits: boolean
  count: number
  onChange: (isOfHits: boolean) => void
}

function Choice({ isOfHits, count, onChange }: ChoiceProps) {
  const total = number(count)
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={isOfHits}
      aria-label={t`Thumbnails of`}
      onChange={(_event, value: boolean | null) => value !== null && onChange(value)}
      sx={{ m: 1, mb: 0, flexShrink: 0, '& > *': { flex: 1, height: 26, px: 0.5, py: 0, fontSize: '0.75rem' } }}
    >
      <ToggleButton value={false}>{t`Pages`}</ToggleButton>
      <ToggleButton value>{t`Hits ${total}`}</ToggleButton>
    </ToggleButtonGroup>
  )
}

interface ThumbnailProps extends Size {
  number: number
  url: string | undefined
  hits: number
  current: boolean
  onGo: (page: number) => void
  renew: (page: number) => Promise<void>
}

const Thumbnail = memo(function Thumbnail({ number, width, height, url, hits, current, onGo, renew }: ThumbnailProps) {
  const { src, onLoad, onError } = useLastingUrl(url, () => renew(number))
  return (
    <button
      type="button"
      aria-label={
        hits === 0 ? t`Page ${number}` : t`Page ${number}, ${plural(hits, { one: '# hit', other: '# hits' })}`
      }
      aria-current={current ? 'page' : undefined}
      tabIndex={current ? 0 : -1}
      onClick={() => onGo(number)}
    >
      <span className="paper" data-hits={hits || undefined} style={{ width, height }}>
        {src && <img src={src} alt="" draggable={false} onLoad={onLoad} onError={onError} />}
      </span>
      <span className="number" aria-hidden>
        {number}
      </span>
    </button>
  )
})

function fitted({ width, height }: Size = BOX): Size {
  const scale = Math.min(BOX.width / width, BOX.height / height)
  return { width: width * scale, height: height * scale }
}

const Rail = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  width: 148,
  flexShrink: 0,
  background: theme.vars.palette.background.paper,
  borderRight: `1px solid ${theme.vars.palette.divider}`,
  '.scroller': { flex: 1, minHeight: 0, overflow: 'auto', overscrollBehavior: 'contain', scrollbarWidth: 'thin' },
  ol: { position: 'relative', margin: 0, padding: 0, listStyle: 'none' },
  li: { position: 'absolute', inset: '0 0 auto 0', height: ROW },
  '.scroller button': {
    display: 'grid',
    gridTemplateRows: '1fr auto',
    justifyItems: 'center',
    alignItems: 'center',
    gap: 4,
    width: '100%',
    height: '100%',
    padding: '6px 0 2px',
    border: 0,
    background: 'none',
    font: 'inherit',
    fontSize: '0.75rem',
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
  },
  '.scroller button:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '.paper': {
    position: 'relative',
    display: 'block',
    background: '#eef2f3',
    borderRadius: 2,
    outline: `1px solid ${theme.vars.palette.divider}`,
  },
  '.paper img': { display: 'block', width: '100%', height: '100%' },
  '[data-hits]::after': {
    content: 'attr(data-hits)',
    position: 'absolute',
    top: -7,
    right: -7,
    minWidth: 18,
    height: 18,
    padding: '0 5px',
    borderRadius: 9,
    background: '#ffb14d',
    color: '#3a2000',
    fontSize: '0.6875rem',
    fontWeight: 700,
    lineHeight: '18px',
  },
  '.scroller button:hover .paper': { outlineColor: theme.vars.palette.text.secondary },
  '[aria-current] .paper': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
  '[aria-current] .number': { color: theme.vars.palette.text.primary, fontWeight: 650 },
}))
