import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { errorReply } from '../../contract/errors.ts'
import { api } from '../../contract/index.ts'
import { createRoom } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const logged = () => readFile(join(service.config.dataDir, 'logs/service.log'), 'utf8')

test('A11, D10: a failure can be traced by its request id, and the log contains no credentials', async () => {
  const room = await createRoom(world)
  const folder = await room.folder('Finance')
  const { id } = await room.upload(world.alice, folder, 'plan.txt')
  const query = { workspace_id: room.workspace_id }
  const { expiring_url } = await world.alice.call(api.downloads.getFile, { params: { file_id: id }, query })
  await sql`alter table documents rename to lost_documents`.execute(service.services.db)
  const failures = [
    await fetch(service.url + new URL(expiring_url).pathname),
    await world.alice.fetch(`/api/v1/files/${id}?workspace_id=${room.workspace_id}&token=${world.alice.user_token}`),
    await world.alice.fetch(`/api/v1/files/${id}?workspace_id=${room.workspace_id}`),
  ]
  await sql`alter table lost_documents rename to documents`.execute(service.services.db)
  const text = await logged()
  for (const response of failures) {
    expect(response.status).toBe(500)
    const { error } = (await response.json()) as { error: { request_id: string } }
    const line = text.split('\n').find((each) => each.includes(error.request_id))
    const facts = JSON.parse(line ?? '{}')
    expect(facts).toMatchObject({ level: 'error', process: 'service', request_id: error.request_id, method: 'GET' })
    expect(facts.err.message).toContain('documents')
  }
  const { key, secret, token } = world.alice.credentials
  const { masterKey, bootstrap } = service.config
  const secrets = [
    key,
    secret,
    token,
    masterKey,
    bootstrap?.adminToken,
    new URL(expiring_url).pathname.split('/').at(-1),
  ]
  for (const each of secrets) expect(text).not.toContain(each)
  expect(text).not.toContain('Signature')
})

test('J4: a request that arrives while the service stops gets an answer in the shape of the contract', async () => {
  const stopping = await startTestService()
  const { hostname, port } = new URL(stopping.url)
  const socket = connect(Number(port), hostname)
  let answers = ''
  socket.setEncoding('utf8').on('data', (text) => (answers += text))
  socket.write('GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => answers).toContain('"error"')
  // The unfinished request keeps its connection open; another follows on the same connection.
  socket.write('POST /api/v1/groups HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{')
  await sql`select pg_sleep(0.1)`.execute(stopping.services.db)
  const closed = stopping.close()
  socket.write('}GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n')
  await closed
  socket.destroy()
  const bodies = [...answers.matchAll(/\{"error".*?\}\}/g)].map(([text]) => z.parse(errorReply, JSON.parse(text)))
  expect(bodies.length).toBe(answers.match(/HTTP\/1.1 \d/g)?.length)
  expect(bodies.length).toBeGreaterThan(1)
})
