import type { LockedPackage } from './packages.ts'

/** Least severe first. */
const SEVERITIES = ['info', 'low', 'moderate', 'high', 'critical']

/** The lowest severity that fails the audit. Development tools never see foreign input. */
const FAILS_FROM = { shipped: 'moderate', development: 'high' }

export interface Exception {
  /** `GHSA-…` */
  advisory: string
  reason: string
  /** The last day of the exception, `YYYY-MM-DD`; at most 90 days ahead. */
  expires: string
}

/** Advisories that do not concern Strongroom, or wait for a fix. */
export const EXCEPTIONS: Exception[] = []

/** The part of the output of `npm audit --json` that is read here. */
export interface AuditReport {
  vulnerabilities: Record<string, { name: string; nodes: string[]; via: (string | Advisory)[] }>
}

interface Advisory {
  title: string
  url: string
  severity: string
  range: string
}

export interface Verdict {
  advisory: string
  package: string
  severity: string
  title: string
  shipped: boolean
  outcome: 'fails' | 'excepted' | 'below the limit'
}

export function judgeReport(
  { vulnerabilities }: AuditReport,
  locked: Pick<LockedPackage, 'path' | 'dev'>[],
  { exceptions = EXCEPTIONS, today = new Date() }: { exceptions?: Exception[]; today?: Date } = {},
): Verdict[] {
  const developmentOnly = new Set(locked.filter(({ dev }) => dev).map(({ path }) => path))
  const excepted = new Set(
    exceptions.filter(({ expires }) => today.toISOString().slice(0, 10) <= expires).map(({ advisory }) => advisory),
  )
  return Object.values(vulnerabilities).flatMap(({ name, nodes, via }) => {
    const shipped = nodes.some((path) => !developmentOnly.has(path))
    return via
      .filter((each) => typeof each !== 'string')
      .map(({ title, url, severity }): Verdict => {
        const advisory = url.split('/').at(-1) ?? url
        const outcome = !isSevere(severity, shipped) ? 'below the limit' : excepted.has(advisory) ? 'excepted' : 'fails'
        return { advisory, package: name, severity, title, shipped, outcome }
      })
  })
}

/** An unknown severity counts as the worst. */
function isSevere(severity: string, shipped: boolean): boolean {
  const rank = SEVERITIES.indexOf(severity)
  return rank < 0 || rank >= SEVERITIES.indexOf(shipped ? FAILS_FROM.shipped : FAILS_FROM.development)
}
