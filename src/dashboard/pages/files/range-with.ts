import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** The lines in view, and the active one wherever it is: the keyboard must have somewhere to be. */
export const rangeWith = (active: number) => (range: Range) => {
  const inView = defaultRangeExtractor(range)
  if (active < 0 || active >= range.count || inView.includes(active)) return inView
  return [...inView, active].sort((a, b) => a - b)
}
