import { plural } from '@lingui/core/macro'

/** Returns "12 seconds", "5 minutes" or "3 hours". */
export function duration(seconds: number): string {
  if (seconds < 90) return plural(Math.ceil(seconds), { one: '# second', other: '# seconds' })
  if (seconds < 90 * 60) return plural(Math.round(seconds / 60), { one: '# minute', other: '# minutes' })
  return plural(Math.round(seconds / 3600), { one: '# hour', other: '# hours' })
}
