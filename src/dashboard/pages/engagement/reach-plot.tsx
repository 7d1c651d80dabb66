import { t } from '@lingui/core/macro'
import { styled, useTheme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useRef } from 'react'
import { useWidth } from '../../ui/use-width.ts'
import { formatLocale } from '../../ui/words/language.ts'
import { colourOf } from './colours.ts'
import type { FileEngagement } from './engaged.ts'
import { dropOffOf, namedPages, reachOf } from '../../../contract/engagement/page-times.ts'

const HEIGHT = 150
const MARGIN = { top: 8, right: 4, bottom: 20, left: 42 }

type Group = FileEngagement['groups'][number]

interface ReachPlotProps {
  groups: readonly Group[]
  pages: number
  places: ReadonlyMap<number, number>
}

/** The share of readers who reach each page, and in words where most of them stop. */
export function ReachPlot({ groups, pages, places }: ReachPlotProps) {
  const theme = useTheme()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 560)
  const lines = groups.map((group) => {
    const colour = colourOf(theme, places.get(group.group_id) ?? 0)
    return { id: group.group_id, colour, words: wordsFor(group, pages), points: reachOf(group, pages) }
  })
  return (
    <Plot ref={frame}>
      <Typography variant="h3">{t`Readers who reach a page`}</Typography>
      <svg width={width} height={HEIGHT} role="img" aria-label={lines.map(({ words }) => words).join('. ')}>
        <Axes width={width} pages={pages} />
        {lines.map(({ id, colour, points }) => (
          <path key={id} d={pathOf(points, width, pages)} fill="none" stroke={colour} strokeWidth={2} />
        ))}
      </svg>
      <ul>
        {lines.map(({ id, colour, words }) => (
          <li key={id}>
            <i style={{ background: colour }} />
            {words}
          </li>
        ))}
      </ul>
    </Plot>
  )
}

function wordsFor(group: Group, pages: number): string {
  const { name } = group
  const dropOff = dropOffOf(group, pages)
  if (!dropOff) return t`${name}: everybody reaches the last page`
  const { page, left, of, isEnd } = dropOff
  return isEnd && left === of ? t`${name}: nobody past page ${page}` : t`${name}: ${left} of ${of} left at page ${page}`
}

const xOf = (page: number, width: number, pages: number) =>
  MARGIN.left + ((page - 1) / Math.max(1, pages - 1)) * (width - MARGIN.left - MARGIN.right)
const yOf = (share: number) => MARGIN.top + (1 - share) * (HEIGHT - MARGIN.top - MARGIN.bottom)

const pathOf = (points: [number, number][], width: number, pages: number) =>
  points.map(([page, share], at) => `${at === 0 ? 'M' : 'L'}${xOf(page, width, pages)} ${yOf(share)}`).join('')

function Axes({ width, pages }: { width: number; pages: number }) {
  const percent = new Intl.NumberFormat(formatLocale(), { style: 'percent' })
  return (
    <>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={yOf(share)} y2={yOf(share)} />
          <text x={MARGIN.left - 6} y={yOf(share)} dy="0.32em" textAnchor="end">
            {percent.format(share)}
          </text>
        </g>
      ))}
      {namedPages(pages).map((page) => (
        <text key={page} x={xOf(page, width, pages)} y={HEIGHT - 4} textAnchor={page === pages ? 'end' : 'middle'}>
          {page}
        </text>
      ))}
    </>
  )
}

const Plot = styled('div')(({ theme }) => ({
  marginTop: 16,
  h3: { marginBottom: 4 },
  svg: { display: 'block', maxWidth: '100%' },
  line: { stroke: theme.vars.palette.divider },
  text: { fill: theme.vars.palette.text.secondary, fontSize: '0.6875rem' },
  ul: { listStyle: 'none', margin: '6px 0 0', padding: 0, display: 'flex', flexWrap: 'wrap', gap: '4px 16px' },
  li: { display: 'flex', alignItems: 'center', gap: 6, fontSize: '0.75rem' },
  i: { width: 14, height: 2, borderRadius: 1, flexShrink: 0 },
}))
