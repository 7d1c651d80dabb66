import type { EngagedGroup } from './engaged.ts'

const WIDTH = 96
const HEIGHT = 30
const DAY_MS = 86_400_000

interface SparkLineProps {
  days: EngagedGroup['days']
  from: string
  to: string
}

/** The reading time of each day. The number beside it says the same for screen readers. */
export function SparkLine({ days, from, to }: SparkLineProps) {
  const first = Date.parse(from)
  const count = (Date.parse(to) - first) / DAY_MS + 1
  const times = Array.from({ length: count }, () => 0)
  for (const { day, ms } of days) times[(Date.parse(day) - first) / DAY_MS] = ms
  const most = Math.max(1, ...times)
  const points = times.map((ms, at) => {
    const x = count > 1 ? (at / (count - 1)) * WIDTH : WIDTH
    return `${x.toFixed(1)} ${(HEIGHT - 1.5 - (ms / most) * (HEIGHT - 4)).toFixed(1)}`
  })
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden style={{ flexShrink: 0 }}>
      <path d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`} fill="currentColor" opacity={0.13} />
      <path d={`M${points.join('L')}`} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}
