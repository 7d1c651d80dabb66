import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { enterFolder } from '../access/enter/folder.ts'
import { enterWorkspace } from '../access/enter/workspace.ts'
import type { Actor } from '../auth/actor.ts'
import { ApiError } from '../base/errors.ts'
import { getContent } from '../store/folders/folder-content.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { type DatabaseRelay, startDatabaseRelay } from '../testing/database/database-relay.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createWorld, type Person, type World } from '../testing/world.ts'

let relay: DatabaseRelay
let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService({}, async (url) => (relay = await startDatabaseRelay(url)).url)
  world = await createWorld(service)
})
afterAll(async () => {
  await service.close()
  await relay.dispose()
})

/** A room with a folder to list, folders around it, and rights of bob that differ below it. */
interface Scene extends Room {
  top: number
  listed: number
  inside: number
  deep: number
  hidden: number
  other: number
  files: Room['files']
}

async function createScene(): Promise<Scene> {
  const room = await createRoom(world)
  const top = await room.folder('Top')
  const listed = await room.folder('Listed', top)
  const [inside, hidden] = [await room.folder('Inside', listed), await room.folder('Hidden', listed)]
  const [deep, other] = [await room.folder('Deep', inside), await room.folder('Other')]
  await room.grant(top, 'view')
  await room.revoke(hidden, 'view')
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await room.upload(world.alice, listed, name)
  return { ...room, top, listed, inside, hidden, deep, other }
}

const pathOf = ({ workspace_id }: Room, id: number) => `/api/v1/folders/${id}?workspace_id=${workspace_id}`

/** What the service answers, from its memory or not. */
async function served(person: Person, room: Room, id: number): Promise<unknown> {
  const response = await person.fetch(pathOf(room, id))
  return response.ok ? response.json() : response.status
}

/** The same without the memory. */
async function read(person: Person, { workspace_id }: Room, id: number): Promise<unknown> {
  const { db } = service.services
  const { organization_id } = await db
    .selectFrom('users')
    .select('organization_id')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const actor = { id: person.id, organization_id, now: new Date() } as Actor
  try {
    const folder = await enterFolder(db, await enterWorkspace(db, actor, workspace_id), id)
    const { immediate_subfiles, ...content } = await getContent(db, folder)
    return { ...content, immediate_subfiles: JSON.parse(`[${immediate_subfiles.texts.join()}]`) as unknown }
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}

const views = ({ top, listed, inside }: Scene) =>
  [world.alice, world.bob].flatMap((person) => [top, listed, inside].map((id) => [person, id] as const))

/** Expects that all lists are as they are in the database. @returns them */
async function expectTrue(scene: Scene): Promise<unknown[]> {
  const lists = []
  for (const [person, id] of views(scene)) {
    const list = await served(person, scene, id)
    expect(list).toEqual(await read(person, scene, id))
    lists.push(list)
  }
  return lists
}

const acts: Record<string, (scene: Scene) => Promise<unknown>> = {
  'an upload': ({ upload, listed }) => upload(world.alice, listed, 'new.txt'),
  'a new version': ({ upload, listed }) => upload(world.alice, listed, 'one.txt', 'longer than before'),
  'an analysed document': async ({ workspace_id }) =>
    sql`update files set pages = 7, viewer_status = 'Ready' where workspace_id = ${workspace_id}`.execute(
      service.services.db,
    ),
  'a renamed file': async (scene) => changeFile(scene, { title: 'Renamed' }),
  'a file at another index': async (scene) => changeFile(scene, { index: 3 }),
  'a file moved away': async ({ workspace_id, other, ...scene }) =>
    world.alice.call(api.files.move, {
      params: { id: await firstFile({ workspace_id, ...scene }) },
      body: { workspace_id, destination_folder_id: other },
    }),
  'a deleted file': async ({ workspace_id, ...scene }) =>
    world.alice.call(api.files.remove, {
      params: { id: await firstFile({ workspace_id, ...scene }) },
      query: { workspace_id },
    }),
  'a restored file': restoreNewest,
  'a new subfolder': ({ folder, listed }) => folder('New', listed),
  'a folder in a subfolder': ({ folder, inside }) => folder('Newer', inside),
  'a renamed subfolder': ({ workspace_id, inside }) => changeFolder(workspace_id, inside, { name: 'Renamed' }),
  'a renamed ancestor': ({ workspace_id, top }) => changeFolder(workspace_id, top, { name: 'Renamed' }),
  'a number in the name of an ancestor': ({ workspace_id, top }) =>
    changeFolder(workspace_id, top, { name: '7.1 Named' }),
  'the number of an ancestor recognised': ({ folder, top }) => folder('7.1.1 Found', top),
  'subfolders in another order': ({ workspace_id, inside }) => changeFolder(workspace_id, inside, { index: 2 }),
  'a right on a subfolder': ({ grant, hidden }) => grant(hidden, 'view'),
  'a right taken from a subfolder': ({ revoke, hidden }) => revoke(hidden, 'view'),
  'a right far below': ({ grant, hidden, folder }) => folder('Led to', hidden).then((id) => grant(id, 'view')),
  'a right taken with the one below': ({ revoke, hidden }) => revoke(hidden, 'view'),
  'another group': async ({ group, grant, hidden }) => grant(hidden, 'view', await group('Others')),
  'a right to download': ({ grant, top }) => grant(top, 'download'),
  'a folder moved out of a subfolder': ({ workspace_id, deep, other }) => moveFolder(workspace_id, deep, other),
  'the folder moved': ({ workspace_id, listed, other }) => moveFolder(workspace_id, listed, other),
  'the folder moved back': ({ workspace_id, listed, top }) => moveFolder(workspace_id, listed, top),
  'a right taken from the folder': ({ revoke, listed }) => revoke(listed, 'view'),
  'a right on the folder': ({ grant, listed }) => grant(listed, 'view'),
  'a deleted subfolder': ({ workspace_id, hidden }) =>
    world.alice.call(api.folders.remove, { params: { id: hidden }, query: { workspace_id } }),
  'a restored subfolder': restoreNewest,
  'a member out of the group': ({ workspace_id, group_id }) =>
    world.alice.call(api.groups.removeMember, {
      params: { id: group_id },
      query: { workspace_id, user_id: world.bob.id },
    }),
  'a member in the group again': ({ workspace_id, group_id }) =>
    addMember(world.alice, workspace_id, group_id, world.bob),
  'a group that expires': async ({ workspace_id, group_id }) =>
    sql`update groups set expire_workspace_access_at = '2001-01-01' where workspace_id = ${workspace_id} and id = ${group_id}`.execute(
      service.services.db,
    ),
}

async function firstFile({ workspace_id, listed }: Pick<Scene, 'workspace_id' | 'listed'>): Promise<number> {
  const list = await world.alice.call(api.folders.get, { params: { id: listed }, query: { workspace_id } })
  return list.immediate_subfiles[0]?.id ?? 0
}

async function changeFile(scene: Scene, file: { title?: string; index?: number }): Promise<unknown> {
  const { workspace_id } = scene
  return world.alice.call(api.files.update, { params: { id: await firstFile(scene) }, body: { workspace_id, file } })
}

const changeFolder = (workspace_id: number, id: number, folder: { name?: string; index?: number }) =>
  world.alice.call(api.folders.update, { params: { id }, body: { workspace_id, folder } })

const moveFolder = (workspace_id: number, id: number, destination_folder_id: number) =>
  world.alice.call(api.folders.move, { params: { id }, body: { workspace_id, destination_folder_id } })

async function restoreNewest({ workspace_id }: Scene): Promise<unknown> {
  const [newest] = await world.alice.call(api.trash.list, { query: { workspace_id } })
  return world.alice.call(api.trash.restore, {
    params: { deletion_id: newest?.deletion_id ?? '' },
    body: { workspace_id },
  })
}

describe('K33: a remembered list is never an old one', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await createScene()
  })

  it.each(Object.keys(acts))('after %s', async (name) => {
    const before = await expectTrue(scene)
    await acts[name]?.(scene)
    expect(await expectTrue(scene)).not.toEqual(before)
  })

  /** A value that differs, by the type of a column. */
  const OTHER: Record<string, string[]> = {
    integer: ['# + 1'],
    bigint: ['# + 1'],
    text: [
      `# || 'x'`,
      `case # when 'Ready' then 'Failed' else 'Ready' end`,
      `case # when 'view' then 'upload' else 'view' end`,
    ],
    boolean: ['# is not true'],
    date: [`coalesce(#, '2999-01-01') - 1`],
    'timestamp with time zone': [`coalesce(#, now()) - interval '1 day'`],
  }

  async function change(table: string, column: string, type: string, workspaceId: number): Promise<boolean> {
    for (const value of OTHER[type] ?? []) {
      const text = `update ${table} set ${column} = ${value.replaceAll('#', column)} where workspace_id = ${workspaceId}`
      try {
        await sql.raw(text).execute(service.services.db)
        return true
      } catch {
        // A constraint protects the column, or it is generated.
      }
    }
    return false
  }

  it('after a change of any column of any row that a list is made of', async () => {
    const { rows } = await sql<{ table_name: string; column_name: string; data_type: string }>`
      select table_name, column_name, data_type from information_schema.columns
      where table_name in ('files', 'folders', 'folder_permissions', 'groups', 'group_memberships')
      order by table_name = 'groups', table_name, ordinal_position`.execute(service.services.db)
    const shown = new Set<string>()
    let changed = await createScene()
    let before = await expectTrue(changed)
    for (const { table_name, column_name, data_type } of rows) {
      if (!(await change(table_name, column_name, data_type, changed.workspace_id))) continue
      const after = await expectTrue(changed)
      if (JSON.stringify(after) !== JSON.stringify(before)) shown.add(`${table_name}.${column_name}`)
      before = after
      // Some changes take the folders or the files out of sight.
      if (after.some((list) => typeof list === 'number') || !JSON.stringify(after).includes('"title"')) {
        changed = await createScene()
        before = await expectTrue(changed)
      }
    }
    const files = [
      'created_at',
      'damaged',
      'deleted_at',
      'file_content_type',
      'file_name',
      'file_size',
      'folder_id',
      'index',
    ]
    files.push('infected', 'pages', 'title', 'updated_at', 'version', 'viewer_status')
    const folders = ['created_at', 'deleted_at', 'index', 'is_draft', 'last_updated_user_id', 'name', 'updated_at']
    const overrides = ['flag', 'folder_id', 'value']
    expect([...shown].toSorted()).toEqual([
      ...files.map((column) => `files.${column}`),
      ...overrides.map((column) => `folder_permissions.${column}`),
      ...folders.map((column) => `folders.${column}`),
    ])
  })
})

describe('a list that did not change', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await createScene()
  })
  const list = (person: Person, etag?: string) =>
    person.fetch(pathOf(scene, scene.listed), { headers: etag === undefined ? {} : { 'if-none-match': etag } })

  /** Work of the service itself may come in between. */
  async function leastTraffic(work: () => Promise<unknown>): Promise<unknown> {
    const traffic = []
    for (let attempt = 0; attempt < 4; attempt++) {
      relay.meter()
      await work()
      traffic.push(relay.meter())
    }
    return traffic.toSorted((a, b) => a.roundTrips - b.roundTrips)[0]
  }

  it('is not read again, and has the same bytes and ETag', async () => {
    const first = await list(world.alice)
    const second = await list(world.alice)
    const etag = first.headers.get('etag') ?? ''
    expect([second.status, second.headers.get('etag')]).toEqual([200, etag])
    expect(await second.text()).toBe(await first.text())
    const known = await list(world.alice, etag)
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect(await leastTraffic(() => list(world.alice))).toMatchObject({ roundTrips: 1 })
    expect(await leastTraffic(() => list(world.alice, etag))).toMatchObject({ roundTrips: 1 })
  })

  it('keeps its ETag when a change leaves the bytes as they are', async () => {
    const first = await list(world.alice)
    await sql`update files set held = not held where workspace_id = ${scene.workspace_id}`.execute(service.services.db)
    expect((await list(world.alice, first.headers.get('etag') ?? '')).status).toBe(304)
  })

  test('K33: is refused to a user whose right was revoked, whatever ETag they have', async () => {
    const etag = (await list(world.bob)).headers.get('etag') ?? ''
    expect((await list(world.bob, etag)).status).toBe(304)
    await scene.revoke(scene.listed, 'view')
    expect([(await list(world.bob, etag)).status, (await list(world.bob, '*')).status]).toEqual([404, 404])
    await scene.grant(scene.listed, 'view')
    await scene.revoke(scene.hidden, 'view')
    expect((await list(world.bob, etag)).status).toBe(304)
  })

  test('K33: of one user is not that of another user with other rights', async () => {
    const seen = await (await list(world.alice)).text()
    const other = await (await list(world.bob, (await list(world.alice)).headers.get('etag') ?? '')).text()
    expect(seen).toContain('"Hidden"')
    expect(other).toContain('"Inside"')
    expect(other).not.toContain('"Hidden"')
  })

  it('is a page of its own for each page', async () => {
    const pages = []
    for (const page of [1, 2, 1, 2])
      pages.push(await (await world.alice.fetch(`${pathOf(scene, scene.listed)}&per_page=25&page=${page}`)).text())
    expect(pages[0]).not.toBe(pages[1])
    expect(pages.slice(2)).toEqual(pages.slice(0, 2))
  })

  it('is the JSON of its titles, whatever characters they have', async () => {
    const title = 'a "quote", a \\ %s %1$s \u0001 \u2028 é 😀 </script>'
    await sql`update files set title = ${title} where workspace_id = ${scene.workspace_id}`.execute(service.services.db)
    const { immediate_subfiles } = (await (await list(world.alice)).json()) as {
      immediate_subfiles: { title: string }[]
    }
    expect(immediate_subfiles.map((file) => file.title)).toEqual([title, title, title])
  })
})

describe('K33: writers in one folder', () => {
  it('do not wait for each other, and each of them makes the list new when it commits', async () => {
    const scene = await createScene()
    const { db } = service.services
    const ids = ((await served(world.alice, scene, scene.listed)) as { immediate_subfiles: { id: number }[] })
      .immediate_subfiles
    const pages = async () =>
      (
        (await served(world.alice, scene, scene.listed)) as { immediate_subfiles: { pages: number }[] }
      ).immediate_subfiles.map((file) => file.pages)
    const write = (tx: typeof db, at: number) =>
      sql`update files set pages = ${at + 1} where workspace_id = ${scene.workspace_id} and id = ${ids[at]?.id}`.execute(
        tx,
      )
    await db.transaction().execute(async (first) => {
      await write(first, 0)
      await db.transaction().execute(async (second) => {
        await sql`set local lock_timeout = '2s'`.execute(second)
        await write(second, 1)
      })
      expect(await pages()).toEqual([0, 2, 0])
    })
    expect(await pages()).toEqual([1, 2, 0])
    await db
      .transaction()
      .execute(async (lost) => {
        await write(lost, 2)
        throw new Error('rolled back')
      })
      .catch(() => {})
    expect(await pages()).toEqual([1, 2, 0])
  })
})
