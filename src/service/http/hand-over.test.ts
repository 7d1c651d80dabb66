import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import type { BlockList, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { createAddressVoucher } from '../../signing/client-address.ts'
import { readAddresses } from '../../wire/addresses.ts'
import { readConfig } from '../base/config.ts'
import { runJobs } from '../testing/jobs.ts'
import { createClientAddresses } from './client-addresses.ts'
import { freePort } from '../testing/free-port.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { ON_DISK, startTestService, type TestService } from '../testing/start-service.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import { createWorld, type World } from '../testing/world.ts'

const content = randomBytes(300_000)
const etag = `"${createHash('sha256').update(content).digest('hex')}"`

const PREFIX = { accelRedirect: '/internal-content' }

let service: TestService
let world: World
let room: Room
let folder: number
let file_id: number
beforeAll(async () => {
  service = await startTestService({ ...ON_DISK, ...PREFIX })
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
  file_id = (await room.upload(world.alice, folder, 'Büro.html', new Uint8Array(content))).id
  await room.grant(folder, 'download')
})

async function pathFor(id = file_id): Promise<string> {
  const call = { params: { file_id: id }, query: { workspace_id: room.workspace_id } }
  return new URL((await world.bob.call(api.downloads.getFile, call)).expiring_url).pathname
}

async function placeOf(id: number): Promise<string> {
  const query = service.services.db.selectFrom('files').select('blob_id').where('id', '=', id)
  const { blob_id } = await query.where('workspace_id', '=', room.workspace_id).executeTakeFirstOrThrow()
  return join(blob_id.slice(0, 2), blob_id.slice(2, 4), blob_id)
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { headers, method })
const redirectOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await get(path, headers, method)
  return [response.status, response.headers.get('x-accel-redirect'), (await response.arrayBuffer()).byteLength]
}

describe('K36: a plain file is handed over to the front server', () => {
  it('with its headers and without its bytes, whatever range is asked for', async () => {
    const response = await get(await pathFor(), { range: 'bytes=0-9' })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-accel-redirect': `/internal-content/${await placeOf(file_id)}`,
      'content-disposition': expect.stringMatching(/^attachment; filename/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': 'private, no-store',
      etag,
    })
    expect((await response.arrayBuffer()).byteLength).toBe(0)
  })

  it('only after all checks', async () => {
    const path = await pathFor()
    await room.revoke(folder, 'download')
    expect((await redirectOf(path)).slice(0, 2)).toEqual([404, null])
    await room.grant(folder, 'download')
    service.setClock(new Date(Date.now() + 16 * 60_000))
    expect((await redirectOf(path)).slice(0, 2)).toEqual([403, null])
    service.setClock(undefined)
    await truncate(join(service.config.dataDir, 'blobs', await placeOf(file_id)), 1000)
    expect((await redirectOf(path)).slice(0, 2)).toEqual([422, null])
  })

  it('never to a client, who can neither ask for it nor see it', async () => {
    const path = await pathFor()
    const vouched = createAddressVoucher(service.config.masterKey).vouch('203.0.113.9', Date.now())
    for (const headers of [vouched, { 'x-client-address': 'forged' }, { ...vouched, 'x-accel-redirect': '/x' }])
      expect(await redirectOf(path, headers)).toEqual([200, null, content.length])
    expect(await redirectOf(path, {}, 'HEAD')).toEqual([200, null, 0])
    service.config.accelRedirect = undefined
    expect(await redirectOf(path, { 'x-accel-redirect': '/x' })).toEqual([200, null, content.length])
    Object.assign(service.config, PREFIX)
  })

  it('only where the peer itself is trusted', () => {
    const { masterKey } = service.config
    const trustedProxies = readAddresses('192.0.2.7') as BlockList
    const addresses = createClientAddresses({ masterKey, trustedProxies }, service.services.log, () => new Date())
    const isFrom = (remoteAddress: string, headers = {}) =>
      addresses.isFromFrontServer({ socket: { remoteAddress } as Socket, headers })
    expect([isFrom('192.0.2.7'), isFrom('::ffff:192.0.2.7')]).toEqual([true, true])
    expect([isFrom('192.0.2.8'), isFrom('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }), isFrom('')]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('but no zip and no page', async () => {
    const body = { workspace_id: room.workspace_id, download: { file_ids: [file_id] } }
    const { id } = await world.bob.call(api.downloads.create, { body })
    await runJobs(service)
    const query = { workspace_id: room.workspace_id }
    const { expiring_url } = await world.bob.call(api.downloads.get, { params: { id }, query })
    const [status, redirect, size] = await redirectOf(new URL(expiring_url).pathname)
    expect([status, redirect, Number(size) > content.length]).toEqual([200, null, true])
  })

  it('once the settings name a path and who the front server is', () => {
    const env = { DATABASE_URL: 'postgresql://x', MASTER_KEY: '0'.repeat(64) }
    const withAccel = (path: string, trusted = '10.0.0.1') =>
      readConfig({ ...env, ACCEL_REDIRECT: path, TRUSTED_PROXIES: trusted }).accelRedirect
    expect([readConfig(env).accelRedirect, withAccel('/internal/'), withAccel('/a/b-c')]).toEqual([
      undefined,
      '/internal',
      '/a/b-c',
    ])
    expect(() => withAccel('/internal', '')).toThrow('ACCEL_REDIRECT needs TRUSTED_PROXIES')
    for (const path of ['internal', '/', '/a/../b', '/a\r\nX: y', 'http://x/'])
      expect(() => withAccel(path)).toThrow('ACCEL')
  })
})

const isThere = await ensureInstalled('nginx')

describe.skipIf(!isThere)('K36: nginx with the configuration of deploy/nginx.conf', () => {
  let front: { url: string; stop(): Promise<void> }
  beforeAll(async () => {
    front = await startNginx()
  })
  afterAll(() => front.stop())

  const fetchFile = async (headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(front.url + (await pathFor()), { headers, method })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('sends the file with the headers of the service, and shows no path', async () => {
    const { response, bytes } = await fetchFile()
    expect([response.status, bytes.equals(content)]).toEqual([200, true])
    const direct = await get(await pathFor(), { 'x-client-address': 'none' })
    await direct.arrayBuffer()
    const omitted = new Set(['connection', 'date', 'keep-alive', 'x-request-id'])
    const headersOf = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !omitted.has(name)))
    expect(headersOf(response)).toEqual({ ...headersOf(direct), server: expect.stringContaining('nginx') })
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })

  it('sends ranges, on condition of the same content', async () => {
    const range = { range: 'bytes=1000-1999' }
    const part = content.subarray(1000, 2000)
    const asked = [
      range,
      { ...range, 'if-range': etag },
      { ...range, 'if-range': '"other"' },
      { range: 'bytes=0-0,5-6' },
    ]
    const got = []
    for (const headers of asked) {
      const { response, bytes } = await fetchFile(headers)
      got.push([response.status, response.headers.get('etag'), bytes.equals(part), bytes.length])
    }
    const whole = [200, etag, false, content.length]
    expect(got).toEqual([[206, etag, true, 1000], [206, etag, true, 1000], whole, whole])
    expect((await fetchFile({ range: `bytes=${content.length}-` })).response.status).toBe(416)
    expect((await fetchFile({}, 'HEAD')).response.headers.get('content-length')).toBe(String(content.length))
  })

  it('has no other way to the content', async () => {
    const statusOf = async (path: string) => (await fetch(front.url + path)).status
    expect(await statusOf(`/internal-content/${await placeOf(file_id)}`)).toBe(404)
    const path = await pathFor()
    await room.revoke(folder, 'view')
    expect(await statusOf(path)).toBe(404)
  })
})

async function startNginx() {
  const home = await mkdtemp(join(tmpdir(), 'strongroom-nginx-'))
  const example = await readFile(join(import.meta.dirname, '../../../deploy/nginx.conf'), 'utf8')
  const port = await freePort()
  const replaced = Object.entries({
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    'http://127.0.0.1:4000': service.url,
    '/var/lib/strongroom/blobs/': `${service.config.dataDir}/blobs/`,
  }).reduce((text, [from, to]) => text.replace(from, to), example)
  await writeFile(
    join(home, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${home}/pid; error_log ${home}/error.log;
events {}
http { access_log off; client_body_temp_path ${home}/b; proxy_temp_path ${home}/p; fastcgi_temp_path ${home}/f;
uwsgi_temp_path ${home}/u; scgi_temp_path ${home}/s;
${replaced} }`,
  )
  const child = spawn('/usr/sbin/nginx', ['-c', join(home, 'nginx.conf')], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(url), { timeout: 20_000 })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(home, { recursive: true, force: true })
    },
  }
}
