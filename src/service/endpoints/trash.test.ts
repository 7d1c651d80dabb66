import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { sweepBlobs } from '../blobs/sweep.ts'
import { purgeTrash } from '../store/trash/trash.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

const DAY = 86_400_000

let service: TestService
let world: World
let room: Room
let finance: number
let contracts: number
let plan: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.setClock(undefined)
  room = await createRoom(world)
  finance = await room.folder('Finance')
  contracts = await room.folder('Contracts', finance)
  plan = (await room.upload(world.alice, finance, 'plan.txt', 'the plan')).id
  await room.upload(world.alice, contracts, 'deed.txt', 'the deed')
})

const { trash } = api
const inRoom = () => ({ workspace_id: room.workspace_id })
const list = () => world.alice.call(trash.list, { query: inRoom() })
const restore = (deletion_id: string) => world.alice.call(trash.restore, { params: { deletion_id }, body: inRoom() })
const removeFile = (id: number) => world.alice.call(api.files.remove, { params: { id }, query: inRoom() })
const removeFolder = (id: number) => world.alice.call(api.folders.remove, { params: { id }, query: inRoom() })

/** Position and name of each subfolder. */
async function subfolders(id: number): Promise<string[]> {
  const { immediate_subfolders } = await world.alice.call(api.folders.get, { params: { id }, query: inRoom() })
  return immediate_subfolders.map((folder) => `${folder.index} ${folder.name}`)
}

async function newest(): Promise<string> {
  const [item] = await list()
  if (!item) throw new Error('the trash is empty')
  return item.deletion_id
}

describe('the trash', () => {
  it('lists each deletion as one item, newest first, with everything deleted in it', async () => {
    await removeFile(plan)
    await removeFolder(finance)
    const items = await list()
    expect(items).toMatchObject([
      {
        type: 'folder',
        kind: null,
        id: finance,
        name: 'Finance',
        path: '/',
        in_place: true,
        folders: 2,
        files: 1,
        size: '8',
      },
      {
        type: 'file',
        kind: 'document',
        id: plan,
        name: 'plan.txt',
        path: '/Finance',
        in_place: false,
        folders: 0,
        files: 1,
        size: '8',
      },
    ])
    for (const item of items) expect(Date.parse(item.purged_at) - Date.parse(item.deleted_at)).toBe(30 * DAY)
  })

  it('shows the actor of each deletion', async () => {
    await room.grant(finance, 'upload')
    const body = { ...inRoom(), group: { file_managing_abilities: true } }
    await world.alice.call(api.groups.update, { params: { id: room.group_id }, body })
    await world.bob.call(api.files.remove, { params: { id: plan }, query: inRoom() })
    await removeFolder(finance)
    const deleters = (await list()).map((item) => [item.deleted_by_id, item.deleted_by_name])
    expect(deleters).toEqual([
      [world.alice.id, 'Alice Tester'],
      [world.bob.id, 'Bob Tester'],
    ])
  })

  it('is paged', async () => {
    await removeFile(plan)
    await removeFolder(contracts)
    const response = await world.alice.fetch(`/api/v1/trash?workspace_id=${room.workspace_id}&per_page=25&page=2`)
    expect([response.headers.get('x-total-count'), await response.json()]).toEqual(['2', []])
  })

  it('of another workspace cannot be reached', async () => {
    await removeFile(plan)
    const deletion_id = await newest()
    const other = await createRoom(world)
    const body = { workspace_id: other.workspace_id }
    expect(await world.alice.statusOf(trash.restore, { params: { deletion_id }, body })).toBe(404)
  })
})

describe('a restored file', () => {
  it('returns to its position in the folder, is recorded, and leaves the trash', async () => {
    await room.upload(world.alice, finance, 'budget.txt')
    await removeFile(plan)
    const restored = await restore(await newest())
    expect(restored).toEqual({
      message: 'restored the file: plan.txt',
      type: 'file',
      id: plan,
      name: 'plan.txt',
      folder_id: finance,
      outcome: 'done',
    })
    expect(await room.files(finance)).toEqual(['1 plan.txt', '2 budget.txt'])
    expect((await room.messages())[0]).toBe('restored the file: plan.txt')
    expect(await list()).toEqual([])
  })

  it('gets another name if its own is taken', async () => {
    await removeFile(plan)
    await room.upload(world.alice, finance, 'plan.txt', 'another plan')
    expect((await restore(await newest())).name).toBe('plan (2).txt')
    expect(await room.files(finance)).toEqual(['1 plan (2).txt', '2 plan.txt'])
  })

  it('goes to the root if its folder no longer exists', async () => {
    await removeFile(plan)
    const deletion = await newest()
    await removeFolder(finance)
    expect((await restore(deletion)).folder_id).toBe(0)
    expect(await room.files(0)).toEqual(['1 plan.txt'])
  })

  it('cannot be restored twice', async () => {
    await removeFile(plan)
    const deletion_id = await newest()
    const twice = await Promise.all(
      [1, 2].map(() => world.alice.statusOf(trash.restore, { params: { deletion_id }, body: inRoom() })),
    )
    expect(twice.toSorted()).toEqual([200, 404])
  })
})

describe('a restored folder', () => {
  it('has everything deleted with it, and nothing deleted before', async () => {
    await room.folder('Legal')
    await removeFile(plan)
    await removeFolder(finance)
    await restore(await newest())
    expect(await subfolders(0)).toEqual(['1 Finance', '2 Legal'])
    expect([await subfolders(finance), await room.files(finance)]).toEqual([['1 Contracts'], []])
    expect(await room.files(contracts)).toEqual(['1 deed.txt'])
    expect(await list()).toMatchObject([{ type: 'file', id: plan, in_place: true }])
  })

  it('gets another name if its own is taken', async () => {
    await removeFolder(finance)
    await room.folder('Finance')
    expect((await restore(await newest())).name).toBe('Finance (2)')
    expect(await subfolders(0)).toEqual(['1 Finance (2)', '2 Finance'])
  })

  it('goes to the root if its parent no longer exists, with correct paths for all subfolders', async () => {
    const drafts = await room.folder('Drafts', contracts)
    const old = await room.folder('Old', contracts)
    await removeFolder(old)
    const removedOld = await newest()
    await removeFolder(contracts)
    const removedContracts = await newest()
    await removeFolder(finance)
    await restore(removedContracts)
    const { folder } = await world.alice.call(api.folders.get, { params: { id: drafts }, query: inRoom() })
    expect([folder.path, folder.id_path]).toEqual(['/Contracts/Drafts', `0.${contracts}.${drafts}`])
    expect((await restore(removedOld)).folder_id).toBe(contracts)
    expect((await world.alice.call(api.folders.get, { params: { id: old }, query: inRoom() })).folder.path).toBe(
      '/Contracts/Old',
    )
  })

  it('returns to its position among the others', async () => {
    const [, second] = [await room.folder('Legal'), await room.folder('Tax')]
    await removeFolder(finance)
    await restore(await newest())
    expect(await subfolders(0)).toEqual(['1 Finance', '2 Legal', '3 Tax'])
    await removeFolder(second)
    const tax = await newest()
    await removeFolder(finance)
    await restore(tax)
    await restore(await newest())
    expect(await subfolders(0)).toEqual(['1 Finance', '2 Legal', '3 Tax'])
  })
})

describe('C14: the rights of a restored folder', () => {
  const statusFor = (id: number) => world.bob.statusOf(api.folders.get, { params: { id }, query: inRoom() })
  const deleteAndRestore = async (id: number, meanwhile?: () => Promise<unknown>) => {
    await removeFolder(id)
    const deletion = await newest()
    await meanwhile?.()
    await restore(deletion)
  }

  it('are its former ones, both granted and withheld', async () => {
    await room.grant(finance, 'download')
    await room.revoke(contracts, 'view')
    const former = await rightsOf(0)
    await deleteAndRestore(finance)
    expect(await rightsOf(0)).toEqual(former)
    expect([await statusFor(finance), await statusFor(contracts)]).toEqual([200, 404])
    await deleteAndRestore(contracts)
    expect(await statusFor(contracts)).toBe(404)
  })

  it('follow changes made meanwhile in the folder above', async () => {
    await room.grant(contracts, 'download')
    await deleteAndRestore(contracts, () => room.revoke(finance, 'view'))
    expect(await statusFor(contracts)).toBe(404)
    await room.revoke(contracts, 'view')
    await deleteAndRestore(contracts, () => room.grant(finance, 'view'))
    expect(await statusFor(contracts)).toBe(200)
  })

  it('are those of the new place if its parent was moved', async () => {
    const legal = await room.folder('Legal')
    await room.grant(contracts, 'view')
    const body = { ...inRoom(), destination_folder_id: legal }
    await deleteAndRestore(contracts, () => world.alice.call(api.folders.move, { params: { id: finance }, body }))
    expect(await statusFor(contracts)).toBe(404)
  })

  it('are those of the root if its parent no longer exists', async () => {
    await room.grant(contracts, 'view')
    await deleteAndRestore(contracts, () => removeFolder(finance))
    expect(await statusFor(contracts)).toBe(404)
  })

  it('survive for a folder deleted earlier, until that folder is restored', async () => {
    await room.grant(contracts, 'view')
    await removeFolder(contracts)
    const before = await newest()
    await deleteAndRestore(finance)
    await restore(before)
    expect(await statusFor(contracts)).toBe(200)
  })

  it('of a deleted group are gone', async () => {
    await room.grant(contracts, 'view')
    await removeFolder(contracts)
    const deletion = await newest()
    await world.alice.call(api.groups.remove, { params: { id: room.group_id }, query: inRoom() })
    await restore(deletion)
    expect(await statusFor(contracts)).toBe(404)
  })

  /** The rights of the group in each folder. */
  async function rightsOf(id: number): Promise<unknown[]> {
    const query = { ...inRoom(), group_id: room.group_id }
    const rows = await world.alice.call(api.permissions.list, { params: { id }, query })
    const inside = rows.filter((row) => row.children > 0 && row.id !== id)
    const below = await Promise.all(inside.map((row) => rightsOf(row.id)))
    return [...rows, ...below.flat()]
  }
})

describe('after thirty days', () => {
  const countOf = async (table: 'files' | 'folders' | 'file_versions') => {
    const rows = await service.services.db
      .selectFrom(table)
      .select('workspace_id')
      .where('workspace_id', '=', room.workspace_id)
      .execute()
    return rows.length
  }

  it('nothing is listed, and nothing can be restored', async () => {
    await removeFolder(finance)
    const deletion_id = await newest()
    const later = Date.now() + 30 * DAY
    service.setClock(new Date(later))
    const init = { method: 'POST', body: JSON.stringify(inRoom()) }
    const restored = await world.alice.fetch(`/api/v1/trash/${deletion_id}/restore`, init, later)
    const listed = await world.alice.fetch(`/api/v1/trash?workspace_id=${room.workspace_id}`, {}, later)
    expect([restored.status, await listed.json()]).toEqual([404, []])
  })

  it('rows and content are purged, and everything else stays', async () => {
    const { db, blobs } = service.services
    const legal = await room.folder('Legal')
    await room.upload(world.alice, legal, 'law.txt', 'the law')
    await room.upload(world.alice, finance, 'plan.txt', 'a second version')
    await removeFile(plan)
    await removeFolder(finance)
    expect(await purgeTrash(db, new Date(Date.now() + 29 * DAY))).toBe(0)
    expect([await countOf('folders'), await countOf('files'), await countOf('file_versions')]).toEqual([4, 3, 4])
    await purgeTrash(db, new Date(Date.now() + 31 * DAY))
    expect([await countOf('folders'), await countOf('files'), await countOf('file_versions')]).toEqual([2, 1, 1])
    expect(await sweepBlobs(db, blobs, new Date(Date.now() + DAY))).toBeGreaterThanOrEqual(3)
    expect(await room.files(legal)).toEqual(['1 law.txt'])
  })
})
