import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeFlags } from '../src/embedded/children.ts'

export interface Stack {
  /** The dashboard. */
  url: string
  /** The API service itself. */
  apiUrl: string
  dataDir: string
  /** Key pair of the first organization and the token of its first admin. */
  credentials: { apiKey: string; apiSecret: string; adminToken: string }
  stop(): Promise<void>
}

const START_WITHIN = 180_000
const ROOT = join(import.meta.dirname, '..')

/** Starts Strongroom as `npm start` does, on free ports and with its own data, which `stop` deletes. */
export async function startStack({
  demo = true,
  env = {},
}: { demo?: boolean; env?: NodeJS.ProcessEnv } = {}): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strongroom-e2e-'))
  const [port, apiPort] = [await freePort(), await freePort()]
  const settings = { PORT: String(port), API_PORT: String(apiPort), DATA_DIR: dataDir, DEMO: demo ? 'on' : 'off' }
  const child = spawn(process.execPath, [...nodeFlags(), join(ROOT, 'src/embedded/start.ts')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(child)
    const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Stack['credentials']
    return { url: `http://localhost:${port}`, apiUrl: `http://127.0.0.1:${apiPort}`, dataDir, credentials, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilReady(child: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Strongroom did not start in time:\n${said}`)), START_WITHIN)
    child.once('exit', () => reject(new Error(`Strongroom ended:\n${said}`)))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (!said.includes('Strongroom is ready')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
