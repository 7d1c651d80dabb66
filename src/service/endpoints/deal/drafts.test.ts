import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { MOST_DRAFTS } from '../../../contract/endpoints/deal/drafts.ts'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import { Client } from '../../testing/client.ts'
import { takeMails } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createWorld, type Person, type World } from '../../testing/world.ts'

const { drafts, folders, files, groups, permissions, trash } = api

let service: TestService
let world: World
let room: Room
let workspace_id: number
/** A folder that bob may download from. */
let finance: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  workspace_id = room.workspace_id
  finance = await room.folder('Finance')
  await room.grant(finance, 'download')
})

const draftIn = async (parent_id: number, name = 'Plans') =>
  (await world.alice.call(drafts.create, { body: { workspace_id, parent_id, name } })).id

const publish = (folder_ids: number[], dry_run = false) =>
  world.alice.call(drafts.publish, { params: { id: workspace_id }, body: { folder_ids, dry_run } })

const statusIn = (person: Person, id: number) =>
  person.statusOf(folders.get, { params: { id }, query: { workspace_id } })

async function namesIn(person: Person, id: number): Promise<string[]> {
  const { immediate_subfolders } = await person.call(folders.get, { params: { id }, query: { workspace_id } })
  return immediate_subfolders.map(({ outline, name, draft }) => `${outline} ${name}${draft ? ' (draft)' : ''}`)
}

/** What the grid of rights shows an admin of bob's group. */
async function shownIn(id: number, name: string): Promise<Flag[]> {
  const query = { workspace_id, group_id: room.group_id }
  const rows = await world.alice.call(permissions.list, { params: { id }, query })
  const row = rows.find((each) => each.name === name)
  return (['view', 'download', 'upload'] as const).filter((flag) => row?.[flag])
}

const move = (id: number, destination_folder_id: number) =>
  world.alice.call(folders.move, { params: { id }, body: { workspace_id, destination_folder_id } })

const copy = (id: number, destination_folder_id: number) =>
  world.alice.call(folders.copy, { params: { id }, body: { workspace_id, destination_folder_id } })

describe('a draft folder', () => {
  it('is hidden from groups with everything in it, until it is published', async () => {
    const plans = await draftIn(finance)
    const inner = await room.folder('Budget', plans)
    const { id: file } = await room.upload(world.alice, inner, 'budget.txt', 'numbers')
    expect(await namesIn(world.alice, finance)).toEqual(['1.1 Plans (draft)'])
    expect(await namesIn(world.alice, plans)).toEqual(['1.1.1 Budget (draft)'])
    expect(await namesIn(world.bob, finance)).toEqual([])
    for (const id of [plans, inner]) expect(await statusIn(world.bob, id)).toBe(404)
    expect(await world.bob.statusOf(files.get, { params: { id: file }, query: { workspace_id } })).toBe(404)

    expect(await publish([plans])).toMatchObject({ folders: 2, files: 1, people: 1, groups: 1 })
    expect(await namesIn(world.bob, finance)).toEqual(['1.1 Plans'])
    expect(await statusIn(world.bob, inner)).toBe(200)
    expect(await room.messages()).toContain('published the file: budget.txt')
    expect(await room.messages()).toContain('published the folder: Plans')
  })

  it('gives no right that is granted on it, in it or above it before it is published', async () => {
    const plans = await draftIn(finance)
    const inner = await room.folder('Budget', plans)
    await room.grant(inner, 'upload')
    await room.grant(plans, 'download')
    await room.grant(0, 'upload')
    expect(await shownIn(finance, 'Plans')).toEqual(['view', 'download', 'upload'])
    for (const id of [plans, inner]) expect(await statusIn(world.bob, id)).toBe(404)

    await room.revoke(plans, 'upload')
    expect(await shownIn(finance, 'Plans')).toEqual(['view', 'download'])
    const changes = [{ folder_id: inner, group_id: room.group_id, rights: { view: true } }]
    await world.alice.call(permissions.change, { body: { workspace_id, changes } })
    expect(await shownIn(plans, 'Budget')).toEqual(['view', 'download'])
    expect(await statusIn(world.bob, inner)).toBe(404)

    await publish([plans])
    expect(await shownIn(finance, 'Plans')).toEqual(['view', 'download'])
    const { abilities } = await world.bob.call(folders.get, { params: { id: inner }, query: { workspace_id } })
    expect(abilities).toMatchObject({ view: true, download: true, upload: false })
  })

  it('is counted without its rights, and with them where the grid asks for what is set', async () => {
    const plans = await draftIn(finance)
    const open = await room.folder('Open', finance)
    await room.folder('Budget', plans)
    await room.revoke(open, 'download')
    const countsOf = async (as_set: boolean) => {
      const query = { workspace_id, folder_ids: [finance], group_ids: [room.group_id], as_set }
      const [reach] = await world.alice.call(permissions.reach, { query })
      return [reach?.folders, reach?.groups[0]?.below]
    }
    expect(await countsOf(false)).toEqual([3, { view: 1, download: 0, upload: 0 }])
    expect(await countsOf(true)).toEqual([3, { view: 3, download: 2, upload: 0 }])
    await publish([plans])
    expect(await countsOf(false)).toEqual(await countsOf(true))
  })

  it('is hidden from a group that is made after it', async () => {
    const plans = await draftIn(0)
    const { id: late } = await world.alice.call(groups.create, { body: { group: { name: 'Late', workspace_id } } })
    await addMember(world.alice, workspace_id, late, world.bob)
    await room.grant(0, 'download', late)
    expect(await statusIn(world.bob, plans)).toBe(404)
    await publish([plans])
    expect(await statusIn(world.bob, plans)).toBe(200)
  })

  it('comes behind its siblings, so that no number of them or of files tells of it', async () => {
    const first = await draftIn(finance, 'First')
    await draftIn(finance, 'Second')
    await room.folder('Reports', finance)
    await room.upload(world.alice, finance, 'a.txt')
    await room.folder('Tax', finance)
    expect(await namesIn(world.alice, finance)).toEqual([
      '1.1 Reports',
      '1.2 Tax',
      '1.3 First (draft)',
      '1.4 Second (draft)',
    ])
    const content = await world.bob.call(folders.get, { params: { id: finance }, query: { workspace_id } })
    expect(content.immediate_subfolders.map(({ outline, index }) => [outline, index])).toEqual([
      ['1.1', 1],
      ['1.2', 2],
    ])
    expect((content.immediate_subfiles as { outline: string }[]).map(({ outline }) => outline)).toEqual(['1.3'])
    const body = { workspace_id, folder: { index: 1 } }
    await world.alice.call(folders.update, { params: { id: first }, body })
    expect((await namesIn(world.alice, finance))[0]).toBe('1.1 Reports')
    await publish([first])
    expect(await namesIn(world.bob, finance)).toEqual(['1.1 Reports', '1.2 Tax', '1.3 First'])
  })
})

describe('making a folder a draft', () => {
  const withdraw = { body: { workspace_id: 0 } }
  beforeEach(() => void (withdraw.body.workspace_id = workspace_id))

  it('keeps the rights that are set in it, and gives them back', async () => {
    const inner = await room.folder('Budget', finance)
    await room.revoke(inner, 'download')
    await room.folder('Legal')
    const made = await world.alice.call(drafts.withdraw, { params: { id: finance }, ...withdraw })
    expect(made).toMatchObject({ draft: true, outline: '2' })
    expect(await statusIn(world.bob, inner)).toBe(404)
    expect(await shownIn(0, 'Finance')).toEqual(['view', 'download'])
    expect(await world.alice.statusOf(drafts.withdraw, { params: { id: inner }, ...withdraw })).toBe(409)
    await publish([finance])
    const { abilities } = await world.bob.call(folders.get, { params: { id: inner }, query: { workspace_id } })
    expect(abilities).toMatchObject({ view: true, download: false })
  })

  it('is refused once a member has downloaded a file in it, and for the root', async () => {
    const { id: file } = await room.upload(world.alice, finance, 'a.txt')
    expect(await world.alice.statusOf(drafts.withdraw, { params: { id: 0 }, ...withdraw })).toBe(422)
    await world.bob.call(api.downloads.create, {
      body: { workspace_id, download: { folder_ids: [], file_ids: [file] } },
    })
    expect(await world.alice.statusOf(drafts.withdraw, { params: { id: finance }, ...withdraw })).toBe(409)
  })
})

describe('the list of drafts', () => {
  it('says who will see what', async () => {
    const plans = await draftIn(finance)
    const inner = await room.folder('Budget', plans)
    await room.upload(world.alice, inner, 'a.txt')
    await room.grant(inner, 'upload')
    const nested = await draftIn(plans, 'Options')
    const list = await world.alice.call(drafts.list, { params: { id: workspace_id } })
    const rights = { group_id: room.group_id, view: true, download: true, upload: false }
    expect(list.drafts).toMatchObject([
      {
        folder_id: plans,
        path: '/Finance/Plans',
        outline: '1.1',
        folders_count: 2,
        files_count: 1,
        in_draft: false,
        rights: [{ ...rights, differs_below: true }],
      },
      { folder_id: nested, in_draft: true, rights: [{ ...rights, differs_below: false }] },
    ])
    expect(list.groups).toEqual([{ id: room.group_id, name: 'Bidders', members_count: 1, is_draft: false }])
  })

  it('is tried out without publishing anything', async () => {
    const plans = await draftIn(finance)
    expect(await publish([plans], true)).toEqual({
      folders: 1,
      files: 0,
      people: 1,
      groups: 1,
      uninvited: 1,
      invited: 0,
    })
    expect(await statusIn(world.bob, plans)).toBe(404)
    expect(await room.messages()).not.toContain('published the folder: Plans')
  })

  it('invites the people who see it and are not invited yet, once, in the same act', async () => {
    const plans = await draftIn(finance)
    const later = await draftIn(finance, 'Later')
    const lenders = await world.alice.call(groups.create, { body: { group: { name: 'Lenders', workspace_id } } })
    await addMember(world.alice, workspace_id, lenders.id, world.mallory)
    await takeMails(service)
    const inviting = (folder_ids: number[], dry_run = false) =>
      world.alice.call(drafts.publish, {
        params: { id: workspace_id },
        body: { folder_ids, dry_run, invitation: { message: 'Please read the plans.' } },
      })
    expect(await inviting([plans], true)).toMatchObject({ uninvited: 1, invited: 0 })
    expect(await takeMails(service)).toEqual([])
    expect(await inviting([plans])).toMatchObject({ people: 1, uninvited: 0, invited: 1 })
    const mails = await takeMails(service)
    expect(mails.map(({ to }) => to)).toEqual([world.bob.email])
    expect(mails[0]?.text).toContain('Please read the plans.')
    expect(await room.messages()).toContain(`invited ${world.bob.first_name} ${world.bob.last_name}`)
    expect(await inviting([later])).toMatchObject({ people: 1, uninvited: 0, invited: 0 })
    expect(await takeMails(service)).toEqual([])
  })

  it('invites nobody for a personal key that may not manage groups, and then publishes nothing', async () => {
    const plans = await draftIn(finance)
    const key = await world.alice.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['folders:write'] } })
    const script = new Client(service.url, { key: key.public_key, secret: key.secret_key, token: key.user_token })
    await world.alice.call(api.workspaces.enableApiAccess, { params: { id: workspace_id } })
    const body = { folder_ids: [plans], dry_run: false }
    const params = { id: workspace_id }
    const refused = await script.refused(drafts.publish, { params, body: { ...body, invitation: {} } })
    expect(refused).toMatchObject({ code: 403, reason: 'key_lacks_scope' })
    expect(await statusIn(world.bob, plans)).toBe(404)
    expect(await script.call(drafts.publish, { params, body })).toMatchObject({ folders: 1, invited: 0 })
  })

  it('publishes all or none', async () => {
    const plans = await draftIn(finance)
    const params = { id: workspace_id }
    expect(await world.alice.statusOf(drafts.publish, { params, body: { folder_ids: [plans, finance] } })).toBe(409)
    expect(await statusIn(world.bob, plans)).toBe(404)
  })

  it('keeps a draft in a draft hidden until both are published', async () => {
    const outer = await draftIn(finance)
    const inner = await draftIn(outer, 'Options')
    expect(await publish([inner], true)).toMatchObject({ folders: 0, files: 0, people: 0, groups: 0 })
    await publish([outer])
    expect(await statusIn(world.bob, outer)).toBe(200)
    expect(await namesIn(world.bob, outer)).toEqual([])
    expect(await statusIn(world.bob, inner)).toBe(404)
    await publish([inner])
    expect(await statusIn(world.bob, inner)).toBe(200)
  })
})

describe('what leaves a draft', () => {
  it('stays a draft as a folder, moved or copied', async () => {
    const plans = await draftIn(finance)
    const budget = await room.folder('Budget', plans)
    const copied = await copy(budget, finance)
    expect(copied).toMatchObject({ draft: true })
    const moved = await move(budget, finance)
    expect(moved).toMatchObject({ draft: true })
    expect(await namesIn(world.bob, finance)).toEqual([])
    for (const id of [copied.id, budget]) expect(await statusIn(world.bob, id)).toBe(404)
    await publish([budget])
    expect(await namesIn(world.bob, finance)).toEqual(['1.1 Budget'])
  })

  it('is refused as a file, moved, copied or restored', async () => {
    const plans = await draftIn(finance)
    const budget = await room.folder('Budget', plans)
    const { id } = await room.upload(world.alice, budget, 'a.txt')
    const body = { workspace_id, destination_folder_id: finance }
    for (const endpoint of [files.move, files.copy])
      expect(await world.alice.statusOf(endpoint, { params: { id }, body })).toBe(409)
    await world.alice.call(files.move, { params: { id }, body: { workspace_id, destination_folder_id: plans } })

    await world.alice.call(files.remove, { params: { id }, query: { workspace_id } })
    await world.alice.call(folders.remove, { params: { id: plans }, query: { workspace_id } })
    const deletions = await world.alice.call(trash.list, { query: { workspace_id } })
    const [file, folder] = ['file', 'folder'].map((type) => deletions.find((each) => each.type === type))
    const restore = (deletion_id = '') => ({ params: { deletion_id }, body: { workspace_id } })
    expect(file?.of_gone_draft).toBe(true)
    expect(await world.alice.statusOf(trash.restore, restore(file?.deletion_id))).toBe(409)
    await room.grant(budget, 'download').catch(() => {})
    await world.alice.call(trash.restore, restore(folder?.deletion_id))
    await world.alice.call(trash.restore, restore(file?.deletion_id))
    for (const each of [plans, budget]) expect(await statusIn(world.bob, each)).toBe(404)
    await publish([plans])
    expect(await statusIn(world.bob, budget)).toBe(200)
  })

  it('is hidden where it goes into a draft, and foreseen to be', async () => {
    const plans = await draftIn(0)
    const legal = await room.folder('Legal')
    await room.grant(0, 'download')
    const moved = {
      workspace_id,
      destination_folder_id: plans,
      folder_ids: [legal],
      file_ids: [],
      verb: 'move' as const,
    }
    const { groups: affected } = await world.alice.call(permissions.foresee, { body: moved })
    expect(affected.listed).toMatchObject([{ group_name: 'Bidders', loses: { view: { folders: 1 } } }])
    await move(legal, plans)
    expect(await statusIn(world.bob, legal)).toBe(404)
    const back = { ...moved, destination_folder_id: 0 }
    expect((await world.alice.call(permissions.foresee, { body: back })).groups.total).toBe(0)
    await move(legal, 0)
    expect(await statusIn(world.bob, legal)).toBe(404)
  })

  it('is not taken over into another workspace', async () => {
    await draftIn(finance)
    const workspace = { name: 'Like it', team_id: world.team_id, source: { workspace_id } }
    const { id } = await world.alice.call(api.workspaces.create, { body: { workspace } })
    expect(await world.alice.call(folders.search, { query: { workspace_id: id, q: 'plans' } })).toEqual([])
    expect(await world.alice.call(folders.search, { query: { workspace_id: id, q: 'finance' } })).toHaveLength(1)
  })
})

describe('K100: more drafts than a workspace may have', () => {
  /** A folder with so many drafts. */
  async function boxOf(drafts: number): Promise<number> {
    const box = await room.folder('Box', finance)
    await sql`
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id, is_draft)
      select ${workspace_id}, id, ${box}, 'Draft ' || n, n, array[0, ${finance}, ${box}, id], ${world.alice.id}, true
      from (select n, nextval(pg_get_serial_sequence('folders', 'id'))::int as id from generate_series(1, ${drafts}::int) n) d`.execute(
      service.services.db,
    )
    return box
  }
  const refusal = { code: 409, reason: 'too_many_drafts' }
  const present = async () => (await world.alice.call(drafts.list, { params: { id: workspace_id } })).drafts.length

  it('are not created, withdrawn, copied or moved out', async () => {
    const box = await boxOf(MOST_DRAFTS - 1)
    const body = { workspace_id, destination_folder_id: 0 }
    expect(await world.alice.refused(folders.copy, { params: { id: box }, body })).toMatchObject(refusal)
    const last = await draftIn(0)
    const inner = await room.folder('Inner', last)
    const [other, name] = [await room.folder('Other'), 'One more']
    for (const call of [
      () => world.alice.refused(drafts.create, { body: { workspace_id, parent_id: 0, name } }),
      () => world.alice.refused(drafts.withdraw, { params: { id: other }, body: { workspace_id } }),
      () => world.alice.refused(folders.move, { params: { id: inner }, body }),
      () => world.alice.refused(folders.copy, { params: { id: inner }, body }),
    ])
      expect(await call()).toMatchObject(refusal)
    expect(await present()).toBe(MOST_DRAFTS)
  })

  it('are not restored', async () => {
    const box = await boxOf(MOST_DRAFTS)
    await world.alice.call(folders.remove, { params: { id: box }, query: { workspace_id } })
    await draftIn(0)
    const [deletion] = await world.alice.call(trash.list, { query: { workspace_id } })
    const call = { params: { deletion_id: deletion?.deletion_id ?? '' }, body: { workspace_id } }
    expect(await world.alice.refused(trash.restore, call)).toMatchObject(refusal)
    expect(await present()).toBe(1)
  })
})

it('a draft that was deleted for good leaves nothing behind', async () => {
  const plans = await draftIn(finance)
  await world.alice.call(folders.remove, { params: { id: plans }, query: { workspace_id } })
  const { db } = service.services
  await db.deleteFrom('folders').where('workspace_id', '=', workspace_id).where('id', '=', plans).execute()
  const left = await db
    .selectFrom('folder_permissions')
    .select('group_id')
    .where('workspace_id', '=', workspace_id)
    .where('withholds', '=', true)
    .execute()
  expect(left).toEqual([])
})
