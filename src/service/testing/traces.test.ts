import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sign } from '../../signing/signature.ts'
import { startCollector, type Collector, type ReceivedSpan } from '../../wire/testing/collector.ts'
import { type ServiceProcess, spawnProcess } from './spawn-process.ts'
import { type ProxyProcess, spawnProxy } from './spawn-proxy.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

// A proxy, a service and a worker as processes, and a server that receives their traces.

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const FOREIGN = `00-${TRACE}-b7ad6b7169203331-01`
let service: TestService
let world: World
let collector: Collector
let node: ServiceProcess
let nodeUrl: string
let worker: ServiceProcess
let proxy: ProxyProcess
let cookie: string

beforeAll(async () => {
  collector = await startCollector()
  service = await startTestService()
  world = await createWorld(service)
  const { apiKey, apiSecret, adminToken } = service.config.bootstrap!
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=c0llector-secret',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  }
  node = spawnProcess('main', service.config, {
    ...traced,
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_API_SECRET: apiSecret,
    BOOTSTRAP_ADMIN_TOKEN: adminToken,
  })
  worker = spawnProcess('worker', service.config, { ...traced, OTEL_SERVICE_NAME: 'converters' })
  const [said] = await Promise.all([node.line(/^service: http/), worker.line(/^worker: ready/)])
  nodeUrl = said.slice('service: '.length)
  proxy = await spawnProxy(service, [nodeUrl], {
    ...traced,
    DEMO_PEOPLE: world.alice.email,
    TRUSTED_PROXIES: '127.0.0.1,::1',
  })
  cookie = await proxy.signIn(world.alice.email)
}, 120_000)

afterAll(async () => {
  for (const { child } of [node, worker, proxy]) child?.kill('SIGTERM')
  if (node && node.child.exitCode === null) await once(node.child, 'exit')
  await service?.close()
  await collector?.close()
})

const idOf = (reply: Response) => reply.headers.get('x-request-id') ?? ''

/** The spans of the trace that has the request's span, as soon as `isComplete` says so. */
async function traceOf(requestId: string, isComplete: (trace: ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> {
  const find = () => {
    const first = collector.spans.find(({ attributes }) => attributes['strongroom.request_id'] === requestId)
    return collector.spans.filter(({ traceId }) => traceId === first?.traceId)
  }
  // `expect.poll` would ask which test runs, and several do.
  await vi.waitFor(() => expect(isComplete(find())).toBe(true), { timeout: 40_000, interval: 50 })
  return find()
}

const isFrom = (program: string) => (span: ReceivedSpan) => span.resource['strongroom.process'] === program

// A program sends its spans every five seconds.
describe.concurrent('while they run', () => {
  test('an upload is one trace from the proxy through the service and its statements to the job', async () => {
    const { workspace_id } = world
    const target = `/api/v1/files/upload?workspace_id=${workspace_id}&folder_id=0&file_name=merger-plan.bin`
    const upload = await proxy.send('PUT', target, { cookie, body: 'a plan' })
    expect(upload.status).toBe(200)
    const trace = await traceOf(
      idOf(upload),
      (spans) =>
        spans.some(({ name }) => name === 'job ingest') &&
        spans.some(({ name }) => name === 'PUT /api/') &&
        spans.some(({ name }) => name === 'PUT /api/v1/files/upload'),
    )
    const ids = new Map(trace.map((span) => [span.spanId, span]))
    const parentOf = ({ parentSpanId }: ReceivedSpan) => ids.get(parentSpanId)
    const roots = trace.filter((span) => !parentOf(span))
    expect(roots.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([['PUT /api/', '']])

    const atService = trace.find(({ name }) => name === 'PUT /api/v1/files/upload')!
    expect(parentOf(atService)).toMatchObject({ name: 'service', parentSpanId: roots[0]!.spanId })
    expect(atService).toMatchObject({
      resource: { 'service.name': 'strongroom-service', 'deployment.environment': 'test' },
      attributes: { 'http.response.status_code': 200, 'http.route': '/api/v1/files/upload' },
    })
    const job = trace.find(({ name }) => name === 'job ingest')!
    expect(parentOf(job)).toBe(atService)
    expect(job.resource['service.name']).toBe('converters')
    expect(job.attributes['strongroom.request_id']).toBe(idOf(upload))

    const statements = trace.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(statements.filter(isFrom('service')).map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^insert files/),
    )
    expect(statements.filter(isFrom('worker')).length).toBeGreaterThan(0)
  })

  test('the time of a request covers the time of its statements', async () => {
    const reply = await proxy.send('GET', `/api/v1/folders?workspace_id=${world.workspace_id}`, { cookie })
    const trace = await traceOf(idOf(reply), (spans) => spans.some(({ name }) => name === 'GET /api/'))
    const root = trace.find(({ name }) => name === 'GET /api/')!
    for (const span of trace) {
      expect(span.start).toBeGreaterThanOrEqual(root.start - 5)
      expect(span.end).toBeGreaterThanOrEqual(span.start)
    }
  })

  test('K50: a browser cannot choose its trace, or force that it is kept', async () => {
    const reply = await proxy.send('GET', '/api/v1/users/me', {
      cookie,
      headers: { traceparent: FOREIGN, tracestate: 'a=b' },
    })
    const trace = await traceOf(idOf(reply), (spans) => spans.some(isFrom('service')) && spans.some(isFrom('proxy')))
    expect(trace[0]!.traceId).not.toBe(TRACE)
  })

  test('K50: a client of the service cannot choose its trace', async () => {
    const headers = { ...sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60), traceparent: FOREIGN }
    const reply = await fetch(`${nodeUrl}/api/v1/users/me`, { headers })
    const [span] = await traceOf(idOf(reply), (spans) => spans.some(isFrom('service')))
    expect(span!.traceId).not.toBe(TRACE)
  })

  test('probes and event streams make no spans', async () => {
    await fetch(`${proxy.url}/readyz`)
    const gone = new AbortController()
    const stream = await fetch(`${proxy.url}/api/v1/workspaces/${world.workspace_id}/events`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      signal: gone.signal,
    })
    const trace = await traceOf(idOf(stream), (spans) => spans.some(({ name }) => name === 'GET /api/'))
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(trace.filter(isFrom('service'))).toEqual([])
    gone.abort()
    expect(collector.spans.filter(({ name }) => /readyz|healthz/.test(name))).toEqual([])
  })
})

test('A11: after a stop, all spans have arrived, and none has a secret, a name, a query or an address of a user', async () => {
  const { alice } = world
  const signed = sign(alice.credentials, Math.floor(Date.now() / 1000) + 60)
  await fetch(`${nodeUrl}/api/v1/users/me?token=que5tion-secret`, { headers: { ...signed } })
  await proxy.send('GET', `/content/c0ntent-token?also=que5tion-secret`)
  await proxy.send('POST', '/auth/code', { body: JSON.stringify({ email: world.bob.email }) })
  const invited = JSON.stringify({ workspace_id: world.workspace_id, email: world.mallory.email, send_email: true })
  const last = await proxy.send('POST', `/api/v1/groups/${world.group_id}/memberships`, { cookie, body: invited })
  const ended = [proxy.child, node.child, worker.child].map((child) => once(child, 'exit'))
  for (const { child } of [proxy, node, worker]) child.kill('SIGTERM')
  await Promise.all(ended)
  const trace = await traceOf(idOf(last), (spans) => spans.some(isFrom('service')))
  expect(trace.filter(isFrom('proxy')).length).toBeGreaterThan(0)
  expect(collector.authorizations).toEqual(new Set(['c0llector-secret']))
  const { apiSecret, adminToken, apiKey } = service.config.bootstrap!
  const forbidden = {
    apiSecret,
    adminToken,
    apiKey,
    masterKey: service.config.masterKey,
    token: alice.user_token,
    signature: String(/[0-9a-f]{64}/.exec(Object.values(signed).join(' '))?.[0]),
    cookie: cookie.split('=')[1]!,
    query: 'que5tion-secret',
    expiring: 'c0ntent-token',
    fileName: 'merger-plan',
    emailOfAlice: alice.email,
    emailOfBob: world.bob.email,
    emailOfMallory: world.mallory.email,
    collector: 'c0llector-secret',
  }
  const all = JSON.stringify(collector.spans)
  expect(all.length).toBeGreaterThan(5000)
  for (const [name, secret] of Object.entries(forbidden)) expect([name, all.includes(secret)]).toEqual([name, false])
})
