import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { ROOT } from '../sources.ts'

/** Runs npm at the root: the npm that runs us, named by `npm_execpath`, or else the npm on the path. */
export async function npm(...args: string[]): Promise<{ code: number; output: string }> {
  const own = process.env['npm_execpath']
  const [program, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []]
  const child = spawn(program, [...first, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>])
  return { code: code ?? 1, output }
}
