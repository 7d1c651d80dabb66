import { type ClientRequest, request as httpRequest } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { spawnProcess } from '../testing/spawn-process.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

// A balancer closes the connections of a node that is silent, and the client sends its request to another node. The
// silent node reads what it was sent when it works again.

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  folder = await room.folder('Finance')
})
afterAll(() => service.close())

const PATIENCE = 20_000

function send(method: string, path: string, body: string, url = service.url) {
  const headers = {
    ...sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60),
    'content-length': body.length,
  }
  const request = httpRequest(url + path, { method, headers }).on('error', () => {})
  request.end(body)
  return { request, leave: () => leave(request) }
}

/** Closes the connection, and waits until the service has had the time to see it. */
async function leave(request: ClientRequest): Promise<void> {
  await new Promise((resolve) => request.once('close', resolve).destroy())
  await world.alice.fetch('/healthz')
}

test('E6: an upload is not added if its client has left before it is stored', async () => {
  const { blobs } = service.services
  const write = blobs.write.bind(blobs)
  const removing = vi.spyOn(blobs, 'remove')
  const storing = vi.spyOn(blobs, 'write').mockImplementationOnce(async (...parts) => {
    await client.leave()
    return write(...parts)
  })
  const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'late.txt' }
  const client = send('PUT', urlOf(api.files.upload, { query }), 'x'.repeat(2000))
  await vi.waitFor(() => expect(storing).toHaveBeenCalledOnce(), PATIENCE)
  await vi.waitFor(() => expect(removing).toHaveBeenCalledOnce(), PATIENCE)
  expect(await room.files(folder)).toEqual([])
})

test('E6: a service that was frozen adds no upload that its client has given up meanwhile', async () => {
  const frozen = spawnProcess('main', service.config)
  const url = (await frozen.line(/^service: /)).slice('service: '.length)
  frozen.child.kill('SIGSTOP')
  for (const file_name of ['one.txt', 'two.txt', 'three.txt']) {
    const query = { workspace_id: room.workspace_id, folder_id: folder, file_name }
    const { request, leave } = send('PUT', urlOf(api.files.upload, { query }), 'x'.repeat(2000), url)
    await new Promise((resolve) => request.once('finish', resolve))
    await leave()
  }
  frozen.child.kill('SIGCONT')
  // It is answered after those that came before, and the end waits for what has begun.
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(await frozen.end('SIGTERM')).toBe(0)
  expect(await room.files(folder)).toEqual([])
})

test('E6: a change that is read after its client has left is not made', async () => {
  const folders = async () => {
    const query = { workspace_id: room.workspace_id }
    return (await world.alice.call(api.folders.get, { params: { id: folder }, query })).immediate_subfolders
  }
  const body = (name: string) => ({ workspace_id: room.workspace_id, parent_id: folder, name })
  await service.services.db.transaction().execute(async (tx) => {
    await sql`lock table api_keys in access exclusive mode`.execute(tx)
    const client = send('POST', urlOf(api.folders.create, {}), JSON.stringify(body('Late')))
    const waiting = sql`select from pg_locks where relation = 'api_keys'::regclass and not granted`
    await vi.waitFor(async () => expect((await waiting.execute(tx)).rows).not.toEqual([]), PATIENCE)
    await client.leave()
  })
  await world.alice.call(api.folders.create, { body: body('Later') })
  expect((await folders()).map(({ name }) => name)).toEqual(['Later'])
})
