import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StandInApi, startStandInApi } from './testing/stand-in-api.ts'
import { environment } from './testing/start-proxy.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const MB = 1024 * 1024

let folder: string
let api: StandInApi
let children: ChildProcess[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proxy-main-'))
  api = await startStandInApi(() => new Date())
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await api.close()
  await rm(folder, { recursive: true })
})

interface Started {
  child: ChildProcess
  output: () => string
  exited: Promise<number | null>
}

function start(env: NodeJS.ProcessEnv = {}): Started {
  const child = fork(MAIN, {
    env: {
      PATH: process.env['PATH'],
      ...environment,
      API_URL: api.url,
      PORT: '0',
      DATA_DIR: folder,
      STOP_GRACE: '0',
      ...env,
    },
    silent: true,
  })
  children.push(child)
  let output = ''
  child.stdout!.on('data', (text) => (output += text))
  child.stderr!.on('data', (text) => (output += text))
  return { child, output: () => output, exited: once(child, 'exit').then(([code]) => code as number | null) }
}

async function startListening(env: NodeJS.ProcessEnv = {}): Promise<Started & { url: string }> {
  const started = start(env)
  await expect.poll(started.output, { timeout: 10_000 }).toMatch(/proxy: http/)
  return { ...started, url: /proxy: (http\S+)/.exec(started.output())![1]! }
}

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const { child, exited, url } = await startListening()
    expect((await request(`${url}/healthz`)).statusCode).toBe(200)
    child.kill(signal)
    expect(await exited).toBe(0)
  })

  it('lets a running download finish', async () => {
    const { child, exited, url } = await startListening()
    api.on('GET /content/slow', (_request, reply) => {
      reply.writeHead(200, { 'Content-Length': 8 }).write('half')
      setTimeout(() => reply.end('half'), 500)
    })
    const { body } = await request(`${url}/content/slow`)
    child.kill('SIGTERM')
    expect(await body.text()).toBe('halfhalf')
    expect(await exited).toBe(0)
  })

  it('stops when its parent process is gone', async () => {
    const { child, exited } = await startListening()
    child.disconnect()
    expect(await exited).toBe(0)
  })

  it('reports that the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { exited, output } = start({ PORT: String(port) })
    expect(await exited).toBe(1)
    expect(output()).toBe(`proxy: Port ${port} is already in use. Set PORT to another one.\n`)
    server.close()
  })

  it('does not start without its secrets', async () => {
    const { exited, output } = start({ API_SECRET: '' })
    expect(await exited).toBe(1)
    expect(output()).toBe('proxy: API_SECRET is required.\n')
  })
})

describe('the output', () => {
  it('has one line per request at debug level, without queries, expiring URLs or secrets', async () => {
    const { url, output } = await startListening({ LOG: 'debug', DEMO_PEOPLE: 'alice@rooms.test' })
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const signIn = await request(`${url}/auth/demo`, { method: 'POST', headers, body: '{"email":"alice@rooms.test"}' })
    const cookie = String(signIn.headers['set-cookie']).split(';')[0]!
    await request(`${url}/api/v1/files/search?workspace_id=1&q=secretword`, { headers: { ...headers, cookie } })
    await request(`${url}/content/credential123?x=secretword`)
    await expect.poll(() => output().trim().split('\n').length).toBe(4)
    expect(output()).toMatch(/^GET \/api\/v1\/files\/search 200 [\d.]+ms 127\.0\.0\.1 [0-9a-f-]{36}$/m)
    expect(output()).toMatch(/^GET \/content\/ \d{3} /m)
    const secrets = [
      ...Object.values(environment),
      cookie.split('=')[1]!,
      '2'.repeat(40),
      'Signature',
      'credential',
      'secretword',
      'alice',
    ]
    for (const secret of secrets) expect(output()).not.toContain(secret)
  })

  it('is empty otherwise', async () => {
    const { url, output } = await startListening()
    await request(`${url}/content/credential123`)
    expect(output()).toBe(`proxy: ${url}\n`)
  })
})

describe('memory', () => {
  const residentMb = async (pid: number) =>
    Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024

  it('stays flat during an upload and a download of 200 MB each', async () => {
    const { url, child } = await startListening({ DEMO_PEOPLE: 'alice@rooms.test' })
    const chunk = Buffer.alloc(MB, 'x')
    api.on('PUT /api/v1/files/upload', (request, reply) => request.resume().on('end', () => reply.end('{}')))
    api.on('GET /content/large', (_request, reply) => Readable.from(megabytes(200)).pipe(reply))
    function* megabytes(count: number) {
      for (let n = 0; n < count; n++) yield chunk
    }
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const signIn = await request(`${url}/auth/demo`, { method: 'POST', headers, body: '{"email":"alice@rooms.test"}' })
    const cookie = String(signIn.headers['set-cookie']).split(';')[0]!
    const transfer = async (count: number) => {
      const path = `${url}/api/v1/files/upload?workspace_id=1&folder_id=0&file_name=a`
      const body = Readable.from(megabytes(count))
      await (await request(path, { method: 'PUT', headers: { ...headers, cookie }, body })).body.dump()
      for await (const _ of (await request(`${url}/content/large`)).body);
    }
    await transfer(20)
    const before = await residentMb(child.pid!)
    let peak = before
    const sampling = setInterval(async () => (peak = Math.max(peak, await residentMb(child.pid!))), 50)
    await transfer(200)
    clearInterval(sampling)
    expect(peak - before).toBeLessThan(60)
  })
})
