/** Returns "5 h 12", "41 min" or "8 s" with spaces that do not break, in English and German alike. */
export function shortDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}\u00a0s`
  const all = Math.round(seconds / 60)
  if (all < 60) return `${all}\u00a0min`
  return `${Math.floor(all / 60)}\u00a0h\u00a0${String(all % 60).padStart(2, '0')}`
}
