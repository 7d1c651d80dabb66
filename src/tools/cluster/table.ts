import { cpus } from 'node:os'
import type { Findings } from '../faults/check.ts'
import { countedKinds } from './failures.ts'
import { type Recovery, WAYS } from './recovery.ts'

export interface Row {
  fault: string
  /** Seconds since the campaign began. */
  at: number
  /** Kind of error -> how many callers saw it. */
  errors: Map<string, number>
  /** Undefined if the fault did not strike. */
  recovery: Recovery | undefined
  /** Seconds. */
  within: number
  /** Number of transfers and jobs that were under way when the fault struck. */
  underWay: number
  acts: number
  /** Acts a second. */
  rate: number
  /** Processes that ran or waited for a core, averaged over a minute. */
  load: number
  /** Messages of the acts of this time. */
  messages: Set<string>
}

export interface Outcome extends Findings {
  rows: Row[]
  acknowledged: number
  unanswered: number
  refused: number
  violations: string[]
}

const HEAD = [
  'fault',
  'ended at, s',
  ...WAYS.map((way) => `${way}, s`),
  'at most, s',
  'under way',
  'acts',
  'acts/s',
  'load',
  'lost',
  'doubled',
  'errors that callers saw',
]

/** Formats a row for each fault, and the verdict. */
export function tableOf(outcome: Outcome): string {
  const rows = [HEAD, ...outcome.rows.map((row) => cellsOf(row, outcome))]
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const { acknowledged, unanswered, refused, records, lost, doubled, corrupt, violations } = outcome
  return [
    `Seconds until callers were served again, with signed requests, with a session behind a proxy, and by a worker that builds a zip;`,
    `of a fault that ends by itself, from its end on. ${cpus().length} cores.`,
    '',
    ...lines,
    '',
    `${acknowledged} acts acknowledged, ${unanswered} without an answer, ${refused} refused; ${records} audit records verified`,
    `${outcome.rows.length} rows; ${lost.length} acts lost, ${doubled.length} doubled, ${corrupt.length} corrupt, ${violations.length} other violations`,
  ].join('\n')
}

/** Formats a row while the campaign runs. */
export const lineOf = ({ fault, recovery, underWay, acts, load }: Row): string =>
  `${fault}: ${timesOf(recovery).join(' / ')} s, ${underWay} under way, ${acts} acts, load ${load.toFixed(1)}`

function cellsOf(row: Row, { lost, doubled }: Outcome): string[] {
  const { fault, at, errors, recovery, within, underWay, acts, rate, load, messages } = row
  const ofTheseActs = (findings: readonly string[]) =>
    String(findings.filter((finding) => messages.has(finding.replace(/: \d+ (of|instead of) .*/, ''))).length)
  const counts = [within, underWay, acts, rate.toFixed(1), load.toFixed(1)].map(String)
  const found = [ofTheseActs(lost), ofTheseActs(doubled), countedKinds(errors)]
  return [fault, at.toFixed(0), ...timesOf(recovery), ...counts, ...found]
}

const timesOf = (recovery: Recovery | undefined): string[] =>
  WAYS.map((way) => {
    const ms = recovery?.[way]
    if (ms === undefined) return 'not struck'
    return ms === Infinity ? 'never' : (ms / 1000).toFixed(1)
  })
