import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, type Dispatcher, request } from 'undici'
import { startProxy } from '../app.ts'
import { readConfig } from '../config.ts'
import { keys, type StandInApi, startStandInApi } from './stand-in-api.ts'

type Options = Partial<Omit<Dispatcher.RequestOptions, 'headers'>> & {
  headers?: Record<string, string>
  json?: unknown
}

export interface Answer {
  status: number
  headers: Dispatcher.ResponseData['headers']
  text: string
  json: Record<string, never>
}

export interface TestProxy {
  url: string
  host: string
  api: StandInApi
  folder: string
  clock: { now: number }
  /** Sends a request as a page of our own does. */
  send(method: string, path: string, options?: Options): Promise<Answer>
  /** The same, with the reply's body still unread. */
  open(method: string, path: string, options?: Options): Promise<Dispatcher.ResponseData>
  /** Signs in on the demo. @returns the Cookie header */
  signIn(email?: string): Promise<{ cookie: string }>
  /** Requests a code. @returns the Cookie header of the requesting browser */
  askCode(email: string): Promise<Answer & { cookie: string }>
  /** The code in the newest mail to the address. */
  codeFor(email: string): Promise<string | undefined>
  mails(): Promise<string[]>
  /** All bytes that a raw connection receives until it is closed. */
  raw(text: string): Promise<string>
  connect(): Socket
  close(): Promise<void>
}

export const environment = {
  API_KEY: keys.key,
  API_SECRET: keys.secret,
  ADMIN_TOKEN: '1'.repeat(40),
  MASTER_KEY: 'ab'.repeat(32),
}

/** A proxy on a free port in front of a stand-in API, with a built dashboard of three files. */
export async function startTestProxy(env: NodeJS.ProcessEnv = {}): Promise<TestProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'))
  const clock = { now: Date.now() }
  const api = await startStandInApi(() => new Date(clock.now))
  await buildDashboard(join(folder, 'dist'))
  const config = readConfig({
    ...environment,
    PORT: '0',
    API_URL: api.url,
    DATA_DIR: folder,
    DIST_DIR: join(folder, 'dist'),
    DEMO_PEOPLE: 'alice@rooms.test, bob@rooms.test',
    DEMO_ROLES: 'Seller – runs the room',
    ...env,
  })
  const proxy = await startProxy(config, () => new Date(clock.now))
  const { port } = new URL(proxy.url)
  const agent = new Agent({ keepAliveTimeout: 1000 })

  const open: TestProxy['open'] = (method, path, { json, headers, ...options } = {}) =>
    request(proxy.url + path, {
      method: method as Dispatcher.HttpMethod,
      dispatcher: agent,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...options,
    })
  const send: TestProxy['send'] = async (method, path, options) => {
    const { statusCode, headers, body } = await open(method, path, options)
    const text = await body.text()
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status: statusCode, headers, text, json: isJson && text ? JSON.parse(text) : {} }
  }
  const mails = async () => {
    const outbox = join(folder, 'outbox')
    const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
    return Promise.all(names.sort().map((name) => readFile(join(outbox, name), 'utf8')))
  }

  return {
    url: proxy.url,
    host: `127.0.0.1:${port}`,
    api,
    folder,
    clock,
    open,
    send,
    mails,
    async signIn(email = 'alice@rooms.test') {
      const { headers } = await send('POST', '/auth/demo', { json: { email } })
      return { cookie: String([headers['set-cookie']].flat()[0]).split(';')[0]! }
    },
    async askCode(email) {
      const answer = await send('POST', '/auth/code', { json: { email } })
      return { ...answer, cookie: String(answer.headers['set-cookie']).split(';')[0]! }
    },
    async codeFor(email) {
      const newest = (await mails()).findLast((mail) => mail.includes(`To: ${email}`))
      return newest?.match(/^ {4}(\d{6})$/m)?.[1]
    },
    raw: (text) => exchangeRaw(Number(port), text),
    connect: () => connect(Number(port), '127.0.0.1'),
    async close() {
      await agent.destroy()
      await proxy.close()
      await api.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function exchangeRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(8000, () => socket.destroy())
  socket.write(text, 'latin1')
  let answer = ''
  try {
    for await (const chunk of socket) answer += (chunk as Buffer).toString('latin1')
  } catch {
    // The proxy reset the connection; the bytes before the reset count.
  }
  return answer
}

async function buildDashboard(dist: string): Promise<void> {
  await mkdir(join(dist, 'assets'), { recursive: true })
  await mkdir(join(dist, '.vite'))
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Strongroom</title>')
  await writeFile(join(dist, 'assets', 'main-1a2b3c4d.js'), 'console.log("plain")')
  await writeFile(join(dist, 'assets', 'main-1a2b3c4d.js.br'), 'brotli bytes')
  await writeFile(join(dist, '.vite', 'manifest.json'), '{}')
}
