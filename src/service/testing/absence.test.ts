import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { comparable } from './comparable.ts'
import { runJobs } from './jobs.ts'
import { readZip } from './documents/read-zip.ts'
import { createRoom, type Room } from './room.ts'
import { startTestService, type TestService } from './start-service.ts'
import { addMember, createWorld, type World } from './world.ts'

// Two rooms that look the same to bob. One has hidden items everywhere, and no reply to bob may tell which one.

interface Seen {
  room: Room
  finance: number
  below: number
  file: number
}

let service: TestService
let world: World
let plain: Seen
let crowded: Seen
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  plain = await createSeen()
  crowded = await createSeen()
  await addHidden(crowded)
})
afterAll(() => service.close())

async function createSeen(): Promise<Seen> {
  const room = await createRoom(world)
  const body = { workspace: { numbering: 'per_reader' as const } }
  await world.alice.call(api.workspaces.update, { params: { id: room.workspace_id }, body })
  const finance = await room.folder('Finance')
  const below = await room.folder('Reports', finance)
  await room.grant(finance, 'download')
  const { id: file } = await room.upload(world.alice, finance, 'report one.txt', 'the quarterly report')
  await room.upload(world.alice, below, 'report two.txt', 'another quarterly report')
  return { room, finance, below, file }
}

/**
 * Adds folders, files, versions, groups, members, deletions and acts that are hidden from bob, before and after what he
 * sees.
 */
async function addHidden({ room, finance, below }: Seen): Promise<void> {
  const { workspace_id } = room
  const { alice, wendy, olivia } = world
  for (const parent of [0, finance, below]) {
    const hidden = await room.folder('Quarterly secrets', parent)
    await room.revoke(hidden, 'view')
    const inner = await room.folder('Finance', hidden)
    for (const folder of [hidden, inner]) {
      for (const name of ['report one.txt', 'report three.txt', 'report one.txt'])
        await room.upload(alice, folder, name, `a secret quarterly report in ${name}`)
    }
    const first = await room.folder('First', parent)
    await room.revoke(first, 'view')
    await alice.call(api.folders.update, { params: { id: first }, body: { workspace_id, folder: { index: 1 } } })
    const doomed = await room.folder('Doomed', hidden)
    await alice.call(api.folders.remove, { params: { id: doomed }, query: { workspace_id } })
  }
  const { id: others } = await alice.call(api.groups.create, { body: { group: { name: 'Others', workspace_id } } })
  for (const person of [wendy, olivia]) await addMember(alice, workspace_id, others, person)
  await room.grant(finance, 'upload', others)
  await room.grant(finance, 'download', others)
  const inTenDays = new Date(Date.now() + 864e6).toISOString().slice(0, 10)
  const group = { expire_workspace_access_at: inTenDays }
  await alice.call(api.groups.setAccessExpiry, { params: { id: others }, body: { workspace_id, group } })
  const download = { folder_ids: [finance], file_ids: [] }
  await wendy.call(api.downloads.create, { body: { workspace_id, download } })
  await alice.call(api.uploads.create, {
    body: { workspace_id, folder_id: finance, file_name: 'coming.txt', size: '9' },
  })
}

type Reading = [name: string, endpoint: AnyEndpoint, call: (seen: Seen) => CallParts]

const within = ({ room: { workspace_id } }: Seen) => ({ workspace_id })
const { folders, files, permissions, groups, activities, downloads, workspaces, users, sealedCopies, trash } = api
const READINGS: Reading[] = [
  ['the workspace', workspaces.get, ({ room }) => ({ params: { id: room.workspace_id } })],
  ['the home', workspaces.home, ({ room }) => ({ params: { id: room.workspace_id } })],
  ['a folder', folders.get, (seen) => ({ params: { id: seen.finance }, query: within(seen) })],
  [
    'a page of a folder',
    folders.get,
    (seen) => ({ params: { id: seen.finance }, query: { ...within(seen), per_page: 25 } }),
  ],
  ['a folder below', folders.get, (seen) => ({ params: { id: seen.below }, query: within(seen) })],
  ['a search for folders', folders.search, (seen) => ({ query: { ...within(seen), q: 'quarterly' } })],
  ['a search for visible folders', folders.search, (seen) => ({ query: { ...within(seen), q: 'finance' } })],
  ['a search', files.search, (seen) => ({ query: { ...within(seen), q: 'report' } })],
  ['a search for a secret', files.search, (seen) => ({ query: { ...within(seen), q: 'secret' } })],
  ['a phrase', files.search, (seen) => ({ query: { ...within(seen), q: '"quarterly report"' } })],
  [
    'a search in a folder',
    files.search,
    (seen) => ({ query: { ...within(seen), q: 'report', folder_id: seen.below } }),
  ],
  ['a file', files.get, (seen) => ({ params: { id: seen.file }, query: within(seen) })],
  ['its pages', files.pages, (seen) => ({ params: { id: seen.file }, query: within(seen) })],
  ['its versions', files.versions, (seen) => ({ params: { id: seen.file }, query: within(seen) })],
  [
    'the rights at the top',
    permissions.list,
    (seen) => ({ params: { id: 0 }, query: { ...within(seen), group_id: seen.room.group_id } }),
  ],
  [
    'the rights in a folder',
    permissions.list,
    (seen) => ({ params: { id: seen.finance }, query: { ...within(seen), group_id: seen.room.group_id } }),
  ],
  [
    'the sheet of some folders',
    permissions.sheet,
    (seen) => ({ query: { ...within(seen), group_ids: [seen.room.group_id], folder_ids: [0, seen.finance] } }),
  ],
  [
    'the sheet of all folders',
    permissions.sheet,
    (seen) => ({ query: { ...within(seen), group_ids: [seen.room.group_id], below: 0 } }),
  ],
  ['the groups', groups.list, (seen) => ({ query: within(seen) })],
  ['the own group', groups.get, (seen) => ({ params: { id: seen.room.group_id }, query: within(seen) })],
  ['the activities', activities.list, ({ room }) => ({ params: { workspace_id: room.workspace_id } })],
  [
    'the activities of others',
    activities.list,
    ({ room }) => ({ params: { workspace_id: room.workspace_id }, query: { user_id: world.alice.id } }),
  ],
  ['the downloads', downloads.listStatus, ({ room }) => ({ params: { workspace_id: room.workspace_id } })],
  ['the sealed copies', sealedCopies.list, (seen) => ({ query: within(seen) })],
  ['the trash', trash.list, (seen) => ({ query: within(seen) })],
]

it.each(READINGS)('K12, K15: %s: the same with hidden items as without', async (_, endpoint, callOf) => {
  const read = async (seen: Seen) => {
    const { path, init } = requestOf(endpoint, callOf(seen))
    const response = await world.bob.fetch(path, init)
    const { status, headers } = response
    const counted = ['x-total-count', 'link', 'x-total', 'content-range'].map((name) =>
      headers.get(name)?.replace(/_id=\d+/g, '_id=0'),
    )
    return {
      counted,
      answer: comparable(
        { status, text: (await response.text()).replaceAll(headers.get('x-request-id') ?? '', '') },
        endpoint,
        { positions: true },
      ),
    }
  }
  expect(await read(crowded)).toEqual(await read(plain))
})

it('K12: no reply changes, times and ETags included, when hidden items come and go', async ({ task }) => {
  const seen = await createSeen()
  const readAll = async () => {
    const all: unknown[] = []
    for (const [name, endpoint, callOf] of READINGS) {
      const { path, init } = requestOf(endpoint, callOf(seen))
      const response = await world.bob.fetch(path, init)
      const text = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '', '')
      const told = text.replaceAll(/"(expiring\w*_url|expires)":("[^"]*"|\d+)/g, '')
      const etag = told === text && response.ok && response.headers.get('etag')
      all.push([name, response.status, told, etag])
    }
    return all
  }
  // The first reading is recorded as a visit.
  await readAll()
  const before = await readAll()
  await addHidden(seen)
  task.meta.attempts = READINGS.length
  expect(await readAll()).toEqual(before)
})

it('K12: lists of expiring groups and of workspaces name no groups of others', async () => {
  const { expirations } = await world.bob.call(users.expirations, {})
  expect(expirations).toEqual([])
  const { workspaces: enterable } = await world.bob.call(users.workspaces, {})
  const [first, second] = [plain, crowded].map(({ room }) => enterable.find(({ id }) => id === room.workspace_id))
  const told = (workspace: object | undefined) =>
    comparable({ status: users.workspaces.success, text: JSON.stringify(workspace) }, users.workspaces)
  expect(told(second)).toEqual(told(first))
  const { workspaces: news } = await world.bob.call(users.news, {})
  const [ofPlain, ofCrowded] = [plain, crowded].map(({ room }) => {
    const {
      workspace_id: _own,
      new_since: _at,
      ...counts
    } = news.find((each) => each.workspace_id === room.workspace_id) ?? {}
    return counts
  })
  expect(ofCrowded).toEqual(ofPlain)
  expect(ofPlain).toMatchObject({ to_do: null })
})

it('K12: a zip has the same files and the same manifest with hidden items as without', async () => {
  const zip = async ({ room: { workspace_id }, finance }: Seen) => {
    const download = { folder_ids: [finance], file_ids: [] }
    const { id } = await world.bob.call(downloads.create, { body: { workspace_id, download } })
    await runJobs(service)
    const { expiring_url } = await world.bob.call(downloads.get, { params: { id }, query: { workspace_id } })
    const response = await fetch(service.url + new URL(expiring_url).pathname)
    return readZip(Buffer.from(await response.arrayBuffer()))
  }
  expect(await zip(crowded)).toEqual(await zip(plain))
})
