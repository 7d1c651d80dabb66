import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { ROOT } from '../sources.ts'
import { command } from './commands.ts'

const CHART = 'deploy/helm'
const SOURCES = 'src/tools/deploy/render-chart.go'
/** Types and schemas of Kubernetes' objects. Only this check needs their 30 MB. */
const MODELS = 'kubernetes-models@5.1.0'

const BLOBS = 'blobUrl: s3://content?endpoint=http://s3&region=eu'
const VARIANTS = {
  least: BLOBS,
  all: [
    BLOBS,
    'apiSite: api.example.com',
    'worker: { autoscaling: { enabled: true }, converterSandbox: off, kinds: "mail, convert" }',
    'settings: { CLAMD_URL: "tcp://clamav:3310", MAIL_FROM: "Rooms: <rooms@example.com>", RATE_STORE: null }',
    'networkPolicy: { egress: [{ to: [{ ipBlock: { cidr: 10.0.0.0/8 } }], ports: [{ port: 5432 }] }] }',
    'ingress: { className: nginx, annotations: { example.com/key: "true" } }',
  ].join('\n'),
  bare: [BLOBS, 'metricsPort: 0', 'ingress: { enabled: false }', 'networkPolicy: { enabled: false }'].join('\n'),
}

interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec: { template?: { spec: { containers: { env: { name: string }[] }[] } } }
}

/** Compares the objects of the chart with Kubernetes' types, which refuse unknown properties, and schemas. */
export async function checkChart(folder: string): Promise<void> {
  const renderer = join(folder, 'render-chart')
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'go') }
  await command(['go', 'build', '-o', renderer, SOURCES], go)
  await command(['npm', 'install', '--prefix', folder, '--no-save', '--ignore-scripts', MODELS])
  const objects: KubernetesObject[] = []
  for (const [name, values] of Object.entries(VARIANTS)) {
    const file = join(folder, `${name}.yaml`)
    await writeFile(file, values)
    const rendered = await command([renderer, CHART, 'demo', file])
    objects.push(...parseAllDocuments(rendered).flatMap((each) => each.toJS() ?? []))
  }
  objects.forEach(requireDifferentNames)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const file = join(folder, 'objects.ts')
  await writeFile(file, objects.map(checkOf).join('\n'))
  const strict = '--strict --noEmit --skipLibCheck --module nodenext --target esnext --ignoreConfig'.split(' ')
  await command([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), ...strict, file])
  await command([process.execPath, file])
}

/** Kubernetes takes the last variable of a name, and refuses to merge such lists. */
function requireDifferentNames({ metadata, spec }: KubernetesObject): void {
  const names = spec.template?.spec.containers.flatMap(({ env }) => env.map(({ name }) => name)) ?? []
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new Error(`${metadata.name} has variables twice: ${twice.join(', ')}`)
}

function checkOf(object: KubernetesObject, at: number): string {
  const { apiVersion, kind } = object
  return [
    `import { ${kind} as Kind${at}, type I${kind} as Type${at} } from 'kubernetes-models/${apiVersion}/${kind}'`,
    `const object${at}: Type${at} = ${JSON.stringify(object)}`,
    `new Kind${at}(object${at}).validate()`,
  ].join('\n')
}
