import { freePort } from './free-port.ts'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBackup } from '../store/health/backups.ts'
import { createRoom } from './room.ts'
import { type ServiceProcess, spawnProcess } from './spawn-process.ts'
import { type ProxyProcess, spawnProxy } from './spawn-proxy.ts'
import { startTestService, type TestService } from './start-service.ts'
import { ensureInstalled } from './system-packages.ts'
import { createWorld, type World } from './world.ts'

// A service of two processes, a worker and a proxy, with the metrics of each; what Prometheus makes of them.

const HOST = '127.0.0.2'
const DEPLOY = join(import.meta.dirname, '../../../deploy')
const hasPrometheus = await ensureInstalled('prometheus')
let service: TestService
let world: World
let supervisor: ServiceProcess
let worker: ServiceProcess
let proxy: ProxyProcess
let cookie: string
let ports: { service: number; worker: number; proxy: number }

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  ports = { service: await freePort(), worker: await freePort(), proxy: await freePort() }
  const { bootstrap, databaseReplicaUrl } = service.config
  const { apiKey, apiSecret, adminToken } = bootstrap!
  const { port } = new URL(service.url)
  supervisor = spawnProcess('../embedded/service/main', service.config, {
    HOST,
    API_PORT: port,
    SERVICE_PROCESSES: '2',
    METRICS_PORT: String(ports.service),
    ...(databaseReplicaUrl !== undefined && { DATABASE_REPLICA_URL: databaseReplicaUrl }),
    AUTH_FAILURE_LIMIT: '2/h',
    BOOTSTRAP_API_KEY: apiKey,
    BOOTSTRAP_API_SECRET: apiSecret,
    BOOTSTRAP_ADMIN_TOKEN: adminToken,
  })
  worker = spawnProcess('worker', service.config, { METRICS_PORT: String(ports.worker) })
  await Promise.all([supervisor.line(/^service: http/), worker.line(/^worker: ready/)])
  proxy = await spawnProxy(service, [`http://${HOST}:${port}`], {
    METRICS_PORT: String(ports.proxy),
    DEMO_PEOPLE: world.alice.email,
  })
  cookie = await proxy.signIn(world.alice.email)
}, 120_000)

afterAll(async () => {
  for (const { child } of [supervisor, worker, proxy]) child.kill('SIGTERM')
  await once(supervisor.child, 'exit')
  await service.close()
})

const read = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

/** Values of the label in all lines of the metric. */
const labelsOf = (text: string, metric: string, label: string) =>
  new Set(
    [...text.matchAll(new RegExp(`^strongroom_${metric}\\{[^}]*${label}="([^"]*)"`, 'gm'))].map(([, value]) => value),
  )

test('all processes of a service are served together, and told apart', async () => {
  await expect
    .poll(async () => [...labelsOf(await read(ports.service), 'db_connections', 'process')], { timeout: 40_000 })
    .toEqual(expect.arrayContaining(['service', 'service-2']))
})

test('K44: foreign paths, ids and methods add no metrics', async () => {
  const { workspace_id } = world
  await proxy.send('GET', `/api/v1/groups?workspace_id=${workspace_id}`, { cookie })
  const before = (await read(ports.service)).split('\n').length + (await read(ports.proxy)).split('\n').length
  const base = `http://${HOST}:${new URL(service.url).port}`
  for (let at = 0; at < 30; at++) {
    await fetch(`${base}/api/v1/secret-${at}/${at}`, { method: 'POST' })
    await fetch(`${base}/content/secret-${at}`)
    await fetch(`${proxy.url}/secret-${at}`)
    await proxy.send('GET', `/api/v1/folders/${7_654_300 + at}?workspace_id=${at}`, { cookie })
  }
  const texts = [await read(ports.service), await read(ports.proxy)]
  // Each new endpoint and status has some lines.
  expect(texts.join('\n').split('\n').length - before).toBeLessThan(150)
  for (const text of texts) expect(text).not.toMatch(/secret-|"[^"]*76543|127\.0\.0|example\.com/)
  expect([...labelsOf(texts[0]!, 'http_request_duration_seconds_count', 'endpoint')]).toEqual(
    expect.arrayContaining(['groups.list', 'folders.get', 'none']),
  )
})

test('each program tells at its port of metrics that it is alive', async () => {
  for (const port of Object.values(ports)) {
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`)
    expect([reply.status, await reply.text()]).toEqual([200, 'ok\n'])
  }
})

test('K44: the metrics answer on loopback and to GET /metrics alone', async () => {
  const others = [`http://127.0.0.1:${ports.service}/`, `http://127.0.0.1:${ports.service}/metrics/../x`]
  for (const url of others) expect((await fetch(url)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${ports.service}/metrics`, { method: 'POST' })).status).toBe(404)
  await expect(fetch(`http://${HOST}:${ports.service}/metrics`)).rejects.toThrow('fetch failed')
  for (const url of [proxy.url, `http://${HOST}:${new URL(service.url).port}`])
    expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('strongroom_')
})

test.runIf(hasPrometheus)('Prometheus finds every metric of the dashboard and the alerts in a real run', async () => {
  await promisify(execFile)('promtool', ['check', 'rules', join(DEPLOY, 'alerts.yaml')])
  await produceAllMetrics()
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const port = await freePort()
  const targets = Object.values(ports).map((each) => `127.0.0.1:${each}`)
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    scrape_configs: [{ job_name: 'strongroom', static_configs: [{ targets }] }],
    rule_files: [join(DEPLOY, 'alerts.yaml'), join(DEPLOY, 'scaling.yaml')],
  }
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const options = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const prometheus = spawn('prometheus', options, { stdio: 'ignore' })
  try {
    const ask = async (query: string) => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
      return ((await (await fetch(url)).json()) as { data: { result: { value: [number, string] }[] } }).data.result
    }
    const areUp = async () => (await ask('up')).map(({ value }) => value[1])
    await expect.poll(() => areUp().catch(() => []), { timeout: 40_000 }).toEqual(['1', '1', '1'])
    const files = [join(DEPLOY, 'grafana-dashboard.json'), join(DEPLOY, 'alerts.yaml')]
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    const named = new Set(texts.join('\n').match(/\b(strongroom|nodejs|process)_[a-z0-9_]+/g))
    const names = [...named].filter(
      (name) => service.config.databaseReplicaUrl || !name.startsWith('strongroom_replica_'),
    )
    expect(names.length).toBeGreaterThan(20)
    const missing = async () => {
      const found = await Promise.all(names.map(async (name) => ((await ask(name)).length > 0 ? [] : [name])))
      return found.flat()
    }
    await expect.poll(missing, { timeout: 20_000 }).toEqual([])
    // One for each of WORKER_KINDS, of all nodes together.
    await expect.poll(() => ask('strongroom:job_age_seconds:max'), { timeout: 20_000 }).toHaveLength(3)
    expect((await ask('strongroom_sessions')).map(({ value }) => value[1])).toContain('1')
    const dashboard = JSON.parse(texts[0]!) as { panels: { targets: { expr: string }[] }[] }
    for (const { expr } of dashboard.panels.flatMap(({ targets: each }) => each)) await ask(expr)
  } finally {
    prometheus.kill()
    await once(prometheus, 'exit')
    await rm(folder, { recursive: true })
  }
})

/** A refusal, a backup, a job, a drawn page and content that is read. */
async function produceAllMetrics(): Promise<void> {
  const [begun_at, amounts] = [
    new Date().toISOString(),
    { database_bytes: 1, files: 1, bytes: 1, new_bytes: 1, damaged: 0 },
  ]
  const backup = { begun_at, ended_at: begun_at, target: '/backups', failure: null, ...amounts }
  await recordBackup(service.services.db, backup)
  const room = await createRoom(world)
  await proxy.send('GET', '/api/v1/users/0', { cookie })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="9" height="9"/></svg>'
  const reply = await proxy.send(
    'PUT',
    `/api/v1/files/upload?workspace_id=${room.workspace_id}&folder_id=0&file_name=a.svg`,
    {
      cookie,
      body: svg,
      headers: { 'content-type': 'image/svg+xml' },
    },
  )
  expect(reply.status).toBe(200)
  const draws = async () => /step_duration_seconds_count/.test(await read(ports.worker))
  await expect.poll(draws, { timeout: 40_000 }).toBe(true)
}
