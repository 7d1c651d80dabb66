import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { requestOf } from '../../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { matrixRows } from '../../testing/access-matrix.ts'
import { Client } from '../../testing/client.ts'
import { insertCopy } from '../../testing/documents/sealed-copy.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { readEvents } from '../../testing/event-reader.ts'
import { mapIds, namesWorkspace } from '../../testing/foreign-calls.ts'
import { readDocuments, runJobs } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { acceptTerms, issueTerms } from '../../testing/deal/terms.ts'
import { createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const team = { allowed_workspaces: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
})
afterAll(() => service.close())

async function send(person: Person, endpoint: AnyEndpoint, call: CallParts) {
  const { path, init } = requestOf(endpoint, call, 'bytes')
  const response = await person.fetch(path, init)
  return { status: response.status, text: await response.text() }
}

const reasonIn = (text: string) => (JSON.parse(text) as { error?: { reason?: string } }).error?.reason

/** These are the way in. */
const IN_FRONT = new Set(['terms.mine', 'terms.pages', 'terms.accept', 'terms.decline'])
const behind = matrixRows.filter(({ name }) => !IN_FRONT.has(name))

it.each(['olivia', 'tina', 'alice', 'wendy'] as const)('K80: does not bind the admin %s', async (name) => {
  const room = await createRoom(world)
  await room.folder('Finance')
  const groups = await world.alice.call(api.groups.list, { query: { workspace_id: room.workspace_id } })
  const into = name === 'wendy' ? groups.find(({ kind }) => kind === 'workspace_admins')?.id : room.group_id
  const body = { workspace_id: room.workspace_id, email: world[name].email, send_email: false }
  if (name !== 'alice') await world.alice.call(api.groups.addMember, { params: { id: into ?? 0 }, body })
  await issueTerms(world.alice, room.workspace_id)
  expect(await world[name].statusOf(api.workspaces.home, { params: { id: room.workspace_id } })).toBe(200)
  expect(await world.bob.statusOf(api.workspaces.home, { params: { id: room.workspace_id } })).toBe(403)
})

describe('K80: what was begun before', () => {
  let room: Room
  let folder: number
  let file: number
  beforeEach(async () => {
    room = await createRoom(world)
    folder = await room.folder('Finance')
    await room.grant(folder, 'upload')
    await room.grant(folder, 'download')
    file = (await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf([{}])))).id
  })
  const inRoom = () => ({ workspace_id: room.workspace_id })
  const statusOf = async (url: string) => (await fetch(service.url + new URL(url).pathname)).status

  test('an expiring URL of a file, a page or a zip serves nothing until the new version is accepted', async () => {
    const { bob } = world
    await readDocuments(service)
    const first = await issueTerms(world.alice, room.workspace_id)
    await acceptTerms(bob, room.workspace_id, first)
    const { expiring_url } = await bob.call(api.downloads.getFile, { params: { file_id: file }, query: inRoom() })
    const { pages } = await bob.call(api.files.pages, { params: { id: file }, query: inRoom() })
    const download = { folder_ids: [folder], file_ids: [] }
    const { id } = await bob.call(api.downloads.create, { body: { ...inRoom(), download } })
    await runJobs(service)
    const zip = await bob.call(api.downloads.get, { params: { id }, query: inRoom() })
    const urls = [expiring_url, pages[0]?.expiring_url ?? '', zip.expiring_url]
    expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 200])

    const second = await issueTerms(world.alice, room.workspace_id, { text: 'Keep it very secret.' })
    expect(await Promise.all(urls.map(statusOf))).toEqual([404, 404, 404])
    expect(await bob.statusOf(api.downloads.get, { params: { id }, query: inRoom() })).toBe(403)
    await acceptTerms(bob, room.workspace_id, second)
    expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 200])
  })

  test('a zip in the making, a chunk and the end of an upload stop at the next request', async () => {
    const { bob } = world
    const download = { folder_ids: [folder], file_ids: [] }
    const made = await bob.call(api.downloads.create, { body: { ...inRoom(), download } })
    const body = { ...inRoom(), folder_id: folder, file_name: 'offer.txt', size: '5' }
    const upload = await bob.call(api.uploads.create, { body })
    await issueTerms(world.alice, room.workspace_id)
    await runJobs(service)
    expect(await bob.statusOf(api.downloads.get, { params: { id: made.id }, query: inRoom() })).toBe(403)
    const query = { ...inRoom(), id: upload.id, offset: '0' }
    expect((await bob.refused(api.uploads.append, { query }, 'offer')).reason).toBe('terms_not_accepted')
    const finish = { params: { id: upload.id }, body: inRoom() }
    expect(await bob.statusOf(api.uploads.finish, finish)).toBe(403)
    expect(await room.files(folder)).toEqual(['1 plan.pdf'])
  })

  test('a sealed copy gets no key', async () => {
    const { bob } = world
    const params = { id: room.group_id }
    await world.alice.call(api.groups.setDrm, { params, body: { ...inRoom(), group: { drm_enabled: true } } })
    const of = { ...inRoom(), file_id: file, user_id: bob.id, group_ids: [room.group_id] }
    const copy_id = await insertCopy(service, of)
    const challenge = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
    const open = () =>
      bob.call(api.sealedCopies.open, { params: { copy_id }, body: { ...inRoom(), challenge: challenge() } })
    expect(await open()).toMatchObject({ opened: true })
    const id = await issueTerms(world.alice, room.workspace_id)
    expect(await open()).toMatchObject({ opened: false, code: '', refusal: 'terms_not_accepted' })
    await acceptTerms(bob, room.workspace_id, id)
    expect(await open()).toMatchObject({ opened: true })
  })

  test('a personal key is refused too, and cannot accept', async () => {
    const { alice, bob } = world
    await alice.call(api.workspaces.enableApiAccess, { params: { id: room.workspace_id } })
    const key = await bob.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['files:read', 'folders:read'] } })
    const { public_key, secret_key: secret, user_token: token } = key
    const script = new Client(service.url, { key: public_key, secret, token })
    const home = { params: { id: room.workspace_id } }
    expect(await script.statusOf(api.workspaces.home, home)).toBe(200)
    const terms_id = await issueTerms(alice, room.workspace_id)
    expect((await script.refused(api.workspaces.home, home)).reason).toBe('terms_not_accepted')
    const accept = { params: { ...home.params, terms_id }, body: { has_read: true, may_accept: true } }
    expect((await script.refused(api.terms.accept, accept)).reason).toBe('closed_to_keys')
  })

  test('a stream of events ends without another event', async () => {
    const reader = await readEvents(service, world.bob, room.workspace_id)
    await expect.poll(() => reader.seen.length).toBeGreaterThan(0)
    await issueTerms(world.alice, room.workspace_id)
    const seen = reader.seen.length
    await room.grant(await room.folder('Secret'), 'view')
    await reader.ended
    expect(reader.seen).toHaveLength(seen)
    expect((await readEvents(service, world.bob, room.workspace_id)).status).toBe(403)
  })
})

// Last: some rows change the addresses of the users.
/** Prepares a call while nothing stands before bob, then issues terms that he has not accepted. */
async function behindTerms(
  what: string,
  prepare: () => Promise<unknown>,
): Promise<{ call: CallParts; version: number }> {
  const { alice, bob, workspace_id: id } = world
  const first = await issueTerms(alice, id)
  if (what === 'the newest version') await acceptTerms(bob, id, first)
  else await alice.call(api.terms.withdraw, { params: { id, terms_id: first } })
  const call = (await prepare()) as CallParts
  return { call, version: await issueTerms(alice, id, { text: 'Keep it very secret.' }) }
}

describe.each(['any terms', 'the newest version'])('K80: a member who has not accepted %s', (what) => {
  it.each(behind.filter(({ endpoint }) => namesWorkspace(endpoint)))(
    'is refused by $name',
    async ({ endpoint, row }) => {
      const { call } = await behindTerms(what, async () => row.call(world, service))
      // Some rows prepare a workspace of their own.
      const here = mapIds(endpoint, call, { workspace: () => world.workspace_id, other: (id) => id }).call
      const { status, text } = await send(world.bob, endpoint, here)
      expect([status, reasonIn(text)]).toEqual([403, 'terms_not_accepted'])
    },
  )

  it.each(behind.filter(({ endpoint }) => !namesWorkspace(endpoint)))(
    'finds no name in $name',
    async ({ endpoint, row }) => {
      const { call } = await behindTerms(what, async () => row.call(world, service))
      const { text } = await send(world.bob, endpoint, call)
      expect(text).not.toMatch(/bidders|report\.txt|folder \d|tina@|wendy@|alice@/i)
    },
  )

  it('learns the name of the workspace, and that terms await', async () => {
    const { version } = await behindTerms(what, async () => undefined)
    const { workspaces } = await world.bob.call(api.users.workspaces, {})
    const of = workspaces.find(({ id }) => id === world.workspace_id)
    expect(of).toMatchObject({ name: 'Harbour', terms_await: true, members: null })
    const { workspaces: news } = await world.bob.call(api.users.news, {})
    expect(news.map(({ workspace_id }) => workspace_id)).not.toContain(world.workspace_id)
    const own = await world.bob.call(api.terms.mine, { params: { id: world.workspace_id } })
    expect(own).toMatchObject({ await: true, workspace_name: 'Harbour', terms: [{ id: version, accepted_at: null }] })
  })
})

test('K80: a member whom terms await does not learn the names of other members by their ids', async () => {
  const version = await issueTerms(world.alice, world.workspace_id)
  const team = await world.olivia.call(api.teams.create, { body: { team: { name: 'Of bob' } } })
  const params = { id: team.id }
  await world.olivia.call(api.teams.addMember, { params, body: { user_id: world.bob.id } })
  await world.olivia.call(api.teams.update, { params, body: { team: { team_owner_id: world.bob.id } } })
  const add = () => world.bob.statusOf(api.teams.addMember, { params, body: { user_id: world.wendy.id } })
  expect(await add()).toBe(404)
  await acceptTerms(world.bob, world.workspace_id, version)
  expect(await add()).toBe(201)
})
