import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { type AuditReport, type Exception, EXCEPTIONS, judgeReport } from './audit-policy.ts'
import { npm } from './npm.ts'

const DAY = 86_400_000
const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

/** Starts a registry without packages whose audit endpoint returns these advisories. */
async function registryWith(advisories: object, status = 200): Promise<string> {
  const server = createServer((request, reply) => {
    const isAudit = request.url?.endsWith('/advisories/bulk')
    reply.writeHead(isAudit ? status : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(isAudit ? advisories : {}))
  }).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  return `--registry=http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'A sample',
  severity,
  vulnerable_versions: '*',
})

test('the audit fails on an advisory about a shipped package', async () => {
  const registry = await registryWith({ sirv: [advisory('moderate')] })
  const { code, output } = await npm('run', '-s', 'audit', '--', registry)
  expect(output).toContain('fails: GHSA-aaaa-bbbb-cccc sirv (moderate, shipped): A sample')
  expect(code).toBe(1)
})

test('the audit passes when the registry has no advisories', async () => {
  const { code, output } = await npm('run', '-s', 'audit', '--', await registryWith({}))
  expect(output).toContain('0 advisories, 0 failed')
  expect(code).toBe(0)
})

test('a registry that refuses the audit is told apart from one without advisories', async () => {
  const { code, output } = await npm('run', '-s', 'audit', '--', await registryWith({}, 405))
  expect(output).toContain('NOT AUDITED')
  expect(code).toBe(2)
})

const LOCKED = [{ path: 'node_modules/shipped' }, { path: 'node_modules/tool', dev: true }]
const reportOf = (name: string, severity: string): AuditReport => ({
  vulnerabilities: {
    [name]: { name, nodes: [`node_modules/${name}`], via: ['another', { ...advisory(severity), range: '*' }] },
  },
})
const outcomeOf = (name: string, severity: string, exceptions: Exception[] = []) =>
  judgeReport(reportOf(name, severity), LOCKED, { exceptions, today: new Date('2026-06-01') })[0]?.outcome

test.each([
  ['shipped', 'low', 'below the limit'],
  ['shipped', 'moderate', 'fails'],
  ['tool', 'moderate', 'below the limit'],
  ['tool', 'high', 'fails'],
  ['tool', 'a severity unknown today', 'fails'],
])('an advisory about a %s package, %s: %s', (name, severity, outcome) => {
  expect(outcomeOf(name, severity)).toBe(outcome)
})

test.each([
  ['2026-06-01', 'excepted'],
  ['2026-05-31', 'fails'],
])('an exception that expires on %s, judged on 1 June: %s', (expires, outcome) => {
  const exception = { advisory: 'GHSA-aaaa-bbbb-cccc', reason: 'never called', expires }
  expect(outcomeOf('shipped', 'critical', [exception])).toBe(outcome)
})

test('every exception has a reason and ends within 90 days', () => {
  for (const { reason, expires } of EXCEPTIONS) {
    expect(reason.length).toBeGreaterThan(20)
    expect(expires).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 90 * DAY)
  }
})
