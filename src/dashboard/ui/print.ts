import { useSyncExternalStore } from 'react'

/** Left out on paper. */
export const UNPRINTED = 'unprinted'

/** Lines of a long list that go on paper. */
const MOST_PRINTED = 2000

const CLICKED =
  '[role="toolbar"], .MuiButton-root, .MuiIconButton-root, .MuiTextField-root, .MuiToggleButtonGroup-root, .MuiSnackbar-root'
/** What is printed of a page, and everything around it. */
const SHOWN = 'main, table, [role="grid"], [role="treegrid"], [data-page]'

/** On paper there is the page alone, as long as it is, black on white; `colours` are those of the light scheme. */
export const printStyles = (colours: object) => ({
  '@page': { margin: '14mm 12mm' },
  '@media print': {
    'html[data-scheme]': { colorScheme: 'light', printColorAdjust: 'exact', ...variables('--sr-palette', colours) },
    [`.${UNPRINTED}, ${CLICKED}`]: { display: 'none !important' },
    'html, body': { background: '#ffffff !important' },
    // Paper has no tooltip for the rest of a name.
    '.MuiTypography-noWrap, td .name': { whiteSpace: 'normal !important', overflow: 'visible !important' },
    [`html, body, #root, #root :is(${SHOWN}), #root :has(${SHOWN})`]: {
      height: 'auto !important',
      maxHeight: 'none !important',
      overflow: 'visible !important',
      containerType: 'normal !important',
    },
    [`#root :has(${SHOWN})`]: { display: 'block !important', margin: '0 !important', border: '0 !important' },
    'tr, [role="row"], [data-page]': { breakInside: 'avoid' },
    // Widths for the screen leave names no room.
    'th, td': { width: 'auto !important', maxWidth: 'none !important' },
    thead: { display: 'table-header-group' },
    // Lists that hold the lines in view alone lay them out themselves.
    '[role="rowgroup"]': { height: 'auto !important' },
    '[role="rowgroup"] > [role="row"]': {
      position: 'relative !important',
      transform: 'none !important',
      contain: 'none !important',
      background: 'none !important',
    },
    '[data-page]': {
      position: 'static !important',
      width: '100% !important',
      height: 'auto !important',
      breakAfter: 'page',
      boxShadow: 'none !important',
      outline: '0 !important',
      '& img': {
        position: 'static !important',
        width: '100% !important',
        height: 'auto !important',
        transform: 'none !important',
      },
    },
  },
})

/** `{ text: { primary } }` as `--sr-palette-text-primary`. */
function variables(prefix: string, colours: object): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(colours) as [string, unknown][]) {
    if (typeof value === 'object' && value) Object.assign(found, variables(`${prefix}-${name}`, value))
    else found[`${prefix}-${name}`] = String(value)
  }
  return found
}

/** Places of the lines that go on paper. */
export const printedRange = (count: number): number[] =>
  Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => index)

let printing = false

/** Whether the page is being printed: then a list has to hold more than what is in view. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing)

function subscribe(onChange: () => void) {
  const begin = () => {
    printing = true
    onChange()
  }
  const end = () => {
    printing = false
    onChange()
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}
