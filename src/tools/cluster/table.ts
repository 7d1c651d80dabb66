import type { Outcome, Row } from './campaign.ts'
import { countedKinds } from './failures.ts'

const HEAD = ['fault', 'ended at, s', 'recovery, s', 'at most, s', 'acts', 'lost', 'doubled', 'errors that callers saw']

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
    ...lines,
    '',
    `${acknowledged} acts acknowledged, ${unanswered} without an answer, ${refused} refused; ${records} audit records verified`,
    `${outcome.rows.length} faults; ${lost.length} acts lost, ${doubled.length} doubled, ${corrupt.length} corrupt, ${violations.length} other violations`,
  ].join('\n')
}

function cellsOf({ fault, at, errors, recovery, within, acts, messages }: Row, { lost, doubled }: Outcome): string[] {
  const ofTheseActs = (findings: readonly string[]) =>
    String(findings.filter((finding) => messages.has(finding.replace(/: \d+ (of|instead of) .*/, ''))).length)
  const times = [at.toFixed(0), recovery.toFixed(1), String(within)]
  return [fault, ...times, String(acts), ofTheseActs(lost), ofTheseActs(doubled), countedKinds(errors)]
}
