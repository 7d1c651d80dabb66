import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDashboard } from '../../embedded/dashboard.ts'
import { run } from '../run.ts'
import { ROOT } from '../sources.ts'
import { CASES, FAMILIES } from './cases.ts'
import { collect, idsOf } from './collect.ts'
import { attackMatrix } from './matrix.ts'

// `npm run test:attack` runs the tests of all attack cases and prints a table of the results.
// `npm run test:attack -- B K7` selects families and cases. `npm run test:attack -- --matrix` writes
// deploy/attack-matrix.md and runs nothing.

interface Result {
  /** Titles of the test and of each `describe` around it. */
  titles: string[]
  passed: boolean
  /** Number of attempts in one test; a test that does not count them counts as 1. */
  attempts: number
}

if (process.argv.includes('--matrix')) {
  await writeFile(join(ROOT, 'deploy/attack-matrix.md'), attackMatrix())
  process.exit(0)
}

const wanted = process.argv.slice(2)
const cases = CASES.filter(({ id }) => wanted.length === 0 || wanted.some((name) => name === id || name === id[0]))
if (cases.length === 0) {
  console.log(`There is no case named like ${wanted.join(' ')}.`)
  process.exit(1)
}
const ids = cases.map(({ id }) => id)
const filesOf = collect()
const files = [...new Set(ids.flatMap((id) => [...(filesOf.get(id) ?? [])]))]
/** Matches the full name of a test. The name joins several titles, so an id may follow a space. */
const pattern = `(^|[ >])([A-K][0-9]+, ?)*(${ids.join('|')})(, ?[A-K][0-9]+)*: `
const reports = await mkdtemp(join(tmpdir(), 'strongroom-attack-'))
const results = [...(await runVitest()), ...(await runPlaywright())]
await rm(reports, { recursive: true, force: true })
process.exit(printTable() ? 0 : 1)

async function runVitest(): Promise<Result[]> {
  const tests = files.filter((file) => !file.startsWith('e2e/'))
  if (tests.length === 0) return []
  const file = join(reports, 'vitest.json')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const args = ['run', ...reporters, '-t', pattern, ...tests]
  const code = await run({ name: `attacks, in ${tests.length} test files`, program: 'vitest/vitest.mjs', args })
  const report = await readReport<VitestReport>(file)
  if (!report) return [broken('vitest', code)]
  const broke = report.testResults.filter((each) => each.status === 'failed' && each.assertionResults.length === 0)
  return [
    ...broke.map(({ name }) => broken(name, code)),
    ...report.testResults
      .flatMap((each) => each.assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ ancestorTitles, title, status, meta }) => ({
        titles: [...ancestorTitles, title],
        passed: status === 'passed',
        attempts: meta?.attempts ?? 1,
      })),
  ]
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string; meta?: { attempts?: number } }[]
  }[]
}

async function runPlaywright(): Promise<Result[]> {
  const journeys = files.filter((file) => file.startsWith('e2e/'))
  if (journeys.length === 0) return []
  await ensureDashboard((line) => console.log(`\n== ${line}`))
  const file = join(reports, 'playwright.json')
  const code = await run({
    name: `attacks, in ${journeys.length} files of journeys`,
    program: '@playwright/test/cli.js',
    args: ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json', '--grep', pattern, ...journeys],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: '0' },
  })
  const report = await readReport<{ suites: Suite[] }>(file)
  return report ? report.suites.flatMap((suite) => specsOf(suite, [])) : [broken('playwright', code)]
}

interface Suite {
  title: string
  suites?: Suite[]
  specs?: { title: string; ok: boolean }[]
}

function specsOf({ title, suites = [], specs = [] }: Suite, above: string[]): Result[] {
  const titles = [...above, title]
  const own = specs.map((spec) => ({ titles: [...titles, spec.title], passed: spec.ok, attempts: 1 }))
  return [...own, ...suites.flatMap((suite) => specsOf(suite, titles))]
}

/** A runner or a test file without a result counts against every case. */
function broken(name: string, code: number): Result {
  return { titles: [`${name} ended with ${code} and without a result`], passed: false, attempts: 0 }
}

async function readReport<T>(file: string): Promise<T | undefined> {
  return JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) ?? undefined
}

/** @returns whether every case was tried or has a reason not to be, and no test failed */
function printTable(): boolean {
  const rows = cases.map(({ id, what, notAutomated }) => {
    const own = results.filter(({ titles }) => titles.flatMap(idsOf).includes(id))
    const survived = own.filter(({ passed }) => !passed)
    const attempts = own.reduce((sum, each) => sum + each.attempts, 0)
    const isMissing = own.length === 0 && !notAutomated
    const remark = isMissing ? 'NO TEST' : own.length === 0 ? 'not automated' : notAutomated ? 'in part' : ''
    return { id, what, tests: own.length, attempts, refused: own.length - survived.length, survived, isMissing, remark }
  })
  console.log(
    `\n${'id'.padEnd(5)}${'tests'.padStart(6)}${'tried'.padStart(8)}${'refused'.padStart(9)}${'survived'.padStart(10)}  attack`,
  )
  let family = ''
  for (const { id, what, tests, attempts, refused, survived, remark } of rows) {
    if (id[0] !== family) console.log(`\n${id[0]}. ${FAMILIES[(family = id[0] ?? '')]}`)
    const counts = [tests, attempts, refused, survived.length].map((count, at) =>
      String(count).padStart([6, 8, 9, 10][at] ?? 0),
    )
    console.log(`${id.padEnd(5)}${counts.join('')}  ${remark && `[${remark}] `}${what}`)
  }
  const lost = results.filter(({ passed }) => !passed)
  for (const { titles } of lost) console.log(`\nSURVIVED: ${titles.join(' > ')}`)
  const reasons = rows.filter(({ remark }) => remark === 'not automated' || remark === 'in part')
  if (reasons.length > 0) console.log('\nNot automated here:')
  for (const { id } of reasons) console.log(`${id.padEnd(5)}${cases.find((each) => each.id === id)?.notAutomated}`)
  const missing = rows.filter(({ isMissing }) => isMissing)
  const tried = rows.filter(({ tests }) => tests > 0)
  const attempts = rows.reduce((sum, each) => sum + each.attempts, 0)
  console.log(
    `\n${rows.length} cases: ${tried.length} tried in ${results.length} tests (${attempts} attempts), ` +
      `${lost.length} tests failed, ${missing.length} cases without a test${missing.length > 0 ? `: ${missing.map(({ id }) => id).join(' ')}` : ''}`,
  )
  return lost.length === 0 && missing.length === 0
}
