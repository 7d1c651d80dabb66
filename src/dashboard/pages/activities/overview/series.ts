import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Theme } from '@mui/material/styles'
import type { Series } from './periods.ts'

export const SERIES_NAMES: Record<Series, MessageDescriptor> = {
  views: msg`Views`,
  downloads: msg`Downloads`,
  others: msg`Other`,
}

/** The colours also differ in lightness. */
export const seriesColours = ({ vars: { palette } }: Theme): Record<Series, string> => ({
  views: palette.primary.main,
  downloads: palette.tint.slides,
  others: palette.text.disabled,
})
