import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let workspace_id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  const body = { workspace: { name: 'Fresh', team_id: world.team_id } }
  workspace_id = (await world.alice.call(api.workspaces.create, { body })).id
})

const { folders } = api
const create = (name: string, parent_id = 0) =>
  world.alice.call(folders.create, { body: { workspace_id, name, parent_id } })
const get = (id: number) => world.alice.call(folders.get, { params: { id }, query: { workspace_id } })
const remove = (id: number) => world.alice.call(folders.remove, { params: { id }, query: { workspace_id } })
const move = (id: number, destination_folder_id: number) =>
  world.alice.call(folders.move, { params: { id }, body: { workspace_id, destination_folder_id } })
const copy = (id: number, destination_folder_id: number) =>
  world.alice.call(folders.copy, { params: { id }, body: { workspace_id, destination_folder_id } })

async function namesIn(id: number): Promise<string[]> {
  const { immediate_subfolders } = await get(id)
  expect(immediate_subfolders.map((folder) => folder.index)).toEqual(immediate_subfolders.map((_, at) => at + 1))
  return immediate_subfolders.map((folder) => folder.name)
}

async function messages(): Promise<string[]> {
  const { events } = await world.alice.call(api.activities.list, { params: { workspace_id } })
  return events.map((event) => event.message)
}

describe('creating', () => {
  it.each(['..', '.', '../x', '/etc', 'a/b', 'a\0b', ''])('E2: a folder named %j is refused', async (name) => {
    const body = { workspace_id, name, parent_id: 0 }
    expect(await world.alice.statusOf(folders.create, { body })).toBe(422)
  })

  it('gives readable paths, ids from the root down, and positions', async () => {
    const finance = await create('Finance')
    const year = await create('2025', finance.id)
    expect(year).toMatchObject({
      name: '2025',
      path: '/Finance/2025',
      parent_path: '/Finance',
      parent_id: finance.id,
      id_tree: finance.id,
      id_path: `0.${finance.id}.${year.id}`,
      owner_type: 'Workspace',
      owner_id: workspace_id,
      index: 1,
      last_updated_user_id: world.alice.id,
    })
    expect(finance).toMatchObject({ path: '/Finance', parent_path: '/', parent_id: 0, id_tree: finance.id })
    expect((await messages()).slice(0, 2)).toEqual(['added the folder: 2025', 'added the folder: Finance'])
  })

  it('below a missing folder is 404', async () => {
    const body = { workspace_id, name: 'x', parent_id: 2_000_000_000 }
    expect((await world.alice.refused(folders.create, { body })).code).toBe(404)
  })

  it('many at once numbers them without a gap', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => create(`F${at}`)))
    expect((await namesIn(0)).length).toBe(20)
  })
})

describe('positions', () => {
  it.each([
    [3, 1, ['C', 'A', 'B', 'D']],
    [1, 3, ['B', 'C', 'A', 'D']],
    [2, 2, ['A', 'B', 'C', 'D']],
    [1, 99, ['B', 'C', 'D', 'A']],
  ])('from %i to %i shifts the others', async (from, to, order) => {
    const made = []
    for (const name of ['A', 'B', 'C', 'D']) made.push(await create(name))
    const params = { id: made[from - 1]?.id ?? 0 }
    const moved = await world.alice.call(folders.update, { params, body: { workspace_id, folder: { index: to } } })
    expect(moved.index).toBe(Math.min(to, 4))
    expect(await namesIn(0)).toEqual(order)
  })
})

describe('renaming', () => {
  it('is recorded with both names', async () => {
    const { id } = await create('Old')
    const renamed = await world.alice.call(folders.update, {
      params: { id },
      body: { workspace_id, folder: { name: 'New' } },
    })
    expect(renamed).toMatchObject({ name: 'New', path: '/New' })
    expect((await messages())[0]).toBe('renamed the folder "Old" to "New"')
  })
})

describe('deleting', () => {
  it('includes the subtree, counts it and closes the gap', async () => {
    const a = await create('A')
    const b = await create('B', a.id)
    await create('C', b.id)
    await create('Z')
    expect(await remove(a.id)).toEqual({ id: a.id, deleted: 3 })
    expect(await namesIn(0)).toEqual(['Z'])
    expect((await world.alice.refused(folders.get, { params: { id: b.id }, query: { workspace_id } })).code).toBe(404)
    expect((await messages())[0]).toBe('deleted the folder: A')
  })
})

describe('moving', () => {
  it('moves the whole subtree to the end of the destination', async () => {
    const [a, b] = [await create('A'), await create('B')]
    const inner = await create('Inner', a.id)
    await create('First', b.id)
    const moved = await move(a.id, b.id)
    expect(moved).toMatchObject({ success: 1, path: '/B/A', index: 2 })
    expect((await get(inner.id)).folder.path).toBe('/B/A/Inner')
    expect(await namesIn(0)).toEqual(['B'])
    expect((await messages())[0]).toBe('moved the folder "A" from "All Folders" into the folder "B"')
  })

  it('into itself or a descendant is 422', async () => {
    const a = await create('A')
    const b = await create('B', a.id)
    for (const destination_folder_id of [a.id, b.id]) {
      const call = { params: { id: a.id }, body: { workspace_id, destination_folder_id } }
      expect((await world.alice.refused(folders.move, call)).code).toBe(422)
    }
  })

  it('leaves no orphan in a race with creation and deletion', async () => {
    const [a, b] = [await create('A'), await create('B')]
    const inner = await create('Inner', a.id)
    await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, at) => create(`N${at}`, inner.id)),
      move(a.id, b.id),
      ...Array.from({ length: 10 }, (_, at) => create(`M${at}`, a.id)),
      remove(b.id),
    ])
    for (const name of await namesIn(0)) expect(['A', 'B']).toContain(name)
    const tree = await readTree(0)
    for (const { folder, parentPath } of tree) expect(folder.id_path).toBe(`${parentPath}.${folder.id}`)
  })
})

async function readTree(id: number): Promise<{ folder: { id: number; id_path: string }; parentPath: string }[]> {
  const { folder, immediate_subfolders } = await get(id)
  const below = await Promise.all(immediate_subfolders.map((child) => readTree(child.id)))
  return [...immediate_subfolders.map((child) => ({ folder: child, parentPath: folder.id_path })), ...below.flat()]
}

describe('copying', () => {
  it('copies folders and files, and a second copy gets another name', async () => {
    const a = await create('A')
    const inner = await create('Inner', a.id)
    const query = { workspace_id, folder_id: inner.id, file_name: 'plan.txt' }
    await world.alice.call(api.files.upload, { query }, 'the plan')
    const twin = await copy(a.id, 0)
    expect(twin).toMatchObject({ success: 1, name: 'A (2)', index: 2 })
    const below = await get(twin.id)
    const [innerTwin] = below.immediate_subfolders
    expect(innerTwin?.id).not.toBe(inner.id)
    expect((await get(innerTwin?.id ?? 0)).immediate_subfiles).toMatchObject([
      { title: 'plan.txt', file_size: '8', version: 1 },
    ])
    expect((await messages())[0]).toBe('copied the folder "A" from "All Folders" into the folder "All Folders"')
  })

  it('into itself copies only the previous contents', async () => {
    const a = await create('A')
    const twin = await copy(a.id, a.id)
    expect(twin.path).toBe('/A/A')
    expect(await namesIn(twin.id)).toEqual([])
  })
})

describe('the root', () => {
  it('B12: is 403 for a plain member, who has a home instead', async () => {
    const { bob } = world
    const call = { params: { id: 0 }, query: { workspace_id: world.workspace_id } }
    expect((await bob.refused(folders.get, call)).code).toBe(403)
    const home = await bob.call(api.workspaces.home, { params: { id: world.workspace_id } })
    expect(home).toMatchObject({ folder: { id: 0, path_node: true }, immediate_subfolders: [], immediate_subfiles: [] })
  })

  it('B12: cannot be renamed, deleted, moved or copied', async () => {
    const params = { id: 0 }
    const { alice } = world
    const destination = { workspace_id, destination_folder_id: (await create('A')).id }
    const refusals = [
      await alice.refused(folders.update, { params, body: { workspace_id, folder: { name: 'x' } } }),
      await alice.refused(folders.remove, { params, query: { workspace_id } }),
      await alice.refused(folders.move, { params, body: destination }),
      await alice.refused(folders.copy, { params, body: destination }),
    ]
    expect(refusals.map((refusal) => refusal.code)).toEqual([422, 422, 422, 422])
  })
})

it('an id of another workspace is not found', async () => {
  const { id } = await create('Here')
  const query = { workspace_id: world.workspace_id }
  expect((await world.alice.refused(folders.get, { params: { id }, query })).code).toBe(404)
})

it('a large folder is paged, subfolders before files', async () => {
  const parent = await create('Large')
  for (let at = 1; at <= 130; at++) await create(`F${at}`, parent.id)
  const upload = (at: number) => {
    const query = { workspace_id, folder_id: parent.id, file_name: `f${at}.txt` }
    return world.alice.call(api.files.upload, { query }, 'x')
  }
  for (let at = 1; at <= 5; at++) await upload(at)
  const pageOf = (page: number) =>
    world.alice.call(folders.get, { params: { id: parent.id }, query: { workspace_id, page, per_page: 25 } })
  const whole = await get(parent.id)
  expect(whole.immediate_subfolders.length + whole.immediate_subfiles.length).toBe(135)
  const [first, second, third] = [await pageOf(1), await pageOf(6), await pageOf(7)]
  expect(first.totals).toEqual({ folders: 130, files: 5 })
  expect([first.immediate_subfolders.length, first.immediate_subfiles.length]).toEqual([25, 0])
  expect([second.immediate_subfolders.length, second.immediate_subfiles.length]).toEqual([5, 5])
  expect([third.immediate_subfolders.length, third.immediate_subfiles.length]).toEqual([0, 0])
})

describe('the depth of folders', () => {
  /** Creates nested folders. @returns their ids from the top down */
  async function chain(length: number, parentId: number): Promise<number[]> {
    const ids: number[] = []
    for (let at = 0; at < length; at++) ids.push((await create('Deep', ids.at(-1) ?? parentId)).id)
    return ids
  }

  it('is limited for copies too', async () => {
    const ids = await chain(60, 0)
    const call = {
      params: { id: ids[0] ?? 0 },
      body: { workspace_id, destination_folder_id: ids.at(-1) ?? 0 },
    }
    expect((await world.alice.refused(folders.copy, call)).code).toBe(422)
  })

  it('includes the moved folder’s contents in the trash, which can be restored there', async () => {
    const { id: box } = await create('Box')
    const [top = 0] = await chain(60, box)
    const { id: other } = await copy(top, 0)
    let deepest = other
    for (let next = await get(deepest); next.immediate_subfolders[0]; next = await get(deepest)) {
      deepest = next.immediate_subfolders[0].id
    }
    await remove(top)
    const call = { params: { id: box }, body: { workspace_id, destination_folder_id: deepest } }
    expect((await world.alice.refused(folders.move, call)).code).toBe(422)
  })
})
