import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment } from '../../../service/base/child-environment.ts'
import { COMPILED } from '../../../service/testing/spawn-process.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

export interface Ended {
  code: number
  output: string
  errors: string
}

/** Runs a command of package.json as `npm run <name> -- <args>` does, with these variables and no others. */
export function runCommand(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const [program = '', ...rest] = (scripts[name] ?? '').split(' ')
  const variables = childEnvironment({ ...COMPILED, PATH: process.env['PATH'], ...env })
  return new Promise((resolve) => {
    execFile(program, [...rest, ...args], { cwd: ROOT, env: variables }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output, errors }),
    )
  })
}
