import { useSyncExternalStore } from 'react'

/** Class of elements that are not printed; public/print.css hides them. */
export const UNPRINTED = 'unprinted'

/** Maximum number of printed lines of a long list. */
const MOST_PRINTED = 2000

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
