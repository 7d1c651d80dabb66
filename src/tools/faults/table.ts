import type { Outcome } from './campaign.ts'

/** Formats the outcome: a row for each kind of fault, and the verdict. */
export function tableOf(outcome: Outcome): string {
  const kinds = Map.groupBy(outcome.cycles, ({ fault }) => fault)
  const rows = [...kinds].map(([fault, cycles]) => {
    const times = cycles.map(({ recoveryMs }) => recoveryMs / 1000).toSorted((a, b) => a - b)
    const middle = times[Math.floor((times.length - 1) / 2)] ?? 0
    return [fault, String(cycles.length), middle.toFixed(1), (times.at(-1) ?? 0).toFixed(1)]
  })
  const table = [['fault', 'cycles', 'recovery p50, s', 'max, s'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const lines = table.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const { acknowledged, unanswered, refused, lost, doubled, corrupt, orphans, records, untried } = outcome
  return [
    ...lines,
    '',
    `${acknowledged} acts acknowledged, ${unanswered} without an answer, ${refused} refused; ${records} audit records verified`,
    `${lost.length} lost, ${doubled.length} doubled, ${corrupt.length} corrupt, ${orphans.length} processes left over`,
    ...(untried.length > 0 ? [`not tried on this machine: ${untried.join(', ')}`] : []),
  ].join('\n')
}
