import { t } from '@lingui/core/macro'
import type { ThemeOptions } from '@mui/material/styles'

/** The built-in texts of the MUI widgets in use, for translation; the English texts are MUI's own. */
export const widgetTexts = (): NonNullable<ThemeOptions['components']> => ({
  MuiAlert: { defaultProps: { closeText: t`Close` } },
  MuiAutocomplete: {
    defaultProps: {
      clearText: t`Clear`,
      closeText: t`Close`,
      openText: t({ message: 'Open', context: 'verb' }),
      noOptionsText: t`No options`,
    },
  },
  MuiPagination: {
    defaultProps: {
      getItemAriaLabel: (type, page, selected) => (type === 'page' ? pageWords(page, selected) : WAYS[type]()),
    },
  },
})

const WAYS = {
  first: () => t`Go to first page`,
  last: () => t`Go to last page`,
  next: () => t`Go to next page`,
  previous: () => t`Go to previous page`,
  'start-ellipsis': () => '…',
  'end-ellipsis': () => '…',
}

function pageWords(page: number | null, selected: boolean | undefined): string {
  const place = page ?? 0
  return selected ? t`page ${place}` : t`Go to page ${place}`
}
