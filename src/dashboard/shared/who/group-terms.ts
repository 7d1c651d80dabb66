import { t } from '@lingui/core/macro'
import { calendarDate, dayAndMonth } from '../../ui/words/format.ts'
import type { GroupInfo } from './reach.ts'

const NEAR_DAYS = 7

/** How the group protects what its members open. */
export function protectionWords({ drm_enabled, watermarked }: GroupInfo): string {
  if (drm_enabled) return t`Watermark, sealed`
  return watermarked ? t`Watermark` : t`Not protected`
}

/** "18 Dec", or "18 Dec 2027" if that is another year. */
export const endDay = (end: string): string =>
  end.startsWith(String(new Date().getFullYear())) ? dayAndMonth(end) : calendarDate(end)

/** Whether the end of an access stands out. */
export const isNear = (end: string): boolean => Date.parse(end) - Date.now() < NEAR_DAYS * 86_400_000
