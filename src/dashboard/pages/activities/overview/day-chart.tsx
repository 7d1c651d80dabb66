import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { useRef, useState } from 'react'
import { dayAndMonth, number } from '../../../ui/words/format.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { type Period, SERIES } from './periods.ts'
import { SERIES_NAMES, seriesColours } from './series.ts'

const HEIGHT = 214
const MARGIN = { top: 8, right: 4, bottom: 22, left: 34 }
/** Space for "20 Nov", in pixels. */
const LABEL = 64

/** The activities of each period as stacked columns, and the same numbers as a table for screen readers. */
export function DayChart({ periods }: { periods: readonly Period[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 640)
  const [at, setAt] = useState<number>()
  const shown = at === undefined ? undefined : periods[at]
  return (
    <Frame ref={frame}>
      <Legend aria-hidden>
        {SERIES.map((series) => (
          <span key={series} className={series}>
            <i />
            {i18n._(SERIES_NAMES[series])}
            {shown && <b>{number(shown[series])}</b>}
          </span>
        ))}
        <em>{shown?.name}</em>
      </Legend>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={labelOf(periods)}
        onPointerLeave={() => setAt(undefined)}
      >
        <Columns periods={periods} width={width} at={at} onPoint={setAt} />
      </svg>
      <Table periods={periods} />
    </Frame>
  )
}

interface ColumnsProps {
  periods: readonly Period[]
  width: number
  at: number | undefined
  onPoint: (at: number) => void
}

function Columns({ periods, width, at, onPoint }: ColumnsProps) {
  const bottom = HEIGHT - MARGIN.bottom
  const x = scaleBand(
    periods.map(({ day }) => day),
    [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left + 1)],
  ).paddingInner(0.28)
  const most = Math.max(4, ...periods.map(({ views, downloads, others }) => views + downloads + others))
  const y = scaleLinear([0, most], [bottom, MARGIN.top]).nice(4)
  const layers = stack<Period>().keys(SERIES)([...periods])
  const every = Math.ceil(periods.length / Math.max(1, Math.floor((width - MARGIN.left) / LABEL)))
  return (
    <>
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick} className="tick">
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
            <text x={MARGIN.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
              {number(tick)}
            </text>
          </g>
        ))}
      {layers.map((layer) => (
        <g key={layer.key} className={layer.key}>
          {layer.map(([low, high], index) =>
            high > low ? (
              <rect
                key={periods[index]?.day}
                className={at === undefined || at === index ? '' : 'dim'}
                x={x(periods[index]?.day ?? '')}
                y={y(high)}
                width={x.bandwidth()}
                height={Math.max(y(low) - y(high) - 0.5, 0.5)}
                rx={Math.min(2, x.bandwidth() / 4)}
              />
            ) : null,
          )}
        </g>
      ))}
      {periods.map(({ day }, index) => (
        <g key={day}>
          {index % every === 0 && (
            <text className="day" x={(x(day) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 6} textAnchor={anchorOf(index)}>
              {dayAndMonth(day)}
            </text>
          )}
          <rect
            className="reach"
            x={x(day)}
            y={MARGIN.top}
            width={x.step()}
            height={bottom - MARGIN.top}
            onPointerEnter={() => onPoint(index)}
          />
        </g>
      ))}
    </>
  )
}

/** Keeps the first label away from the numbers on the left. */
const anchorOf = (index: number) => (index === 0 ? 'start' : 'middle')

function labelOf(periods: readonly Period[]): string {
  const sum = (series: (typeof SERIES)[number]) => periods.reduce((total, period) => total + period[series], 0)
  const from = periods[0]?.name.split(' – ')[0] ?? ''
  const to = periods.at(-1)?.name.split(' – ').at(-1) ?? ''
  const [views, downloads, others] = [sum('views'), sum('downloads'), sum('others')]
  return t`Activity from ${from} to ${to}: ${plural(views, { one: '# view', other: '# views' })}, ${plural(downloads, {
    one: '# download',
    other: '# downloads',
  })}, ${plural(others, { one: '# other event', other: '# other events' })}`
}

function Table({ periods }: { periods: readonly Period[] }) {
  const busy = periods.filter((period) => SERIES.some((series) => period[series] > 0))
  return (
    <VisuallyHidden>
      <table>
        <caption>{t`Activity over time`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`When`}</th>
            {SERIES.map((series) => (
              <th key={series} scope="col">
                {i18n._(SERIES_NAMES[series])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {busy.map((period) => (
            <tr key={period.day}>
              <th scope="row">{period.name}</th>
              {SERIES.map((series) => (
                <td key={series}>{number(period[series])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}

const Frame = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  const colours = seriesColours(theme)
  return {
    position: 'relative',
    minWidth: 0,
    svg: { display: 'block', overflow: 'visible' },
    text: { fontSize: 11, fill: palette.text.secondary },
    '.tick line': { stroke: palette.divider, shapeRendering: 'crispEdges' },
    rect: { transition: 'opacity 120ms' },
    '.dim': { opacity: 0.4 },
    '.reach': { fill: 'transparent' },
    ...Object.fromEntries(SERIES.map((series) => [`g.${series}`, { fill: colours[series] }])),
    ...Object.fromEntries(SERIES.map((series) => [`.${series} i`, { background: colours[series] }])),
  }
})

const Legend = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: 16,
  minHeight: 20,
  marginBottom: 6,
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
  i: { display: 'inline-block', width: 8, height: 8, marginRight: 6, borderRadius: 2 },
  b: { marginLeft: 5, fontWeight: 600, color: theme.vars.palette.text.primary },
  em: { marginLeft: 'auto', fontStyle: 'normal' },
}))
