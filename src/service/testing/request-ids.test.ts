import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { sign } from '../../signing/signature.ts'
import { type ServiceProcess, spawnProcess } from './spawn-process.ts'
import { type ProxyProcess, spawnProxy } from './spawn-proxy.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

// A proxy, a service and a worker as processes that log everything they can.

const LOUD = { LOG: 'debug' }
const REDIS_PASSWORD = 'r3d1s-pa55word'
let service: TestService
let world: World
let node: ServiceProcess
let nodeUrl: string
let worker: ServiceProcess
let proxy: ProxyProcess
let cookie: string
let printed = ''

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const { apiKey, apiSecret, adminToken } = service.config.bootstrap!
  node = spawnProcess('main', service.config, {
    ...LOUD,
    // Nothing answers there, so the log says that the store is away.
    RATE_STORE: `redis://user:${REDIS_PASSWORD}@127.0.0.1:1`,
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_API_SECRET: apiSecret,
    BOOTSTRAP_ADMIN_TOKEN: adminToken,
  })
  worker = spawnProcess('worker', service.config, LOUD)
  const [said] = await Promise.all([node.line(/^service: http/), worker.line(/^worker: ready/)])
  nodeUrl = said.slice('service: '.length)
  proxy = await spawnProxy(service, [nodeUrl], {
    ...LOUD,
    DEMO_PEOPLE: world.alice.email,
    TRUSTED_PROXIES: '127.0.0.1,::1',
  })
  for (const { child } of [node, worker, proxy]) child.stdout!.on('data', (text) => (printed += text))
  cookie = await proxy.signIn(world.alice.email)
}, 120_000)

afterAll(async () => {
  for (const { child } of [node, worker, proxy]) child.kill('SIGTERM')
  await once(node.child, 'exit')
  await service.close()
})

const logs = join('logs')
const logOf = (name: string) => readFile(join(service.config.dataDir, logs, `${name}.log`), 'utf8').catch(() => '')
const linesWith = async (name: string, id: string) =>
  (await logOf(name))
    .split('\n')
    .filter((line) => line.includes(id))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** A busy worker puts a job back before it finishes it; each try is a line. */
async function expectJobDone(kind: string, id: string): Promise<void> {
  await expect
    .poll(async () => (await linesWith('worker', id)).at(-1), { timeout: 40_000 })
    .toMatchObject({ request_id: id, kind, outcome: 'done' })
}

const idOf = (reply: Response) => reply.headers.get('x-request-id') ?? ''

test('the id of a request is the same in the proxy, the service and the job that it causes', async () => {
  const { workspace_id } = world
  const target = `/api/v1/files/upload?workspace_id=${workspace_id}&folder_id=0&file_name=plan.bin`
  const upload = await proxy.send('PUT', target, { cookie, body: 'a plan' })
  expect(upload.status).toBe(200)
  await expect.poll(() => printed).toContain(idOf(upload))
  await expect
    .poll(() => linesWith('service', idOf(upload)))
    .toMatchObject([{ request_id: idOf(upload), route: '/api/v1/files/upload', status: 200 }])
  await expectJobDone('ingest', idOf(upload))
})

test('the id of a request leads to the mail that it causes', async () => {
  const { workspace_id, group_id } = world
  const body = JSON.stringify({ workspace_id, email: world.mallory.email, send_email: true })
  const reply = await proxy.send('POST', `/api/v1/groups/${group_id}/memberships`, { cookie, body })
  expect(reply.status).toBeLessThan(300)
  await expectJobDone('mail', idOf(reply))
})

test('an error names the id that its header has', async () => {
  const reply = await proxy.send('GET', `/api/v1/folders/99999?workspace_id=${world.workspace_id}`, { cookie })
  expect(reply.status).toBe(404)
  expect(((await reply.json()) as { error: { request_id: string } }).error.request_id).toBe(idOf(reply))
})

test('a trusted front server may choose the id', async () => {
  const id = 'front-server-4711'
  const reply = await proxy.send('GET', '/api/v1/users/me', { cookie, headers: { 'x-request-id': id } })
  expect(idOf(reply)).toBe(id)
  await expect.poll(() => linesWith('service', id)).toMatchObject([{ request_id: id }])
})

test.each([
  'short',
  'with space in it',
  'quote"and:colon',
  'x'.repeat(65),
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{"level":"fatal"}',
])('K44: the malformed id %j is replaced', async (id) => {
  const reply = await proxy.send('GET', '/api/v1/users/me', { cookie, headers: { 'x-request-id': id } })
  expect(idOf(reply)).toMatch(/^[0-9a-f-]{36}$/)
  for (const name of ['service', 'proxy']) expect(await linesWith(name, id)).toEqual([])
})

test('K44: a client of the service cannot choose the id, even with a forged address', async () => {
  const id = 'c0ffee00-0000-4000-8000-000000000000'
  const { credentials } = world.alice
  const headers = {
    ...sign(credentials, Math.floor(Date.now() / 1000) + 60),
    'x-request-id': id,
    'x-client-address': `127.0.0.1 ${Math.floor(Date.now() / 1000)} ${'0'.repeat(64)}`,
  }
  const reply = await fetch(`${nodeUrl}/api/v1/users/me`, { headers })
  expect(reply.status).toBe(200)
  expect(idOf(reply)).not.toBe(id)
})

test('A11: after a run with every kind of secret, no log has one', async () => {
  const { workspace_id, alice, bob } = world
  const signed = sign(alice.credentials, Math.floor(Date.now() / 1000) + 60)
  await fetch(`${nodeUrl}/api/v1/users/me?token=que5tion-secret`, { headers: { ...signed } })
  await fetch(`${nodeUrl}/api/v1/users/me`, { headers: { ...signed, 'x-api-key': 'wr0ng-key-secret' } })
  await proxy.send('POST', '/auth/code', { body: JSON.stringify({ email: bob.email }) })
  const files = await service.services.db.selectFrom('files').select('id').execute()
  const got = await alice.call(api.files.get, { params: { id: files[0]!.id }, query: { workspace_id } } as never)
  const expiring = JSON.stringify(got).match(/\/content\/([\w-]+)/)?.[1]
  expect(expiring).toBeDefined()
  await proxy.send('GET', `/content/${expiring}`)
  await proxy.send('GET', `/content/${expiring}x?also=que5tion-secret`)
  const outbox = join(service.config.dataDir, 'outbox')
  const readCode = async () => {
    const names = await readdir(outbox).catch(() => [])
    const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
    return mails.join('\n').match(/^ {4}(\d{6})$/m)?.[1]
  }
  await expect.poll(readCode).toBeDefined()
  const code = await readCode()
  const { apiSecret, adminToken } = service.config.bootstrap!
  const secrets = {
    apiSecret,
    adminToken,
    masterKey: service.config.masterKey,
    token: alice.user_token,
    signature: String(
      Object.values(signed)
        .join(' ')
        .match(/[0-9a-f]{64}/)?.[0],
    ),
    cookie: cookie.split('=')[1]!,
    expiring: expiring!,
    code: code!,
    query: 'que5tion-secret',
    key: 'wr0ng-key-secret',
    redis: REDIS_PASSWORD,
    mail: 'invites you to',
  }
  await expect.poll(() => logOf('service')).toContain('RATE_STORE is away')
  const folder = join(service.config.dataDir, logs)
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join('').length).toBeGreaterThan(2000)
  for (const [name, secret] of Object.entries(secrets))
    expect([name, [...texts, printed].some((text) => text.includes(secret))]).toEqual([name, false])
})
