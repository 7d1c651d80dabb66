import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { HEADERS, sign } from '../../signing/signature.ts'
import { Client } from '../testing/client.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { spawnProcess } from '../testing/spawn-process.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
})
afterAll(() => service.close())

describe('captured headers', () => {
  const send = async (headers: Record<string, string>, path: string, method = 'GET') =>
    (await fetch(service.url + path, { method, headers })).status

  it('A7: work for other calls of the same user until they expire: the contract signs nothing else', async () => {
    const now = Math.floor(Date.now() / 1000)
    const captured = sign(world.bob.credentials, now + 60)
    const folders = urlOf(api.workspaces.home, { params: { id: room.workspace_id } })
    expect([await send(captured, '/api/v1/users/me'), await send(captured, folders)]).toEqual([200, 200])
    // Captured headers never allow more than the user may do.
    expect(await send(captured, urlOf(api.organization.listMembers))).toBe(403)
    service.setClock(new Date((now + 60) * 1000))
    expect([await send(captured, '/api/v1/users/me'), await send(captured, folders)]).toEqual([401, 401])
    service.setClock(undefined)
  })

  it('A7: are valid for at most an hour, even if signed for longer', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(await send(sign(world.bob.credentials, now + 3590), '/api/v1/users/me')).toBe(200)
    expect(await send(sign(world.bob.credentials, now + 3605), '/api/v1/users/me')).toBe(401)
  })
})

it('A7, A11: no log and no reply contains signatures, secrets or expiring URLs', async () => {
  const folder = await room.folder('Logged')
  const { id: file_id } = await room.upload(world.alice, folder, 'plan.txt')
  const logging = spawnProcess('main', service.config, { LOG: 'debug' })
  let said = ''
  logging.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const url = (await logging.line(/^service: /)).replace('service: ', '')
  const { credentials } = world.alice
  const there = new Client(url, credentials)
  const query = { workspace_id: room.workspace_id }
  const { expiring_url } = await there.call(api.downloads.getFile, { params: { file_id }, query })
  const token = new URL(expiring_url).pathname.split('/').at(-1) ?? ''
  said += await (await fetch(url + new URL(expiring_url).pathname)).text()
  const signed = sign(credentials, Math.floor(Date.now() / 1000) + 60)
  const wrong = { ...signed, [HEADERS.key]: 'wrong' }
  for (const headers of [signed, wrong]) {
    for (const path of ['/api/v1/users/me', '/api/v1/nowhere', `/api/v1/files/${file_id}`, `/content/${token}x`]) {
      said += await (await fetch(url + path, { headers })).text()
    }
  }
  expect(await logging.end('SIGTERM')).toBe(0)
  expect(said).toContain('service: ')
  const signature = signed[HEADERS.signature]?.split('Signature=')[1] ?? ''
  for (const secret of [signature, credentials.secret, token]) expect(said).not.toContain(secret)
})
