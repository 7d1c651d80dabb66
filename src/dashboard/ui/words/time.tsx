import { fullDate, shortDate, timeAgo } from './format.ts'

interface TimeProps {
  at: string | null
  /** Shows "5 minutes ago" instead of "20 Nov, 09:00"; the tooltip has the full date. */
  relative?: boolean
}

export function Time({ at, relative = false }: TimeProps) {
  return (
    <time dateTime={at ?? undefined} title={at ? fullDate(at) : undefined}>
      {relative ? timeAgo(at) : shortDate(at)}
    </time>
  )
}
