import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, spawnProcess } from './spawn-process.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

// Two nodes of the service behind a real proxy, each restarted in turn while clients read and write.

const GRACE = { STOP_GRACE: '1.5', STOP_WITHIN: '20' }
let service: TestService
let world: World
interface Node extends ServiceProcess {
  url: string
}

let nodes: [Node, Node]
let proxy: ChildProcess
let proxyUrl = 'http://localhost:0'
let cookie: string

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  nodes = [await startNode(), await startNode()]
  proxy = await startProxy()
  cookie = await signIn()
}, 60_000)

afterAll(async () => {
  for (const child of [proxy, ...nodes.map((node) => node.child)]) child.kill('SIGKILL')
  await service.close()
})

async function startNode(port = '0'): Promise<Node> {
  const { apiKey, apiSecret, adminToken } = service.config.bootstrap!
  const node = spawnProcess('main', service.config, {
    ...GRACE,
    API_PORT: port,
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_API_SECRET: apiSecret,
    BOOTSTRAP_ADMIN_TOKEN: adminToken,
  })
  const said = await node.line(/^service: http/)
  return { ...node, url: said.slice('service: '.length) }
}

async function startProxy(): Promise<ChildProcess> {
  const { apiKey, apiSecret, adminToken } = service.config.bootstrap!
  const child = fork(join(import.meta.dirname, '../../proxy/main.ts'), {
    env: {
      ...GRACE,
      PORT: new URL(proxyUrl).port || '0',
      API_URL: nodes.map(({ url }) => url).join(','),
      API_KEY: apiKey,
      API_SECRET: apiSecret,
      ADMIN_TOKEN: adminToken,
      MASTER_KEY: service.config.masterKey,
      DATA_DIR: service.config.dataDir,
      DEMO_PEOPLE: world.alice.email,
    },
    silent: true,
  })
  const [said] = (await once(child.stdout!, 'data')) as [Buffer]
  proxyUrl = `http://localhost:${new URL(String(said).slice('proxy: '.length).trim()).port}`
  return child
}

async function signIn(): Promise<string> {
  const reply = await send('POST', '/auth/demo', JSON.stringify({ email: world.alice.email }))
  return String(reply.headers.get('set-cookie')).split(';')[0]!
}

const send = (method: string, path: string, body?: string) =>
  fetch(proxyUrl + path, {
    method,
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie: cookie ?? '' },
    ...(body !== undefined && { body }),
  })

/** Tries once more, as a browser does, when there was no answer or one that asks to come again. */
async function sendWithRetry(method: string, path: string, body?: string): Promise<Response> {
  const first = await send(method, path, body).catch(() => undefined)
  if (first && ![502, 503, 504].includes(first.status)) return first
  await first?.body?.cancel()
  await sleep(1000)
  return send(method, path, body)
}

test('J4: a rolling restart of all nodes and the proxy loses no request of a client that retries once', async () => {
  const { workspace_id } = world
  const names: string[] = []
  const statuses = new Set<number>()
  const over = new AbortController()
  async function load(client: number): Promise<void> {
    for (let at = 0; !over.signal.aborted; at++) {
      const name = `${client}-${at}`
      const write = `/api/v1/files/upload?workspace_id=${workspace_id}&folder_id=0&file_name=${name}.txt`
      const reply = await sendWithRetry('PUT', write, name)
      statuses.add(reply.status)
      await reply.body?.cancel()
      if (reply.ok) names.push(`${name}.txt`)
      const read = await sendWithRetry('GET', `/api/v1/groups?workspace_id=${workspace_id}`)
      statuses.add(read.status)
      await read.body?.cancel()
      await sleep(20)
    }
  }
  const clients = [1, 2, 3].map(load)
  for (const at of [0, 1] as const) {
    expect(await nodes[at].end('SIGTERM')).toBe(0)
    nodes[at] = await startNode(new URL(nodes[at].url).port)
    await sleep(1500)
  }
  const ended = once(proxy, 'exit')
  proxy.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  proxy = await startProxy()
  await sleep(500)
  over.abort()
  await Promise.all(clients)
  expect([...statuses].filter((status) => status >= 400)).toEqual([])
  const files = await service.services.db.selectFrom('files').select('file_name').execute()
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !files.some((file) => file.file_name === name))).toEqual([])
}, 120_000)
