import { type AuditReport, EXCEPTIONS, judgeReport, type Verdict } from './audit-policy.ts'
import { npm } from './npm.ts'
import { readLockfile } from './packages.ts'

// `npm run audit` judges the known vulnerabilities of the locked packages by audit-policy.ts.
// Exit code 1: an advisory fails. 2: the registry gave no report, so nothing is known.

const { output } = await npm('audit', '--json', ...process.argv.slice(2))
const report = readReport(output)
process.exitCode = report ? tell(judgeReport(report, readLockfile())) : 2

function readReport(text: string): AuditReport | undefined {
  try {
    const read = JSON.parse(text) as Partial<AuditReport> & { message?: string }
    if (read.vulnerabilities) return { vulnerabilities: read.vulnerabilities }
    console.log(`NOT AUDITED: the registry's audit endpoint refused: ${read.message}`)
  } catch {
    console.log(`NOT AUDITED: npm printed no report: ${text.slice(0, 500)}`)
  }
  return undefined
}

function tell(verdicts: Verdict[]): number {
  for (const { advisory, package: name, severity, title, shipped, outcome } of verdicts)
    console.log(`${outcome}: ${advisory} ${name} (${severity}, ${shipped ? 'shipped' : 'development'}): ${title}`)
  for (const { advisory } of EXCEPTIONS.filter((each) => !verdicts.some(({ advisory }) => advisory === each.advisory)))
    console.log(`no longer needed: the exception for ${advisory}`)
  const failed = verdicts.filter(({ outcome }) => outcome === 'fails').length
  console.log(`${verdicts.length} advisories, ${failed} failed`)
  return failed > 0 ? 1 : 0
}
