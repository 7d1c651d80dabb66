import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildDashboard, run, runAll, STATIC_CHECKS } from './run.ts'
import { ROOT } from './sources.ts'

// `npm test` runs everything. `npm test -- groups` runs the tests with that text in their file name.
// The last line is always `N passed, N failed`.

interface Count {
  passed: number
  failed: number
  /** Title and message of each failed test, as the runner reported it. */
  failures?: string[]
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

interface PlaywrightSuite {
  file: string
  specs: { title: string; ok: boolean; tests: { results: { error?: { message: string } }[] }[] }[]
  suites?: PlaywrightSuite[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: PlaywrightSuite[]
}

const MESSAGE_LINES = 12

const filter = process.argv.slice(2)
const reports = await mkdtemp(join(tmpdir(), 'strongroom-reports-'))
const counts: Count[] = []

if (filter.length === 0) counts.push({ passed: 0, failed: await runAll(STATIC_CHECKS) })
counts.push(await runVitest())
if (await hasJourneys()) counts.push(await runPlaywright())
await rm(reports, { recursive: true, force: true })

const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
if (passed + failed === 0) console.log(`\nNo test file is named like ${filter.join(' ')}.`)
// Repeated at the end, because a truncated log keeps its end.
for (const failure of counts.flatMap((count) => count.failures ?? [])) console.log(`\nFAILED ${failure}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

async function runVitest(): Promise<Count> {
  const file = join(reports, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const args = ['run', '--passWithNoTests', ...reporters, ...filter]
  const code = await run({ name: 'unit and service tests', program: 'vitest/vitest.mjs', args })
  const report = await readReport<VitestReport>(file)
  const failures = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0) return message ? [describeFailure(relative(ROOT, name), message)] : []
    return failed.map((test) => describeFailure(`${relative(ROOT, name)} › ${test.fullName}`, ...test.failureMessages))
  })
  return { ...countOf(code, report?.numPassedTests, report?.numFailedTests), failures }
}

async function runPlaywright(): Promise<Count> {
  const file = join(reports, 'playwright.json')
  if (!(await buildDashboard())) return { passed: 0, failed: 1 }
  const code = await run({
    name: 'journeys in a browser',
    program: '@playwright/test/cli.js',
    args: ['test', '-c', 'e2e/playwright.config.ts', '--pass-with-no-tests', '--reporter=list,json', ...filter],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: '0' },
  })
  const report = await readReport<PlaywrightReport>(file)
  const { expected = 0, flaky = 0, unexpected = 0 } = report?.stats ?? {}
  return { ...countOf(code, expected + flaky, unexpected), failures: (report?.suites ?? []).flatMap(failedJourneys) }
}

function failedJourneys(suite: PlaywrightSuite): string[] {
  const failed = suite.specs.filter(({ ok }) => !ok)
  const messages = failed.map(({ title, tests }) => {
    const errors = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? ''))
    return describeFailure(`e2e/${suite.file} › ${title}`, ...errors)
  })
  return [...messages, ...(suite.suites ?? []).flatMap(failedJourneys)]
}

function describeFailure(title: string, ...messages: string[]): string {
  const lines = stripVTControlCharacters(messages.join('\n')).split('\n')
  return [title, ...lines.slice(0, MESSAGE_LINES).map((line) => `  ${line}`)].join('\n')
}

async function hasJourneys(): Promise<boolean> {
  const files = await readdir(join(ROOT, 'e2e'), { recursive: true })
  return files.some((file) => file.endsWith('.e2e.ts') && filter.every((part) => `e2e/${file}`.includes(part)))
}

/** Counts a runner that fails without a failed test as one failure. */
function countOf(code: number, passed = 0, failed = 0): Count {
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) }
}

async function readReport<T>(file: string): Promise<T | undefined> {
  return JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) ?? undefined
}
