import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { printedRange } from '../../ui/print.ts'

/** The lines in view, and the active one wherever it is: the keyboard must have somewhere to be. On paper all. */
export const rangeWith =
  (active: number, isPrinted = false) =>
  (range: Range) => {
    if (isPrinted) return printedRange(range.count)
    const inView = defaultRangeExtractor(range)
    if (active < 0 || active >= range.count || inView.includes(active)) return inView
    return [...inView, active].sort((a, b) => a - b)
  }
