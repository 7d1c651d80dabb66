import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ensureDashboard } from '../embedded/dashboard.ts'
import { ROOT } from './sources.ts'

export interface Step {
  name: string
  /** A JavaScript program below `node_modules`. */
  program: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** Prints output only on failure. */
  quiet?: boolean
}

/** Runs a program with the current Node. @returns its exit code */
export async function run({ name, program, args, env = {}, quiet = false }: Step): Promise<number> {
  const begun = Date.now()
  if (!quiet) console.log(`\n== ${name}`)
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (quiet) console.log(`== ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
  if (quiet && code !== 0) console.log(said.trimEnd())
  return code ?? 1
}

/** Checks that run no product code. */
export const STATIC_CHECKS: Step[] = [
  { name: 'format (npm run format)', program: 'oxfmt/bin/oxfmt', args: ['--check', '.'], quiet: true },
  { name: 'lint', program: 'oxlint/bin/oxlint', args: [], quiet: true },
  {
    name: 'dead code',
    program: 'knip/bin/knip.js',
    args: ['--config', 'src/tools/knip.json', '--no-progress'],
    quiet: true,
  },
  { name: 'types', program: 'typescript/bin/tsc', args: ['-b'], quiet: true },
  {
    name: 'catalogues (npm run messages)',
    program: '@lingui/cli/dist/lingui-check.js',
    args: ['sync', '--clean', '--config', 'src/tools/lingui.config.ts', '--verbose'],
    quiet: true,
  },
]

/** Runs every step, even after a failure. @returns the number of failed steps */
export async function runAll(steps: Step[]): Promise<number> {
  const codes = await Promise.all(steps.map((step) => run(step)))
  return codes.filter((code) => code !== 0).length
}

/** Builds the dashboard unless the last build is current. @returns whether it succeeded */
export async function buildDashboard(): Promise<boolean> {
  try {
    await ensureDashboard((line) => console.log(`== ${line}`))
    return true
  } catch (error) {
    console.log((error as Error).message)
    return false
  }
}
