import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Reply } from '../../contract/endpoint.ts'
import { errorReply } from '../../contract/errors.ts'
import type { Api } from '../../contract/index.ts'
import { createRoom } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let organization: string
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const { id } = (await (await world.olivia.fetch('/api/v1/organization')).json()) as { id: number }
  organization = `/organizations/${id}`
})
afterAll(() => service.close())

const get = (path: string, headers: Record<string, string> = {}) => world.alice.fetch(`/api/v1${path}`, { headers })

describe('a GET reply', () => {
  it('declares its content type, and that no cache may store it', async () => {
    const { headers } = await get('/users/me')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      etag: expect.stringMatching(/^W\/"/),
    })
  })

  it.each([(etag: string) => etag, (etag: string) => `"other", ${etag}`, () => '*'])(
    'is not sent again to a client that has it (%#)',
    async (condition) => {
      const etag = (await get('/users/me')).headers.get('etag') ?? ''
      const response = await get('/users/me', { 'if-none-match': condition(etag) })
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag])
    },
  )

  it('is sent again when it changed', async () => {
    expect((await get('/users/me', { 'if-none-match': 'W/"other"' })).status).toBe(200)
  })
})

describe('K25: a long list', () => {
  let path: string
  beforeAll(async () => {
    const { workspace_id, folder } = await createRoom(world)
    const id = await folder('Long')
    await sql`insert into folders (workspace_id, parent_id, name, index, id_path, last_updated_user_id, id)
      select ${workspace_id}, ${id}, 'Part ' || n, n, array[0, ${id}, 4000000 + n], ${world.alice.id}, 4000000 + n
      from generate_series(1, 3000) n`.execute(service.services.db)
    path = `/folders/${id}?workspace_id=${workspace_id}`
  })

  it('has the headers and the JSON of a short one', async () => {
    const response = await get(path)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'content-length': String(bytes.length),
      etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"`,
      'cache-control': 'private, no-store',
    })
    const long = JSON.parse(bytes.toString()) as Reply<Api['folders']['get']>
    const short = (await (await get(`${path}&per_page=100`)).json()) as typeof long
    expect(long.immediate_subfolders).toHaveLength(3000)
    expect(JSON.stringify({ ...long, immediate_subfolders: long.immediate_subfolders.slice(0, 100) })).toBe(
      JSON.stringify(short),
    )
  })

  it('is not sent again to a client that has it', async () => {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const response = await get(path, { 'if-none-match': etag })
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag])
    const known = (await get('/users/me')).headers.get('etag') ?? ''
    const short = await get('/users/me', { 'if-none-match': known })
    expect([...response.headers.keys()]).toEqual([...short.headers.keys()])
    expect(response.headers.get('content-length')).toBe(short.headers.get('content-length'))
  })

  it('has its length in the reply to HEAD', async () => {
    const whole = await (await get(path)).arrayBuffer()
    const { status, headers } = await world.alice.fetch(`/api/v1${path}`, { method: 'HEAD' })
    expect([status, headers.get('content-length')]).toEqual([200, String(whole.byteLength)])
  })
})

describe('a path', () => {
  const answer = async (method: string, path: string) => {
    const response = await world.olivia.fetch(path, { method })
    const { error } = z.parse(errorReply, await response.json())
    expect(error.code).toBe(response.status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(response.headers.get('x-request-id')).toBe(error.request_id)
    return response
  }

  it.each(['/', '/api/v1', '/api/v2/users/me', '/api/v1/nothing', '/api/v1/files/1/nothing', '/api/v1/users/me;x=1'])(
    '%s that matches no endpoint is 404',
    async (path) => expect((await answer('GET', path)).status).toBe(404),
  )

  it.each(['/api/v1/files/%ff', '/api/v1/files/%', `/api/v1/files/${'1'.repeat(3000)}`])(
    'that is malformed is 400',
    async (path) => expect((await answer('GET', path)).status).toBe(400),
  )

  it.each([
    ['/groups/5', 'GET, PUT, DELETE'],
    ['/groups/5/', 'GET, PUT, DELETE'],
    ['/organization', 'GET, PUT'],
  ])('%s answers a wrong method with the allowed ones', async (path, allowed) => {
    const response = await answer('PATCH', `/api/v1${path}`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
  })

  it('of an organization by its id does so too', async () => {
    const response = await answer('PATCH', `/api/v1${organization}`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, PUT'])
  })

  it('with a trailing slash is answered, not redirected', async () => {
    expect((await get('/users/me/')).status).toBe(200)
  })
})
