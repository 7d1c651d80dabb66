import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../service/base/child-environment.ts'
import { nodeFlags } from './children.ts'
import type { Secrets } from './credentials.ts'
import type { Filled, Wanted } from './demo/main.ts'

export { DEMO_PEOPLE } from './demo/people.ts'

interface DemoOptions extends Secrets {
  apiUrl: string
  databaseUrl: string
  dataDir: string
  log: (line: string) => void
  signal: AbortSignal
}

/** `none` means that the first start was without the demo. */
type DemoState = 'none' | 'begun' | 'made'

const markOf = (dataDir: string) => join(dataDir, 'demo.json')

/**
 * Whether this data folder is a demo. The first start decides for good: one-click sign-in must never become possible
 * for rooms created without it.
 */
export async function isDemo(dataDir: string, wanted: boolean): Promise<boolean> {
  const state = await readState(dataDir)
  if (state === undefined) await writeState(dataDir, wanted ? 'begun' : 'none')
  return wanted && state !== 'none'
}

async function readState(dataDir: string): Promise<DemoState | undefined> {
  const text = await readFile(markOf(dataDir), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as { demo: DemoState }).demo
}

async function writeState(dataDir: string, demo: DemoState): Promise<void> {
  const file = markOf(dataDir)
  await writeFile(`${file}.part`, JSON.stringify({ demo }))
  await rename(`${file}.part`, file)
}

export const isFilled = async (dataDir: string): Promise<boolean> => (await readState(dataDir)) === 'made'

/** Starts the process that fills the demo. It loads its modules while the programs start. */
export function prepareDemo(env: NodeJS.ProcessEnv): ChildProcess {
  const filling = fork(join(import.meta.dirname, 'demo/main.ts'), {
    env: childEnvironment(env),
    execArgv: nodeFlags(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  })
  return filling.on('error', () => {})
}

/** Fills the first organization with a deal room and its past, or completes an interrupted fill. */
export async function ensureDemo(
  filling: ChildProcess,
  { apiUrl, databaseUrl, dataDir, log, signal, ...secrets }: DemoOptions,
): Promise<void> {
  log('Making the demo: the deal room "Project Harbour".')
  const { error } = await filledBy(filling, { apiUrl, databaseUrl, secrets }, signal)
  if (error !== undefined) throw new Error(`The demo could not be made: ${error}`)
  await writeState(dataDir, 'made')
}

async function filledBy(filling: ChildProcess, wanted: Wanted, signal: AbortSignal): Promise<Filled> {
  if (!filling.connected) return { error: 'its process ended.' }
  const told = once(filling, 'message', { signal }).then(([filled]) => filled as Filled)
  const ended = once(filling, 'exit', { signal }).then(() => ({ error: 'its process ended.' }))
  filling.send(wanted, () => {})
  return Promise.race([told, ended])
}
