import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { printedRange } from '../../ui/print.ts'

/** Extracts the lines in view and the active line, which the keyboard needs even out of view; for print, all lines. */
export const rangeWith =
  (active: number, isPrinted = false) =>
  (range: Range) => {
    if (isPrinted) return printedRange(range.count)
    const inView = defaultRangeExtractor(range)
    if (active < 0 || active >= range.count || inView.includes(active)) return inView
    return [...inView, active].sort((a, b) => a - b)
  }
