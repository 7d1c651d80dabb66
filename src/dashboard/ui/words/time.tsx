import { fullDate, shortDate, timeAgo, timeWithSeconds } from './format.ts'

interface TimeProps {
  at: string | null
  /** Shows "5 minutes ago" instead of "20 Nov, 09:00"; the tooltip has the full date. */
  relative?: boolean
  /** Shows hours, minutes and seconds, for times of today. */
  precise?: boolean
}

export function Time({ at, relative = false, precise = false }: TimeProps) {
  return (
    <time dateTime={at ?? undefined} title={at ? fullDate(at) : undefined}>
      {precise && at ? timeWithSeconds(at) : relative ? timeAgo(at) : shortDate(at)}
    </time>
  )
}
