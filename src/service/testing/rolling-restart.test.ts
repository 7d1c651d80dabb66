import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, spawnProcess } from './spawn-process.ts'
import { type ProxyProcess, spawnProxy } from './spawn-proxy.ts'
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
/** As behind a load balancer. */
let proxies: [ProxyProcess, ProxyProcess]
let cookie: string

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  nodes = [await startNode(), await startNode()]
  proxies = [await startProxy(), await startProxy()]
  cookie = await proxies[0].signIn(world.alice.email)
}, 60_000)

afterAll(async () => {
  for (const each of [...proxies, ...nodes]) each.child.kill('SIGKILL')
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

async function startProxy(port = '0'): Promise<ProxyProcess> {
  const urls = nodes.map(({ url }) => url)
  return spawnProxy(service, urls, { ...GRACE, PORT: port, DEMO_PEOPLE: world.alice.email })
}

/** Tries once more through the other proxy, when there was no answer or one that asks to come again. */
async function sendWithRetry(at: number, method: string, path: string, body?: string): Promise<Response> {
  const [first, second] = at % 2 === 0 ? proxies : proxies.toReversed()
  const options = { cookie, ...(body !== undefined && { body }) }
  const reply = await first!.send(method, path, options).catch(() => undefined)
  if (reply && ![502, 503, 504].includes(reply.status)) return reply
  await reply?.body?.cancel()
  return second!.send(method, path, options)
}

test('J4: a rolling restart of all nodes and proxies loses no request of a client that retries once', async () => {
  const { workspace_id } = world
  const names: string[] = []
  const statuses = new Set<number>()
  const over = new AbortController()
  async function load(client: number): Promise<void> {
    for (let at = 0; !over.signal.aborted; at++) {
      const name = `${client}-${at}`
      const write = `/api/v1/files/upload?workspace_id=${workspace_id}&folder_id=0&file_name=${name}.txt`
      const reply = await sendWithRetry(at, 'PUT', write, name)
      statuses.add(reply.status)
      await reply.body?.cancel()
      if (reply.ok) names.push(`${name}.txt`)
      const read = await sendWithRetry(at, 'GET', `/api/v1/groups?workspace_id=${workspace_id}`)
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
  for (const at of [0, 1] as const) {
    const { child, url } = proxies[at]
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    proxies[at] = await startProxy(new URL(url).port)
  }
  over.abort()
  await Promise.all(clients)
  expect([...statuses].filter((status) => status >= 400)).toEqual([])
  const files = await service.services.db.selectFrom('files').select('file_name').execute()
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !files.some((file) => file.file_name === name))).toEqual([])
}, 120_000)
