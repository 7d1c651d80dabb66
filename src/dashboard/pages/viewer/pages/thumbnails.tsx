import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { useLastingUrl } from '../../../shared/use-lasting-url.ts'
import { UNPRINTED } from '../../../ui/print.ts'
import { rangeWith } from '../../../shared/listing/range-with.ts'
import type { PageHits } from '../find/hits.ts'
import type { Size } from './page-layout.ts'
import type { FilePage } from './use-pages.ts'

const ROW = 164
const BOX = { width: 104, height: 128 }

interface ThumbnailsProps {
  sizes: readonly Size[]
  pages: ReadonlyMap<number, FilePage>
  hits: readonly PageHits[]
  current: number
  onGo: (page: number) => void
  renew: (page: number) => Promise<void>
  /** Receives the first and last page in view, whose URLs are wanted. */
  onSight: (first: number, last: number) => void
}

/** Small images of all pages, beside the pages. One of them has the keyboard focus, and the arrow keys move on. */
export function Thumbnails({ sizes, pages, hits, current, onGo, onSight, renew }: ThumbnailsProps) {
  const rail = useRef<HTMLElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler is used here
  const window = useVirtualizer<HTMLElement, Element>({
    count: sizes.length,
    getScrollElement: () => rail.current,
    estimateSize: () => ROW,
    overscan: 3,
    paddingStart: 8,
    paddingEnd: 8,
    rangeExtractor: rangeWith(current - 1),
  })
  useEffect(() => window.scrollToIndex(current - 1, { align: 'auto' }), [window, current])
  const items = window.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = window.range ?? {}
  useEffect(() => onSight(startIndex + 1, endIndex + 1), [onSight, startIndex, endIndex])

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
    onGo(current + step)
  }
  return (
    <Rail
      ref={rail}
      className={UNPRINTED}
      aria-label={t`Thumbnails`}
      onKeyDown={onKeyDown}
      onBlur={() => (hadFocus.current = false)}
    >
      <ol style={{ height: window.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <li key={index} style={{ transform: `translateY(${start}px)` }}>
            <Thumbnail
              number={index + 1}
              {...fitted(sizes[index])}
              url={pages.get(index + 1)?.expiring_thumbnail_url}
              hits={counts.get(index + 1) ?? 0}
              current={current === index + 1}
              onGo={onGo}
              renew={renew}
            />
          </li>
        ))}
      </ol>
    </Rail>
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
  width: 148,
  flexShrink: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  scrollbarWidth: 'thin',
  background: theme.vars.palette.background.paper,
  borderRight: `1px solid ${theme.vars.palette.divider}`,
  ol: { position: 'relative', margin: 0, padding: 0, listStyle: 'none' },
  li: { position: 'absolute', inset: '0 0 auto 0', height: ROW },
  button: {
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
  'button:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
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
  'button:hover .paper': { outlineColor: theme.vars.palette.text.secondary },
  '[aria-current] .paper': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
  '[aria-current] .number': { color: theme.vars.palette.text.primary, fontWeight: 650 },
}))
