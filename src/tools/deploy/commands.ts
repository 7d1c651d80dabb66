import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ROOT } from '../sources.ts'

const execute = promisify(execFile)

/** Runs a program in the root of the project. @returns its output */
export async function command(line: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [program = '', ...args] = line
  try {
    const options = { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 ** 2 }
    return (await execute(program, args, options)).stdout
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`.slice(-8000), { cause: error })
  }
}
