import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Swift {
  /** `http://127.0.0.1:port`, which speaks S3 and verifies signatures. */
  endpoint: string
  bucket: string
  accessKey: string
  secretKey: string
  /** Limits the bytes of the bucket; undefined lifts the limit. */
  limitBytes(bytes: number | undefined): Promise<void>
  stop(): Promise<void>
}

const REGION = 'us-east-1'
const BUCKET = 'strongroom'
const USER = 'strongroom:tester'
const START_MS = 120_000

/** Each server reads swift.conf from `/etc/swift` unless it is told otherwise before anything else. */
const SERVER = `
import sys
from swift.common import utils
folder, conf, name = sys.argv[1:4]
utils.SWIFT_CONF_FILE = folder + '/swift.conf'
utils.validate_configuration()
from swift.common.wsgi import run_wsgi
options = {'verbose': False, 'once': False}
if name == 'object-server':
    from swift.obj import server
    options['global_conf_callback'] = server.global_conf_callback
sys.exit(run_wsgi(conf, name, **options))
`

const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for name, port in zip(('account', 'container', 'object'), sys.argv[2:5]):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(folder + '/' + name + '.ring.gz')
`

interface Ports {
  proxy: number
  account: number
  container: number
  object: number
  memcached: number
}

/**
 * Starts OpenStack Swift with its S3 interface and one bucket, on free ports of the loopback interface. Needs
 * `ensureInstalled('swift')`. @param keep a folder that outlives the stop; by default a new one that the stop removes
 * @param port a fixed port of the S3 interface
 */
export async function startSwift({ keep, port }: { keep?: string; port?: number } = {}): Promise<Swift> {
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'swift-')))
  const ports = await findPorts(port)
  const accessKey = USER
  const secretKey = await prepare(folder, ports)
  const children = [
    spawn('/usr/bin/memcached', [
      '-l',
      '127.0.0.1',
      '-p',
      String(ports.memcached),
      '-m',
      '16',
      '-u',
      userInfo().username,
    ]),
    ...(['account', 'container', 'object', 'proxy'] as const).map((name) => startServer(folder, `${name}-server`)),
  ]
  const stop = async () => {
    await Promise.all(children.map(end))
    if (keep === undefined) await rm(folder, { recursive: true, force: true })
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  try {
    // A proxy that meets errors of a storage server leaves it alone for a minute.
    const { memcached: _cache, ...servers } = ports
    await Promise.all(Object.values(servers).map((each) => untilAnswering(each, children)))
    await createBucket({ endpoint, accessKey, secretKey })
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint, bucket: BUCKET, accessKey, secretKey, limitBytes: limiter(endpoint, secretKey), stop }
}

/** `BLOB_URL` of a new prefix in the bucket. */
export const blobUrlOf = (
  { endpoint, bucket }: Pick<Swift, 'endpoint' | 'bucket'>,
  prefix = randomBytes(6).toString('hex'),
): string => `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=${REGION}`

async function findPorts(port?: number): Promise<Ports> {
  const servers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const [proxy = 0, account = 0, container = 0, object = 0, memcached = 0] = servers.map(
    (server) => (server.address() as AddressInfo).port,
  )
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return { proxy: port ?? proxy, account, container, object, memcached }
}

/** Writes the configuration and the rings. @returns the secret key, which a kept folder has already */
async function prepare(folder: string, ports: Ports): Promise<string> {
  await mkdir(join(folder, 'devices/d1'), { recursive: true })
  const secretPath = join(folder, 'secret')
  const secret = await readFile(secretPath, 'utf8').catch(() => randomBytes(20).toString('hex'))
  await writeFile(secretPath, secret)
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
workers = 0
log_level = ERROR
`
  const storage = (name: 'account' | 'container' | 'object') =>
    `${common}bind_port = ${ports[name]}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`
  const proxy = `${common}bind_port = ${ports.proxy}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth copy container-quotas slo dlo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.memcached}
[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_${USER.replace(':', '_')} = ${secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:container-quotas]
use = egg:swift#container_quotas
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_interval = 0
conn_timeout = 10
`
  const files = {
    'swift.conf': '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n',
    'proxy-server.conf': proxy,
    'account-server.conf': storage('account'),
    'container-server.conf': storage('container'),
    'object-server.conf': storage('object'),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  const rings = python(RINGS, folder, String(ports.account), String(ports.container), String(ports.object))
  const [code] = (await once(rings, 'exit')) as [number]
  if (code !== 0) throw new Error(`the rings of Swift could not be made (${code})`)
  return secret
}

const startServer = (folder: string, name: string) => python(SERVER, folder, join(folder, `${name}.conf`), name)

const python = (script: string, ...args: string[]) =>
  spawn('/usr/bin/python3', ['-c', script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function untilAnswering(port: number, children: ChildProcess[]): Promise<void> {
  const until = Date.now() + START_MS
  const isAnswering = () =>
    fetch(`http://127.0.0.1:${port}/healthcheck`).then(
      () => true,
      () => false,
    )
  while (!(await isAnswering())) {
    const ended = children.find((child) => child.exitCode !== null)
    if (ended) throw new Error(`a server of Swift ended with ${ended.exitCode}: ${ended.spawnargs.at(-1)}`)
    if (Date.now() > until) throw new Error('Swift does not answer')
    await sleep(100)
  }
}

async function createBucket(swift: Pick<Swift, 'endpoint' | 'accessKey' | 'secretKey'>): Promise<void> {
  const credentials = { accessKeyId: swift.accessKey, secretAccessKey: swift.secretKey }
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint: swift.endpoint, region: REGION, forcePathStyle: true, credentials })
  for (let left = 100; ; left--) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
      break
    } catch (error) {
      if ((error as Error).name === 'BucketAlreadyOwnedByYou') break
      if (left === 0) throw error
      await sleep(200)
    }
  }
  client.destroy()
}

/** Swift's own interface sets the quota: S3 has none. */
function limiter(endpoint: string, secret: string) {
  return async (bytes: number | undefined): Promise<void> => {
    const headers = { 'X-Storage-User': USER, 'X-Storage-Pass': secret }
    const entered = await fetch(`${endpoint}/auth/v1.0`, { headers })
    const [url, token] = ['x-storage-url', 'x-auth-token'].map((name) => entered.headers.get(name) ?? '')
    const quota = {
      'X-Auth-Token': token ?? '',
      'X-Container-Meta-Quota-Bytes': bytes === undefined ? '' : String(bytes),
    }
    for (const container of [BUCKET, `${BUCKET}+segments`])
      await fetch(`${url}/${container}`, { method: 'PUT', headers: quota })
  }
}

/** The AWS environment names the credentials of the store, for this process. */
type Credentials = Pick<Swift, 'accessKey' | 'secretKey'>

export const credentialsOf = ({ accessKey, secretKey }: Credentials) => ({
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_SECRET_ACCESS_KEY: secretKey,
})

export function useCredentials(credentials: Credentials): void {
  Object.assign(process.env, credentialsOf(credentials))
}
