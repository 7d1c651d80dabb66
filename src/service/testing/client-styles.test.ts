import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, Call, Reply, CallParts } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { accessMatrix, contentOf, ROLES, type Row } from './access-matrix.ts'
import { type Bytes, Client } from './client.ts'
import { SECRET, type Style, STYLES } from './client-styles.ts'
import { runJobs } from './jobs.ts'
import { readZip } from './documents/read-zip.ts'
import { type Answer, comparable } from './comparable.ts'
import { createRoom } from './room.ts'
import { spawnProcess } from './spawn-process.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type Person, type World } from './world.ts'

// The existing libraries for this API must work unchanged: the reply is the same, however a call is encoded.

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const team = { allowed_workspaces: 1000, allowed_admins: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
})
afterAll(() => service.close())

const rows = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints).map(([key, endpoint]) => {
    const row = (accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>)[section]?.[key]
    return { name: `${section}.${key}`, endpoint: endpoint as AnyEndpoint, row }
  }),
)
const styles = Object.entries(STYLES).map(([library, style]) => ({ library, style }))
const plain: Style = (endpoint, call, content) => requestOf(endpoint, call, content)

async function send(
  person: Person,
  style: Style,
  endpoint: AnyEndpoint,
  call: CallParts,
  content?: Bytes,
): Promise<Answer> {
  const { path, init } = style(endpoint, call, content)
  const response = await person.fetch(path, init)
  return { status: response.status, text: await response.text() }
}

describe.each(rows)('$name', ({ endpoint, row }) => {
  const caller = (): Person => world[ROLES[row?.outcomes.indexOf('ok') ?? -1] ?? 'alice']
  const makeCall = async () => (await row?.call(world, service)) as Call<AnyEndpoint>

  it.each(styles)('answers the $library library exactly as it answers plain JSON', async ({ style }) => {
    const call = await makeCall()
    const expected = await send(caller(), plain, endpoint, call, contentOf(row, world))
    // A GET can be repeated; a change needs a new, equal target.
    const again = endpoint.method === 'GET' ? call : await makeCall()
    const answer = await send(caller(), style, endpoint, again, contentOf(row, world))
    expect(expected.status).toBe(endpoint.success)
    expect(comparable(answer, endpoint)).toEqual(comparable(expected, endpoint))
  })
})

describe.each(styles)('a whole deal with the $library library', ({ style }) => {
  async function call<E extends AnyEndpoint>(endpoint: E, parts: CallParts, content?: Bytes): Promise<Reply<E>> {
    const { status, text } = await send(world.alice, style, endpoint, parts, content)
    expect([status, text]).toEqual([endpoint.success, expect.anything()])
    return (text === '' ? undefined : JSON.parse(text)) as Reply<E>
  }

  it('creates, uploads, grants, downloads, reads the activities and deletes', async () => {
    const { workspace_id, group_id } = await createRoom(world)
    const query = { workspace_id }
    const folder = await call(api.folders.create, { body: { workspace_id, name: 'Contracts & Co', parent_id: 0 } })
    const place = { workspace_id, folder_id: folder.id, file_name: 'Größe + 100%.txt' }
    const file = await call(api.files.upload, { query: place }, '{"a file": "that looks like JSON"}')
    const grant = { workspace_id, group_id, verb: 'grant', folder_action: 'download' }
    await call(api.permissions.set, { params: { id: folder.id }, body: grant })
    const wanted = { folder_ids: [folder.id], file_ids: [file.id] }
    const { id } = await call(api.downloads.create, { body: { workspace_id, download: wanted } })
    await runJobs(service)
    const { downloads } = await call(api.downloads.listStatus, { params: { workspace_id } })
    expect(downloads).toMatchObject([{ id, status: 'done', folder_ids: [folder.id], file_ids: [file.id] }])
    const { expiring_url } = await call(api.downloads.get, { params: { id }, query })
    const zip = await fetch(expiring_url.replace('http://dashboard.test', service.url))
    const entries = readZip(new Uint8Array(await zip.arrayBuffer()))
    expect(entries).toMatchObject({
      '1 Contracts & Co/1.1 Größe + 100%.txt': '{"a file": "that looks like JSON"}',
    })
    const { events } = await call(api.activities.list, { params: { workspace_id }, query: { per_page: 25 } })
    expect(events.slice(0, 3).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^downloaded the f/),
      expect.stringMatching(/^downloaded the f/),
      'granted download access to Contracts & Co for group: Bidders',
    ])
    await call(api.downloads.remove, { params: { id }, query })
    expect((await call(api.files.remove, { params: { id: file.id }, query })).id).toBe(file.id)
    expect(await call(api.folders.remove, { params: { id: folder.id }, query })).toEqual({ id: folder.id, deleted: 1 })
    expect((await send(world.alice, style, api.files.get, { params: { id: file.id }, query })).status).toBe(404)
  })
})

it('a body that is not an object is never logged', async () => {
  const { bootstrap } = service.config
  const process = spawnProcess('main', service.config, { LOG: 'debug' })
  let logged = ''
  process.child.stdout?.on('data', (chunk: Buffer) => (logged += chunk.toString()))
  const url = (await process.line(/^service: /)).replace('service: ', '')
  const there = new Client(url, { ...world.alice.credentials, secret: bootstrap?.apiSecret ?? '' })
  const bodies = [JSON.stringify(SECRET), `{"broken": "${SECRET}`, `[${JSON.stringify(SECRET)}]`]
  for (const body of bodies) {
    for (const path of ['/api/v1/watermark/999', '/api/v1/nowhere', '/api/v1/users?user[id]=0']) {
      const response = await there.fetch(path, {
        method: 'DELETE',
        body,
        headers: { 'content-type': 'application/json' },
      })
      expect([400, 403, 404]).toContain(response.status)
      expect(await response.text()).not.toContain(SECRET)
    }
  }
  expect(await process.end('SIGTERM')).toBe(0)
  expect(logged).toContain('service: ')
  expect(logged).not.toContain(SECRET)
})
