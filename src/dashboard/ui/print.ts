import { useSyncExternalStore } from 'react'

/** Class of elements that are not printed. */
export const UNPRINTED = 'unprinted'

/** Maximum number of printed lines of a long list. */
const MOST_PRINTED = 2000

const CLICKED =
  '[role="toolbar"], .MuiButton-root, .MuiIconButton-root, .MuiTextField-root, .MuiToggleButtonGroup-root, .MuiSnackbar-root'
/** Elements that are printed in full length, together with their ancestors. */
const SHOWN = 'main, table, [role="grid"], [role="treegrid"], [data-page]'

/** Prints only the page, in full length and black on white; `colours` are those of the light scheme. */
export const printStyles = (colours: object) => ({
  '@page': { margin: '14mm 12mm' },
  '@media print': {
    'html[data-scheme]': { colorScheme: 'light', printColorAdjust: 'exact', ...variables('--sr-palette', colours) },
    [`.${UNPRINTED}, ${CLICKED}`]: { display: 'none !important' },
    'html, body': { background: '#ffffff !important' },
    // Paper has no tooltip for a name that is cut off.
    '.MuiTypography-noWrap, td .name': { whiteSpace: 'normal !important', overflow: 'visible !important' },
    [`html, body, #root, #root :is(${SHOWN}), #root :has(${SHOWN})`]: {
      height: 'auto !important',
      maxHeight: 'none !important',
      overflow: 'visible !important',
      containerType: 'normal !important',
    },
    [`#root :has(${SHOWN})`]: { display: 'block !important', margin: '0 !important', border: '0 !important' },
    'tr, [role="row"], [data-page]': { breakInside: 'avoid' },
    // Column widths for the screen leave no room for names.
    'th, td': { width: 'auto !important', maxWidth: 'none !important' },
    thead: { display: 'table-header-group' },
    // Virtual lists position their rows themselves, so undo that.
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

/** Converts `{ text: { primary } }` to `--sr-palette-text-primary`. */
function variables(prefix: string, colours: object): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(colours) as [string, unknown][]) {
    if (typeof value === 'object' && value) Object.assign(found, variables(`${prefix}-${name}`, value))
    else found[`${prefix}-${name}`] = String(value)
  }
  return found
}

/** Returns the indices of the printed lines. */
export const printedRange = (count: number): number[] =>
  Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => index)

let printing = false

/** Whether the page is being printed, so that a list has to render more than the visible rows. */
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
