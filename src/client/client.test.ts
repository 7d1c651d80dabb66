import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../service/testing/start-service.ts'
import { createWorld, type Person, type World } from '../service/testing/world.ts'
import { api, ApiFailure, type Client, createClient } from './index.ts'

let service: TestService
let world: World
let alice: Client
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  alice = clientOf(world.alice)
})
afterAll(() => service.close())

const clientOf = ({ credentials }: Person) => createClient({ url: `${service.url}/`, ...credentials })

async function refusal(call: Promise<unknown>): Promise<ApiFailure> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiFailure) return error
  throw new Error('not refused', { cause: error })
}

describe('a call', () => {
  it('of an endpoint without input takes no input', async () => {
    expect((await alice.call(api.users.me)).email).toBe('alice@example.com')
  })

  it('takes path, query and body as the contract declares them', async () => {
    const { workspace_id } = world
    const group = await alice.call(api.groups.create, { body: { group: { name: 'Lenders', workspace_id } } })
    const params = { id: group.id }
    await alice.call(api.groups.update, { params, body: { workspace_id, group: { name: 'Banks' } } })
    expect(await alice.call(api.groups.get, { params, query: { workspace_id } })).toMatchObject({ name: 'Banks' })
  })

  it('of an endpoint without a reply returns undefined', async () => {
    const { workspace_id, group_id } = world
    const person = await clientOf(world.olivia).call(api.users.create, {
      body: { user: { email: 'new@example.com', first_name: 'New', last_name: 'User' } },
    })
    const params = { id: group_id }
    const body = { workspace_id, email: person.email, send_email: false }
    await alice.call(api.groups.addMember, { params, body })
    const query = { workspace_id, user_id: person.id }
    expect(await alice.call(api.groups.removeMember, { params, query })).toBeUndefined()
  })

  it('answered in JSON lines returns a list', async () => {
    const lines = await alice.call(api.audit.export, { params: { id: world.workspace_id } })
    expect(lines[0]?.type).toBe('trail')
    expect(lines.at(-1)?.type).toBe('head')
  })

  it('fails once the signal of its client is aborted', async () => {
    const stopping = new AbortController()
    const client = createClient({ url: service.url, ...world.alice.credentials, signal: stopping.signal })
    await client.call(api.users.me)
    stopping.abort(new Error('stopped'))
    await expect(client.call(api.users.me)).rejects.toThrow('stopped')
  })

  it('uploads bytes, and streams of unknown length', async () => {
    const query = { workspace_id: world.workspace_id, folder_id: 0, file_name: 'whole.txt' }
    expect(await alice.call(api.files.upload, { query }, 'content')).toMatchObject({ file_size: '7' })
    const stream = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(10_000)))
    const streamed = { ...query, file_name: 'streamed.bin' }
    expect(await alice.call(api.files.upload, { query: streamed }, stream)).toMatchObject({ file_size: '1000000' })
  })
})

describe('a refusal', () => {
  it('names the error, the field and the request', async () => {
    const group = { name: ' ', workspace_id: world.workspace_id }
    const failure = await refusal(alice.call(api.groups.create, { body: { group } }))
    expect(failure).toMatchObject({ name: 'ApiFailure', code: 422, details: [{ field: 'group.name' }] })
    expect(failure.message).toMatch(/^group\.name/)
    expect(failure.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('for a wrong secret is a 401', async () => {
    const client = createClient({ url: service.url, ...world.alice.credentials, secret: 'wrong' })
    expect((await refusal(client.call(api.users.me))).code).toBe(401)
  })

  it('of an upload can be read before all bytes are sent', async () => {
    const query = { workspace_id: world.workspace_id, folder_id: 0, file_name: 'never.bin' }
    const stream = Readable.from(Array.from({ length: 200 }, () => Buffer.alloc(50_000)))
    const upload = clientOf(world.mallory).call(api.files.upload, { query }, stream)
    expect((await refusal(upload)).code).toBe(404)
  })
})

describe('an intermediary', () => {
  async function behind(listener: RequestListener): Promise<{ client: Client; close(): void }> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { client: createClient({ url, ...world.alice.credentials }), close: () => server.close() }
  }

  it('may fail with a reply of its own', async () => {
    const { client, close } = await behind((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
    expect(await refusal(client.call(api.users.me))).toMatchObject({ code: 502, details: [], requestId: undefined })
    close()
  })

  it('cannot redirect a signature elsewhere', async () => {
    const seen: (string | undefined)[] = []
    const { client, close } = await behind((request, response) => {
      seen.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    await expect(client.call(api.users.me)).rejects.toThrow(TypeError)
    expect(seen).toEqual(['/api/v1/users/me'])
    close()
  })
})
