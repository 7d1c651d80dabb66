import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig as readProxyConfig, SETTINGS as PROXY_SETTINGS } from '../../proxy/config.ts'
import { readConfig as readServiceConfig, SETTINGS as SERVICE_SETTINGS } from '../../service/base/config.ts'
import { MAX_MEMORY, MAX_TEMPORARY } from '../../service/documents/convert/sandbox.ts'
import { MAX_RESIDENT_BYTES } from '../../service/documents/render/limits.ts'
import { ROOT } from '../sources.ts'

const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8')
/** Read by the libraries that connect to the bucket, and by Node. */
const FOREIGN = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_ENV', 'NODE_COMPILE_CACHE']

const PROGRAMS = {
  service: { settings: SERVICE_SETTINGS, readConfig: readServiceConfig },
  worker: { settings: SERVICE_SETTINGS, readConfig: readServiceConfig },
  proxy: { settings: PROXY_SETTINGS, readConfig: readProxyConfig },
}

interface Compose {
  services: Record<string, { command?: [keyof typeof PROGRAMS]; environment?: Record<string, string | number> }>
}

const example = Object.fromEntries(
  read('compose/example.env')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('=', 2)),
) as Record<string, string>
/** What the example tells to generate. */
const generated = (name: string) => 'a1'.repeat(name === 'API_KEY' || name === 'ADMIN_TOKEN' ? 20 : 32)
const filled = read('compose/compose.yaml').replaceAll(
  /\$\{([A-Z_0-9]+)(?::-([^}]*)|:\?)\}/g,
  (_all, name: string, fallback?: string) => fallback ?? (example[name] || generated(name)),
)
const services = Object.entries((parse(filled, { merge: true }) as Compose).services).flatMap(
  ([name, { command, environment }]) =>
    command && command[0] in PROGRAMS ? [{ name, program: command[0], environment: environment ?? {} }] : [],
)

test.each(services)('$name of the compose file has the settings its program reads', ({ program, environment }) => {
  const { settings, readConfig } = PROGRAMS[program]
  const unknown = Object.keys(environment).filter((name) => !settings.includes(name) && !FOREIGN.includes(name))
  expect(unknown).toEqual([])
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  expect(() => readConfig(env)).not.toThrow()
})

test('the compose file starts two nodes of the service, a worker and a proxy', () => {
  expect(services.map(({ program }) => program).toSorted()).toEqual(['proxy', 'service', 'service', 'worker'])
})

test('the chart and the image name only settings that a program reads', () => {
  const chart = [...read('helm/templates/_helpers.tpl').matchAll(/(?:name: |")([A-Z][A-Z_0-9]{3,})(?=[",}\s])/g)]
  const worker = [...read('helm/templates/programs.yaml').matchAll(/name: ([A-Z_]+)/g)]
  const image = [...(/^ENV NODE_ENV.*/m.exec(read('image/Dockerfile'))?.[0] ?? '').matchAll(/([A-Z_]{4,})=/g)]
  const names = [...chart, ...worker, ...image].map(([, name = '']) => name)
  const known = new Set([...SERVICE_SETTINGS, ...PROXY_SETTINGS, ...FOREIGN])
  // The Secret has one name for both programs; the service reads it as BOOTSTRAP_….
  const unknown = names.filter((name) => !known.has(name) && !known.has(`BOOTSTRAP_${name}`))
  expect(names.length).toBeGreaterThan(20)
  expect(unknown).toEqual([])
})

test('the chart and nginx let large uploads and slow replies pass', () => {
  const values = parse(read('helm/values.yaml')) as { ingress: { annotations: Record<string, string> } }
  const ingress = 'nginx.ingress.kubernetes.io'
  expect(values.ingress.annotations).toMatchObject({
    [`${ingress}/proxy-body-size`]: '0',
    [`${ingress}/proxy-request-buffering`]: 'off',
    [`${ingress}/proxy-read-timeout`]: '300',
    [`${ingress}/proxy-send-timeout`]: '300',
  })
  const directives = ['client_max_body_size 0', 'proxy_request_buffering off', 'proxy_read_timeout 300s']
  for (const directive of directives) expect(read('nginx.conf')).toContain(`  ${directive};`)
})

test('the worker is asked whether it still answers', () => {
  const { worker } = (parse(filled, { merge: true }) as Compose).services
  expect(worker).toMatchObject({
    environment: { METRICS_PORT: 9464 },
    healthcheck: { test: ['CMD', 'strongroom', 'alive'], interval: '10s' },
  })
  expect(read('image/entrypoint.sh')).toMatch(/^ {2}alive\) alive ;;$/m)
  const helpers = read('helm/templates/_helpers.tpl')
  const [, probes = ''] = /define "strongroom.workerProbes" -}}([^]*?){{- end }}/.exec(helpers) ?? []
  for (const probe of ['startupProbe', 'livenessProbe'])
    expect(probes).toContain(`${probe}: { httpGet: { path: /healthz, port: metrics }`)
})

test('the worker of the chart has room for the largest document and what draws it', () => {
  const { worker } = parse(read('helm/values.yaml')) as { worker: { resources: { limits: { memory: string } } } }
  const [, gibibytes] = /^(\d+)Gi$/.exec(worker.resources.limits.memory) ?? []
  const oneDocument = MAX_MEMORY + MAX_TEMPORARY + MAX_RESIDENT_BYTES
  expect(Number(gibibytes) * 1024 ** 3).toBeGreaterThan(oneDocument + 1024 ** 3)
})

test('each program of the image is a file of this project', () => {
  const script = read('image/entrypoint.sh')
  const [, together = ''] = /^ *([\w |]+)\) run "src\/embedded\/\$program\/main\.ts"/m.exec(script) ?? []
  const paths = [
    ...[...script.matchAll(/src\/[\w/.-]+\.ts/g)].map(([path]) => path),
    ...together.split(' | ').map((program) => `src/embedded/${program}/main.ts`),
  ]
  expect(paths).toHaveLength(12)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
