import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { FLAGS } from '../../contract/endpoints/permissions.ts'
import { type Db, openPool } from '../db/pool.ts'
import { issueTerms } from '../testing/deal/terms.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

const { permissions } = api
type Change = NonNullable<Call<typeof permissions.change>['body']>['changes'][number]

let service: TestService
let world: World
let db: Db
let room: Room
/** The root, then Finance containing Audit and Tax, then Legal. */
let folders: number[]
let groups: number[]

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  db = openPool(service.config.databaseUrl, 2)
})
afterAll(async () => {
  await db.destroy()
  await service.close()
})
beforeEach(async () => {
  room = await createRoom(world)
  const finance = await room.folder('Finance')
  const audit = await room.folder('Audit', finance)
  const tax = await room.folder('Tax', finance)
  folders = [0, finance, audit, tax, await room.folder('Legal')]
  groups = [room.group_id, await room.group('Lenders')]
})

const change = (changes: Change[], dry_run = false) =>
  world.alice.call(permissions.change, { body: { workspace_id: room.workspace_id, changes, dry_run } })
const matrix = () => world.alice.call(permissions.matrix, { query: { workspace_id: room.workspace_id } })
const storedRows = () =>
  db
    .selectFrom('folder_permissions')
    .selectAll()
    .where('workspace_id', '=', room.workspace_id)
    .orderBy('group_id')
    .orderBy('folder_id')
    .orderBy('flag')
    .execute()
const acts = () => room.messages()

const flag = fc.option(fc.boolean(), { nil: undefined })
const rights = fc
  .record({ view: flag, download: flag, upload: flag })
  .filter(({ view, download, upload }) => !(view === false && (download || upload)))
const anyChange = fc.record({ folder: fc.nat(4), group: fc.nat(1), rights: fc.option(rights) })
const toChange = ({ folder, group, rights: of }: { folder: number; group: number; rights: Change['rights'] }) => ({
  folder_id: folders[folder] ?? 0,
  group_id: groups[group] ?? 0,
  rights: of,
})

describe('a batch of changes', () => {
  it('C11: equals its single changes, matches its dry run, and is undone by its inverse', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { maxLength: 6 }),
        fc.array(anyChange, { minLength: 1, maxLength: 6 }),
        async (first, then) => {
          if (first.length > 0) await change(first.map(toChange))
          const [before, rows] = [await matrix(), await storedRows()]
          const foretold = await change(then.map(toChange), true)
          expect(await storedRows()).toEqual(rows)

          const done = await change(then.map(toChange))
          expect(done).toEqual(foretold)
          expect(await matrix()).toEqual(naively(before, then.map(toChange)))

          if (done.inverse.length > 0) await change(done.inverse)
          expect(await storedRows()).toEqual(rows)
        },
      ),
      { numRuns: 40, endOnFailure: true },
    )
  }, 120_000)

  it('is recorded by its outcome, as if made by hand', async () => {
    const [, finance = 0, audit = 0, , legal = 0] = folders
    await room.grant(0, 'view')
    const before = (await acts()).length
    await change([
      { folder_id: finance, group_id: room.group_id, rights: { download: true } },
      { folder_id: audit, group_id: room.group_id, rights: { download: false } },
      { folder_id: legal, group_id: room.group_id, rights: { view: false } },
    ])
    expect((await acts()).slice(0, -before).toSorted()).toEqual([
      'granted download access to Finance for group: Bidders',
      'revoked view access to Legal for group: Bidders',
    ])
  })

  it('with more values than a statement has parameters is applied and recorded', async () => {
    const { workspace_id } = room
    const { rows } = await sql<{ id: number }>`
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select ${workspace_id}, 1000000 + n, 0, 'Part ' || n, 2 + n, array[0, 1000000 + n], ${world.alice.id}
      from generate_series(1, 60) n returning id`.execute(db)
    const bidders = await sql<{ id: number }>`
      insert into groups (workspace_id, name) select ${workspace_id}, 'Bidder ' || n from generate_series(1, 100) n
      returning id`.execute(db)
    const before = (await acts()).length
    const pairs = rows.flatMap((folder) => bidders.rows.map((group) => ({ folder_id: folder.id, group_id: group.id })))
    const { effects } = await change(pairs.map((pair) => ({ ...pair, rights: { view: true } })))
    expect(effects).toHaveLength(6000)
    const written = await db
      .selectFrom('activities')
      .select('message')
      .where('workspace_id', '=', workspace_id)
      .orderBy('id')
      .offset(before)
      .execute()
    expect(written.map(({ message }) => message)).toEqual(
      effects.map(({ path, group_name }) => `granted view access to ${path.slice(1)} for group: ${group_name}`),
    )
  }, 120_000)

  it('C11: on many folders, some nested and some in the trash, equals its single changes', async () => {
    const { workspace_id, group_id } = room
    const made = await sql<{ id: number }>`
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select ${workspace_id}, 3000000 + n, case when n % 2 = 0 then 0 else 3000000 + n - 1 end, 'Part ' || n, 2 + n,
        case when n % 2 = 0 then array[0, 3000000 + n] else array[0, 3000000 + n - 1, 3000000 + n] end, ${world.alice.id}
      from generate_series(1, 121) n where n > 1 returning id`.execute(db)
    const ids = made.rows.map(({ id }) => id)
    const rightsOf = fc.option(rights.map(({ view, download }) => ({ view, download })))
    const many = (given: Change['rights'][]) =>
      ids.map((folder_id, at) => ({ folder_id, group_id, rights: given[at] ?? null }))
    const trashed = async () => {
      const { rows } = await sql<{ folder_id: number; flag: string }>`
        select folder_id, flag from trashed_permissions where workspace_id = ${workspace_id} order by folder_id, flag`.execute(
        db,
      )
      return rows
    }
    const lists = fc.array(rightsOf, { minLength: ids.length, maxLength: ids.length })
    const [first = [], then = []] = fc.sample(lists, { numRuns: 2, seed: 7 })
    await change(many(first))
    // The last two folders, with their content.
    for (const id of [3_000_119, 3_000_120])
      await world.alice.call(api.folders.remove, { params: { id }, query: { workspace_id } })
    const changes = [{ folder_id: 0, group_id, rights: { view: true } }, ...many(then).slice(0, -3)]
    const [before, inTrash] = [await storedRows(), await trashed()]
    expect(inTrash.map((row) => row.flag)).toEqual(expect.arrayContaining(['view', 'download']))
    const { inverse, effects } = await change(changes)
    const after = await storedRows()
    expect(await trashed()).toEqual(inTrash.filter((row) => row.flag !== 'view'))
    expect(effects.length).toBeGreaterThan(50)
    await change(inverse)
    expect(await storedRows()).toEqual(before)
    for (const one of changes) await change([one])
    expect(await storedRows()).toEqual(after)
  }, 120_000)

  it('K23: on 10,000 folders without overrides succeeds', async () => {
    const { workspace_id, group_id } = room
    const { rows } = await sql<{ id: number }>`
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select ${workspace_id}, 2000000 + n, 0, 'Part ' || n, 2 + n, array[0, 2000000 + n], ${world.alice.id}
      from generate_series(1, 10000) n returning id`.execute(db)
    const changes = rows.map(({ id }) => ({ folder_id: id, group_id, rights: { view: true, download: true } }))
    const { effects, inverse } = await change(changes, true)
    expect([effects.length, inverse.length]).toEqual([10_000, 10_000])
  }, 120_000)

  it('leaves no record when nothing changes or for a dry run', async () => {
    const before = await acts()
    await change([{ folder_id: 0, group_id: room.group_id, rights: { view: true } }], true)
    const { effects, inverse } = await change([{ folder_id: 0, group_id: room.group_id, rights: { view: false } }])
    expect({ effects, inverse }).toEqual({ effects: [], inverse: [] })
    expect(await acts()).toEqual(before)
  })

  it.each<[string, () => Change, number]>([
    [
      'contradicts itself',
      () => ({ folder_id: 0, group_id: room.group_id, rights: { view: false, upload: true } }),
      422,
    ],
    ['names a folder that is absent', () => ({ folder_id: 999_999, group_id: room.group_id, rights: null }), 404],
    ['names a group of another workspace', () => ({ folder_id: 0, group_id: world.group_id, rights: null }), 404],
  ])('is not applied at all when one %s', async (_, wrong, status) => {
    const body = {
      workspace_id: room.workspace_id,
      changes: [{ folder_id: 0, group_id: room.group_id, rights: { view: true } }, wrong()],
    }
    expect(await world.alice.statusOf(permissions.change, { body })).toBe(status)
    expect(await storedRows()).toEqual([])
  })

  it('does not change admin groups', async () => {
    const all = await world.alice.call(api.groups.list, { query: { workspace_id: room.workspace_id } })
    const admins = all.find((group) => group.name === 'Workspace Admins')?.id ?? 0
    const body = {
      workspace_id: room.workspace_id,
      changes: [{ folder_id: 0, group_id: admins, rights: { view: false } }],
    }
    expect(await world.alice.statusOf(permissions.change, { body })).toBe(422)
  })
})

type Matrix = Reply<typeof permissions.matrix>

/** Applies each change to every row below its folder, as a simple reference. */
function naively(before: Matrix, changes: Change[]): Matrix {
  const after = structuredClone(before)
  const rowOf = (folder_id: number) => after.find((row) => row.folder_id === folder_id) as Matrix[number]
  const parentOf = ({ path }: Matrix[number]) =>
    after.find((row) => row.path === (path.slice(0, path.lastIndexOf('/')) || '/')) as Matrix[number]
  for (const { folder_id, group_id, rights: wanted } of changes) {
    const top = rowOf(folder_id)
    const ofGroup = (row: Matrix[number]) =>
      row.groups.find((each) => each.group_id === group_id) as Matrix[number]['groups'][number]
    const none = { view: false, download: false, upload: false }
    const set = wanted ?? (folder_id === 0 ? none : ofGroup(parentOf(top)))
    const isBelow = (row: Matrix[number]) => folder_id === 0 || row === top || row.path.startsWith(`${top.path}/`)
    for (const row of after.filter(isBelow)) {
      const own = ofGroup(row)
      for (const each of FLAGS) own[each] = set[each] ?? own[each]
      if (wanted?.download || wanted?.upload) own.view = true
      if (wanted?.view === false) Object.assign(own, none)
    }
  }
  return after
}

describe('the users who can see a folder', () => {
  it('are listed with the groups and folders that give them the right', async () => {
    const [, finance = 0, audit = 0] = folders
    await room.grant(0, 'view')
    await room.grant(finance, 'download', groups[1])
    const people = await world.alice.call(permissions.listPeople, {
      params: { id: audit },
      query: { workspace_id: room.workspace_id },
    })
    expect(people.map(({ user, admin }) => ({ id: user.id, admin }))).toEqual([
      { id: world.alice.id, admin: true },
      { id: world.bob.id, admin: false },
    ])
    expect(people[1]).toMatchObject({
      view: true,
      download: true,
      upload: false,
      reasons: [
        { flag: 'view', group_name: 'Bidders', folder_id: 0, folder_name: 'All Folders', folder_outline: '' },
        { flag: 'view', group_name: 'Lenders', folder_id: finance, folder_name: 'Finance', folder_outline: '1' },
        { flag: 'download', group_name: 'Lenders', folder_id: finance, folder_name: 'Finance', folder_outline: '1' },
      ],
    })
  })

  it('are listed with the protections that apply to them', async () => {
    const [lenders = 0] = groups.slice(1)
    await room.grant(0, 'download', lenders)
    const body = { workspace_id: room.workspace_id, group: { drm_enabled: true } }
    await world.alice.call(api.groups.setDrm, { params: { id: lenders }, body })
    const query = { workspace_id: room.workspace_id }
    const people = await world.alice.call(permissions.listPeople, { params: { id: 0 }, query })
    expect(people.map(({ admin, drm, watermark, marked_pages }) => [admin, drm, watermark, marked_pages])).toEqual([
      [true, false, false, false],
      [false, true, false, true],
    ])
  })
})

it('has the rights that are set on a draft in its matrix', async () => {
  const { workspace_id, group_id } = room
  const { id } = await world.alice.call(api.drafts.create, { body: { workspace_id, name: 'Prepared' } })
  await room.grant(id, 'view')
  const row = (await matrix()).find(({ folder_id }) => folder_id === id)
  expect(row?.groups.find((group) => group.group_id === group_id)).toMatchObject({ view: true, download: false })
})

it('records an undo as one', async () => {
  const [, finance = 0] = folders
  const grant = { folder_id: finance, group_id: room.group_id, rights: { download: true } }
  const body = { workspace_id: room.workspace_id }
  const { inverse } = await change([grant])
  const undone = await world.alice.call(permissions.change, { body: { ...body, changes: inverse, undo: true } })
  await world.alice.call(permissions.change, { body: { ...body, changes: undone.inverse, undo: true } })
  expect((await acts()).slice(0, 3)).toEqual([
    'undid the revocation of download access to Finance for group: Bidders',
    'undid the grant of view access to Finance for group: Bidders',
    'granted download access to Finance for group: Bidders',
  ])
})

describe('who can see a folder or a file', () => {
  it('is told with the end of access, the protection of pages, and the last opening', async () => {
    const [, finance = 0, audit = 0] = folders
    const { workspace_id, group_id } = room
    const { id } = await room.upload(world.alice, audit, 'report.txt')
    const query = { workspace_id }
    const bobIn = async (people: Promise<Reply<typeof permissions.listPeople>>) =>
      (await people).find(({ user }) => user.id === world.bob.id)
    const ofFile = () => bobIn(world.alice.call(permissions.listFilePeople, { params: { id }, query }))
    const ofFolder = (id: number) => bobIn(world.alice.call(permissions.listPeople, { params: { id }, query }))
    expect(await ofFile()).toBeUndefined()
    await room.grant(audit, 'view')
    await db
      .updateTable('groups')
      .set({ expire_workspace_access_at: '2095-03-03', watermarked: true })
      .where('id', '=', group_id)
      .execute()
    expect(await ofFile()).toMatchObject({
      until: '2095-03-03',
      marked_pages: true,
      watermark: false,
      last_opened_at: null,
    })
    await room.grant(audit, 'download')
    expect(await ofFile()).toMatchObject({ ends: { view: '2095-03-03', download: '2095-03-03', upload: null } })
    await room.grant(finance, 'view', groups[1])
    expect(await ofFile()).toMatchObject({ until: null, ends: { view: null, download: '2095-03-03', upload: null } })
    await db.updateTable('groups').set({ watermarked: false }).where('id', '=', group_id).execute()
    await room.grant(finance, 'download', groups[1])
    await world.bob.call(api.downloads.getFile, { params: { file_id: id }, query })
    expect(await ofFile()).toMatchObject({ until: null, last_opened_at: expect.stringMatching(/^20.*Z$/) })
    expect((await ofFolder(audit))?.last_opened_at).toBe((await ofFile())?.last_opened_at)
    expect((await ofFolder(finance))?.last_opened_at).toBeNull()
  })

  it('is told with how far they have come, and whether terms await them', async () => {
    await room.grant(0, 'view')
    const query = { workspace_id: room.workspace_id }
    const states = async () => {
      const people = await world.alice.call(permissions.listPeople, { params: { id: 0 }, query })
      return people.map(({ invitation_state, terms_await }) => [invitation_state, terms_await])
    }
    expect(await states()).toEqual([
      ['arrived', false],
      ['not_invited', false],
    ])
    await issueTerms(world.alice, room.workspace_id)
    await world.bob.statusOf(api.workspaces.get, { params: { id: room.workspace_id } })
    expect((await states())[1]?.[1]).toBe(true)
    expect((await states())[0]?.[1]).toBe(false)
  })
})

describe('the view of another user or group', () => {
  it('C5: is what that user and that group get themselves', async () => {
    const [, finance = 0, audit = 0, tax = 0, legal = 0] = folders
    await room.grant(audit, 'view')
    await room.grant(legal, 'upload', groups[1])
    await room.upload(world.alice, audit, 'report.txt')
    const { workspace_id } = room
    for (const id of [0, finance, audit, tax, legal]) {
      const own =
        id === 0
          ? await world.bob.call(api.workspaces.home, { params: { id: workspace_id } })
          : await world.bob.call(api.folders.get, { params: { id }, query: { workspace_id } }).catch(() => 404)
      const query = { workspace_id, user_id: world.bob.id }
      expect(await world.alice.call(permissions.viewAs, { params: { id }, query }).catch(() => 404)).toEqual(own)
    }
    const query = { workspace_id, group_id: room.group_id }
    const seen = await world.alice.call(permissions.viewAs, { params: { id: 0 }, query })
    expect(seen.immediate_subfolders.map(({ id, path_node }) => ({ id, path_node }))).toEqual([
      { id: finance, path_node: true },
    ])
    expect(await world.alice.statusOf(permissions.viewAs, { params: { id: legal }, query })).toBe(404)
  })

  it('C5: is empty for a group whose access has expired', async () => {
    await room.grant(0, 'view')
    await room.folder('Open to all')
    const { workspace_id, group_id } = room
    const query = { workspace_id, group_id }
    const count = async () =>
      (await world.alice.call(permissions.viewAs, { params: { id: 0 }, query })).immediate_subfolders.length
    expect(await count()).toBe(3)
    const expire_workspace_access_at = new Date().toISOString().slice(0, 10)
    await db.updateTable('groups').set({ expire_workspace_access_at }).where('id', '=', group_id).execute()
    expect(await count()).toBe(0)
  })

  it.each([{}, { group_id: 1, user_id: 1 }])('requires exactly one of the two: %o', async (who) => {
    const query = { workspace_id: room.workspace_id, ...who }
    expect(await world.alice.statusOf(permissions.viewAs, { params: { id: 0 }, query })).toBe(422)
  })

  it('of a user who is not a member is 404', async () => {
    const query = { workspace_id: room.workspace_id, user_id: world.mallory.id }
    expect(await world.alice.statusOf(permissions.viewAs, { params: { id: 0 }, query })).toBe(404)
  })
})
