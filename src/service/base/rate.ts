import { z } from 'zod'
import type { Rate } from '../../wire/rates/rate-limit.ts'

const PERIODS: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 }
const FORM = /^([1-9]\d{0,6})\/(s|min|h)(?::([1-9]\d{0,6}))?$/
const MEANING = 'must be a number per s, min or h, and a burst where that is another number: 600/min, 20/s:40 or off'

/** `600/min`, `20/s:40` or `off`. Without a burst, the burst is the count. */
export const rate = z.string().transform((text, context): Rate | undefined => {
  if (text === 'off') return undefined
  const [, count, unit, burst] = FORM.exec(text) ?? []
  if (count === undefined) {
    context.addIssue(MEANING)
    return z.NEVER
  }
  return { count: Number(count), periodMs: PERIODS[unit ?? ''] ?? 0, burst: Number(burst ?? count) }
})
