import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secrets } from './credentials.ts'

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

/** Loaded on demand: the modules are large, and a data folder needs them once. */
type Filling = typeof import('./demo/deal-room.ts')

export const isFilled = async (dataDir: string): Promise<boolean> => (await readState(dataDir)) === 'made'

/** Loads the modules that fill the demo, while the programs start. */
export const prepareDemo = (): Promise<Filling> => import('./demo/deal-room.ts')

/** Fills the first organization with a deal room and its past, or completes an interrupted fill. */
export async function ensureDemo(
  filling: Promise<Filling>,
  { apiUrl, databaseUrl, dataDir, log, signal, ...secrets }: DemoOptions,
): Promise<void> {
  const room = await filling
  log('Making the demo: the deal room "Project Harbour".')
  await room.fillDealRoom({ apiUrl, databaseUrl, secrets, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new Error(`The demo could not be made: ${(error as Error).message}`, { cause: error })
  })
  await writeState(dataDir, 'made')
}
