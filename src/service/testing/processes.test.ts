import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { sign } from '../../signing/signature.ts'
import { spawnProcess, type ServiceProcess } from './spawn-process.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createPerson, createWorld, type Person, type World } from './world.ts'

// Two processes of one service on one port, as `npm run service` starts them. Each test chooses the process it calls.

const BURST = 40
/** The service under test has the port of another one, at another address. */
const HOST = '127.0.0.2'
let service: TestService
let world: World
let supervisor: ServiceProcess
let port: number

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  port = Number(new URL(service.url).port)
  const { apiKey, apiSecret, adminToken } = service.config.bootstrap!
  const { config } = service
  supervisor = spawnProcess('../embedded/service/main', config, {
    HOST,
    API_PORT: String(port),
    SERVICE_PROCESSES: '2',
    RATE_LIMIT: `1/min:${BURST}`,
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_API_SECRET: apiSecret,
    BOOTSTRAP_ADMIN_TOKEN: adminToken,
  })
  await supervisor.line(/http/)
  await connectToBoth()
}, 120_000)

afterAll(async () => {
  supervisor.child.kill('SIGKILL')
  await service.close()
})

/** Lists the processes of the service. */
const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === supervisor.child.pid)
    .map(Number)

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

interface Connection {
  /** The process that serves the connection. */
  pid: number
  get(person: Pick<Person, 'credentials'>, path?: string): Promise<{ status: number; headers: IncomingHttpHeaders }>
}

/** Opens a connection, which is kept. */
async function connect(): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { localPort } = await get(agent, '/healthz', {})
  return {
    pid: ownerOf(localPort),
    get: ({ credentials }, path = '/users/me') =>
      get(agent, `/api/v1${path}`, sign(credentials, Math.floor(Date.now() / 1000) + 60)),
  }
}

function get(agent: Agent | undefined, path: string, headers: object) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; localPort: number }>((resolve, reject) => {
    let socket: Socket
    const sent = request({ agent, host: HOST, port, path, headers: { ...headers } }, (reply) => {
      reply.resume().on('error', reject)
      const answer = { status: reply.statusCode ?? 0, headers: reply.headers, localPort: socket.localPort ?? 0 }
      reply.on('end', () => resolve(answer))
    })
    sent
      .on('socket', (used) => (socket = used))
      .on('error', reject)
      .end()
  })
}

/** Finds the process that has the other end of a connection. */
function ownerOf(localPort: number): number {
  const hex = (of: number) => of.toString(16).toUpperCase().padStart(4, '0')
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((each) => each.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(`:${hex(port)}`) && remote?.endsWith(`:${hex(localPort)}`))
  const socket = `socket:[${line?.[9]}]`
  const has = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === socket
      } catch {
        return false
      }
    })
  return processes().find(has) ?? 0
}

/** Opens an event stream in the given process. */
async function follow({ credentials }: Person, path: string, pid: number | undefined): Promise<{ status: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { localPort } = await get(agent, '/healthz', {})
  if (ownerOf(localPort) !== pid) return follow({ credentials } as Person, path, pid)
  return new Promise((resolve, reject) => {
    const headers = { ...sign(credentials, Math.floor(Date.now() / 1000) + 60) }
    request({ agent, host: HOST, port, path: `/api/v1${path}`, headers }, (reply) => {
      reply.resume().on('error', () => {})
      resolve({ status: reply.statusCode ?? 0 })
    })
      .on('error', reject)
      .end()
  })
}

/** Opens a connection to each of the two processes, once both answer. */
async function connectToBoth(): Promise<[Connection, Connection]> {
  const first = await connect()
  for (;;) {
    const second = await connect()
    if (first.pid > 0 && second.pid > 0 && first.pid !== second.pid) return [first, second]
    await sleep(20)
  }
}

test('K37: two processes together give a user no more requests than the limit', async () => {
  const { bob } = world
  const [first, second] = await connectToBoth()
  for (let at = 0; at < BURST / 2; at++) expect((await first.get(bob)).status).toBe(200)
  await sleep(1000)
  const statuses: number[] = []
  while (statuses.at(-1) !== 429) statuses.push((await second.get(bob)).status)
  expect(statuses.length - 1).toBeLessThanOrEqual(BURST / 2)
  expect(statuses.length - 1).toBeGreaterThan(BURST / 4)
  await sleep(1000)
  expect((await first.get(bob)).status).toBe(429)
})

test('K37: what both processes allow at the same moment is owed', async () => {
  const { alice } = world
  const both = await connectToBoth()
  await Promise.all(
    both.map(async (each) => {
      for (let at = 0; at < BURST; at++) await each.get(alice)
    }),
  )
  await sleep(1000)
  for (const each of both) expect((await each.get(alice)).status).toBe(429)
})

test('K37: a user has no more event streams in two processes than in one', async () => {
  const { wendy, workspace_id } = world
  const both = await connectToBoth()
  const path = `/workspaces/${workspace_id}/events`
  let open = 0
  for (let at = 0; at < 14; at++) {
    const pid = both[at % 2]?.pid
    const stream = await follow(wendy, path, pid)
    if (stream.status === 200) open++
    else expect(stream.status).toBe(429)
    await sleep(100)
  }
  expect(open).toBe(12)
})

test('a user who is removed in one process is refused by the other with the very next request', async () => {
  const [first, second] = await connectToBoth()
  const leaver = await createPerson(service, 'leaver')
  expect((await first.get(leaver)).status).toBe(200)
  expect((await second.get(leaver)).status).toBe(200)
  await service.admin.call(api.users.remove, { query: { user: { id: leaver.id } } })
  expect((await second.get(leaver)).status).toBe(401)
  expect((await first.get(leaver)).status).toBe(401)
})

test('J4: when one process is killed under load, a client that retries once sees no failure', async () => {
  const [victim] = await connectToBoth()
  const olivia = service.admin
  let killed = false
  let retried = 0
  const load = async ({ get: ask }: Connection) => {
    for (let after = 0; after < 10; after += killed ? 1 : 0) {
      const { status } = await ask(olivia).catch(async () => {
        retried++
        // The kernel resets the connections of a killed process before it closes the socket that accepts new ones.
        await sleep(100)
        return ask(olivia)
      })
      expect(status).toBe(200)
    }
  }
  // The others may all have the other process.
  const clients = [victim, ...(await Promise.all(Array.from({ length: 5 }, connect)))].map(load)
  await sleep(500)
  process.kill(victim.pid, 'SIGKILL')
  killed = true
  await Promise.all(clients)
  expect(retried).toBeGreaterThan(0)
  await connectToBoth()
})

test('a service that is asked to stop ends all its processes', async () => {
  const pids = processes()
  expect(await supervisor.end('SIGTERM')).toBe(0)
  expect(pids.map((pid) => parentOf(String(pid)))).toEqual([0, 0])
})
