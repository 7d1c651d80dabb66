import { t } from '@lingui/core/macro'

/** Returns "5 h 12", "41 min" or "8 s". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return t`${seconds} s`
  const all = Math.round(seconds / 60)
  if (all < 60) return t`${all} min`
  const hours = Math.floor(all / 60)
  const minutes = String(all % 60).padStart(2, '0')
  return t`${hours} h ${minutes}`
}

/** Returns "8:10" for minutes and seconds. */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
