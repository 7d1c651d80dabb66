import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exchange } from '../../client/exchange.ts'
import { ApiFailure } from '../../client/failure.ts'
import type { ApiRequest } from '../../client/request.ts'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import type { Bytes } from './client.ts'
import { docx, paragraph } from './documents/office-files.ts'
import { type ServiceProcess, spawnProcess } from './spawn-process.ts'
import { type ProxyProcess, spawnProxy } from './spawn-proxy.ts'
import { startTestService, type TestService } from './start-service.ts'
import { ensureInstalled } from './system-packages.ts'
import { createWorld, type World } from './world.ts'

// Two nodes of the service and two workers behind two real proxies, each restarted in turn while clients write and read.

const GRACE = { STOP_GRACE: '1.5', STOP_WITHIN: '10' }
const MIB = 1024 ** 2
const LARGE_BYTES = 48 * MIB
/** The slow reader of the large file takes longer than a node takes to stop. */
const BYTES_PER_MS = 1200
const CHUNKS = 30
const CHUNK_BYTES = 50_000
const PATIENCE = { timeout: 120_000, interval: 250 }
/** LibreOffice takes a while, so that a worker is stopped at work; without it, the worker draws the text itself. */
const hasOffice = await ensureInstalled('office')

let service: TestService
let world: World
interface Node extends ServiceProcess {
  url: string
}

let nodes: [Node, Node]
let workers: [ServiceProcess, ServiceProcess]
/** As behind a load balancer. */
let proxies: [ProxyProcess, ProxyProcess]
let cookie: string
/** Programs that were restarted. */
let restarts = 0

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  nodes = [await startNode(), await startNode()]
  workers = [await startWorker(), await startWorker()]
  proxies = [await startProxy(), await startProxy()]
  cookie = await proxies[0].signIn(world.alice.email)
}, 120_000)

afterAll(async () => {
  for (const each of [...proxies, ...workers, ...nodes]) each.child.kill('SIGKILL')
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

async function startWorker(): Promise<ServiceProcess> {
  const worker = spawnProcess('worker', service.config, GRACE)
  await worker.line(/^worker: ready/)
  return worker
}

async function startProxy(port = '0'): Promise<ProxyProcess> {
  const urls = nodes.map(({ url }) => url)
  return spawnProxy(service, urls, { ...GRACE, PORT: port, DEMO_PEOPLE: world.alice.email })
}

async function restartAll(): Promise<void> {
  for (const at of [0, 1] as const) {
    expect(await nodes[at].end('SIGTERM')).toBe(0)
    nodes[at] = await startNode(new URL(nodes[at].url).port)
    restarts++
    expect(await workers[at].end('SIGTERM')).toBe(0)
    workers[at] = await startWorker()
    restarts++
  }
  for (const at of [0, 1] as const) {
    const { child, url } = proxies[at]
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    proxies[at] = await startProxy(new URL(url).port)
    restarts++
  }
}

let requests = 0
/** The second try of an upload, which says so, as a client must that cannot know whether the first one arrived. */
const asRetry = (path: string) => (path.startsWith('/api/v1/files/upload') ? `${path}&unless_same=true` : path)

/** Tries once more through the other proxy after a second, or what the answer asks for, if there was none or it was a 50x. */
async function sendWithRetry({ path, init: { method = 'GET', body, headers } }: ApiRequest): Promise<Response> {
  const [first, second] = requests++ % 2 === 0 ? proxies : proxies.toReversed()
  const options = { cookie, headers, ...(body && { body: body as Bytes }) }
  const reply = await first!.send(method, path, options).catch(() => undefined)
  if (reply && ![502, 503, 504].includes(reply.status)) return reply
  await reply?.body?.cancel()
  await sleep(1000 * Number(reply?.headers.get('retry-after') ?? 1))
  return second!.send(method, asRetry(path), options)
}

const call = async <E extends AnyEndpoint>(endpoint: E, parts: Call<E>, content?: Bytes) =>
  (await exchange(sendWithRetry, endpoint, parts, content)).reply

const query = () => ({ workspace_id: world.workspace_id })
const upload = (file_name: string, content: Bytes) =>
  call(api.files.upload, { query: { ...query(), folder_id: 0, file_name } }, content)

/** Repeats until the restart is over. @returns the results */
async function repeat<Result>(over: AbortSignal, work: (at: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  while (!over.aborted) {
    results.push(await work(results.length))
    await sleep(100)
  }
  return results
}

/** @returns whether a program was restarted meanwhile */
async function uploadInChunks(file_name: string, content: Uint8Array<ArrayBuffer>, pauseMs: number): Promise<boolean> {
  const before = restarts
  const body = { ...query(), folder_id: 0, file_name, size: String(content.length) }
  const { id } = await call(api.uploads.create, { body })
  for (let offset = 0; offset < content.length;) {
    await sleep(pauseMs)
    const place = { query: { ...query(), id, offset: String(offset) } }
    const sent = call(api.uploads.append, place, content.slice(offset, offset + CHUNK_BYTES))
    const { offset: next } = await sent.catch((error: unknown) => {
      // The first try had arrived after all.
      if (error instanceof ApiFailure && error.code === 409)
        return call(api.uploads.get, { params: { id }, query: query() })
      throw error
    })
    offset = Number(next)
  }
  await call(api.uploads.finish, { params: { id }, body: query() })
  return restarts > before
}

async function* download(file_id: number, onResume: () => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < LARGE_BYTES;) {
    const { expiring_url } = await call(api.downloads.getFile, { params: { file_id }, query: query() })
    const headers = { range: `bytes=${at}-` }
    const reply = await sendWithRetry({ path: new URL(expiring_url).pathname, init: { headers } })
    expect(reply.status).toBe(206)
    try {
      for await (const bytes of reply.body!) {
        at += bytes.length
        yield bytes
        await sleep(bytes.length / BYTES_PER_MS)
      }
    } catch {
      onResume()
    }
  }
}

async function read(expiring_url: string): Promise<Uint8Array> {
  const reply = await sendWithRetry({ path: new URL(expiring_url).pathname, init: { headers: {} } })
  return new Uint8Array(await reply.arrayBuffer())
}

async function unzipped(id: number): Promise<Buffer[]> {
  // The URL is refused until the zip is done.
  const { expiring_url } = await vi.waitFor(() => call(api.downloads.get, { params: { id }, query: query() }), PATIENCE)
  return Object.values(unzipSync(await read(expiring_url))).map((bytes) => Buffer.from(bytes))
}

test('J4: a rolling restart of all nodes, workers and proxies loses nothing of a client that retries once', async () => {
  const [large, zipped] = [randomBytes(LARGE_BYTES), randomBytes(MIB)]
  const { id: largeId } = await upload('large.bin', large)
  const { id: zippedId } = await upload('zipped.bin', zipped)
  const over = new AbortController()
  const { signal } = over
  const small = [1, 2].map((client) =>
    repeat(signal, async (at) => {
      const name = `${client}-${at}.txt`
      await upload(name, name)
      await call(api.groups.list, { query: query() })
      return name
    }),
  )
  const chunked = repeat(signal, async (at) => {
    const [name, content] = [`chunked-${at}.bin`, randomBytes(CHUNKS * CHUNK_BYTES)]
    return { name, content, spans: await uploadInChunks(name, content, 100) }
  })
  const zips = repeat(signal, async () => {
    const body = { ...query(), download: { file_ids: [zippedId] } }
    const { id } = await call(api.downloads.create, { body })
    await sleep(2000)
    return id
  })
  const documents = repeat(signal, async (at) => {
    const [name, text] = hasOffice ? [`${at}.docx`, docx(paragraph(`Contract ${at}`))] : [`${at}.log`, `Contract ${at}`]
    const { id } = await upload(name, text)
    await sleep(5000)
    return { id, name }
  })
  let resumed = 0
  const downloads = repeat(signal, async () => {
    const parts: Uint8Array[] = []
    for await (const part of download(largeId, () => resumed++)) parts.push(part)
    return Buffer.concat(parts).equals(large)
  })

  await Promise.race([restartAll(), Promise.all([...small, chunked, zips, documents, downloads])])
  over.abort()

  const names = (await Promise.all(small)).flat()
  const [inChunks, papers, ids] = [await chunked, await documents, await zips]
  expect(new Set(await downloads)).toEqual(new Set([true]))
  expect(resumed).toBeGreaterThan(0)
  expect(inChunks.map(({ spans }) => spans)).toContain(true)
  for (const id of ids) expect((await unzipped(id)).some((bytes) => bytes.equals(zipped))).toBe(true)
  for (const { id } of papers) {
    await vi.waitFor(async () => {
      const { viewer_image, file_content_type } = await call(api.files.get, { params: { id }, query: query() })
      const { status, reason } = viewer_image
      expect({ status, reason, file_content_type }).toMatchObject({ status: 'Ready', reason: '' })
    }, PATIENCE)
  }
  const versions = await service.services.db
    .selectFrom('files')
    .innerJoin('file_versions', (join) =>
      join
        .onRef('file_versions.workspace_id', '=', 'files.workspace_id')
        .onRef('file_versions.file_id', '=', 'files.id'),
    )
    .select(['files.id', 'file_name'])
    .execute()
  const all = ['large.bin', 'zipped.bin', ...names, ...[...inChunks, ...papers].map(({ name }) => name)]
  expect(versions.map(({ file_name }) => file_name).toSorted()).toEqual(all.toSorted())
  for (const { name, content } of inChunks) {
    const file_id = versions.find(({ file_name }) => file_name === name)?.id ?? 0
    const { expiring_url } = await call(api.downloads.getFile, { params: { file_id }, query: query() })
    expect(content.equals(await read(expiring_url))).toBe(true)
  }
}, 600_000)
