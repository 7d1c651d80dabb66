import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

const inRoom = (id: number) => ({ params: { id }, query: { workspace_id: room.workspace_id } })
const change = (id: number, file: { title?: string; index?: number }) => ({
  params: { id },
  body: { workspace_id: room.workspace_id, file },
})
const into = (id: number, destination_folder_id: number) => ({
  params: { id },
  body: { workspace_id: room.workspace_id, destination_folder_id },
})
const add = async (name: string, content?: string) => (await room.upload(world.alice, folder, name, content)).id
const infect = (id: number) =>
  service.services.db.updateTable('files').set({ infected: true }).where('id', '=', id).execute()
const letManage = (file_managing_abilities: boolean) =>
  world.alice.call(api.groups.update, {
    params: { id: room.group_id },
    body: { workspace_id: room.workspace_id, group: { file_managing_abilities } },
  })

describe('a file', () => {
  it('is shown to any user who may view its folder', async () => {
    const id = await add('plan.txt', 'the plan')
    await room.grant(folder, 'view')
    expect(await world.bob.call(api.files.get, inRoom(id))).toMatchObject({
      id,
      title: 'plan.txt',
      file_name: 'plan.txt',
      file_size: '8',
      file_content_type: 'text/plain',
      folder_id: folder,
      index: 1,
      version: 1,
      pages: 0,
      infected: null,
      viewer_image: { status: 'Pending', page_number: 1, expiring_url: '', expiring_thumbnail_url: '', reason: '' },
    })
  })

  it('is hidden from a member without view', async () => {
    const id = await add('plan.txt')
    const absent = await world.bob.refused(api.files.get, inRoom(2_000_000_000))
    const hidden = await world.bob.refused(api.files.get, inRoom(id))
    expect([hidden.code, hidden.message]).toEqual([404, absent.message])
  })

  it('B3: is hidden in another workspace, even from an admin of both', async () => {
    const id = await add('plan.txt')
    const query = { workspace_id: world.workspace_id }
    expect(await world.alice.statusOf(api.files.get, { params: { id }, query })).toBe(404)
  })
})

describe('requesting several files', () => {
  it('B6: answers in the requested order and omits missing or hidden files', async () => {
    const [first, second] = [await add('1.txt'), await add('2.txt')]
    const hidden = (await room.upload(world.alice, await room.folder('Legal'), '3.txt')).id
    await room.grant(folder, 'view')
    const body = { workspace_id: room.workspace_id, file_ids: [second, hidden, 2_000_000_000, first] }
    expect((await world.bob.call(api.files.infoBatch, { body })).map((file) => file.id)).toEqual([second, first])
    expect((await world.alice.call(api.files.infoBatch, { body })).map((file) => file.id)).toEqual([
      second,
      hidden,
      first,
    ])
  })
})

describe('renaming a file', () => {
  it('changes the title, keeps the name and is recorded', async () => {
    const id = await add('plan.txt')
    const file = await world.alice.call(api.files.update, change(id, { title: 'Master plan.txt' }))
    expect(file).toMatchObject({ title: 'Master plan.txt', file_name: 'plan.txt', version: 1 })
    expect((await room.messages())[0]).toBe('renamed the file "plan.txt" to "Master plan.txt"')
  })

  it.each([
    ['Master plan', 'Master plan.txt'],
    ['Master plan.pdf', 'Master plan.pdf.txt'],
    ['Master plan.TXT', 'Master plan.TXT'],
  ])('to %s keeps the extension', async (title, expected) => {
    const id = await add('plan.txt')
    expect((await world.alice.call(api.files.update, change(id, { title }))).title).toBe(expected)
  })

  it.each(['a/b', '..', 'a\u202eb', 'a\0b', ''])('E1: to %j is refused', async (title) => {
    const id = await add('plan.txt')
    expect(await world.alice.statusOf(api.files.update, change(id, { title }))).toBe(422)
  })

  it('is allowed to members only if their group manages files and may upload', async () => {
    const id = await add('plan.txt')
    await room.grant(folder, 'upload')
    expect(await world.bob.statusOf(api.files.update, change(id, { title: 'x' }))).toBe(403)
    await letManage(true)
    expect(await world.bob.statusOf(api.files.update, change(id, { title: 'x' }))).toBe(200)
    await room.revoke(folder, 'upload')
    expect(await world.bob.statusOf(api.files.update, change(id, { title: 'y' }))).toBe(403)
  })
})

describe('the positions of files', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd']) await add(name)
  })
  const idOf = async (title: string) => {
    const call = { params: { id: folder }, query: { workspace_id: room.workspace_id } }
    const { immediate_subfiles } = await world.alice.call(api.folders.get, call)
    return immediate_subfiles.find((file) => file.title === title)?.id ?? 0
  }

  it.each([
    ['d', 2, ['1 a', '2 d', '3 b', '4 c']],
    ['a', 3, ['1 b', '2 c', '3 a', '4 d']],
    ['b', 99, ['1 a', '2 c', '3 d', '4 b']],
  ])('%s to %i: the others close the gap', async (title, index, expected) => {
    await world.alice.call(api.files.update, change(await idOf(title), { index }))
    expect(await room.files(folder)).toEqual(expected)
    expect((await room.messages())[0]).toBe(`updated the file: ${title}`)
  })

  it('have no gap after a deletion or a move to another folder', async () => {
    await world.alice.call(api.files.remove, inRoom(await idOf('b')))
    await world.alice.call(api.files.move, into(await idOf('a'), await room.folder('Legal')))
    expect(await room.files(folder)).toEqual(['1 c', '2 d'])
  })

  it('have no gap after many concurrent changes', async () => {
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map(idOf))
    const elsewhere = await room.folder('Legal')
    await Promise.all([
      ...ids.map((id, at) => world.alice.statusOf(api.files.update, change(id, { index: 4 - at }))),
      ...ids.slice(0, 2).map((id) => world.alice.statusOf(api.files.copy, into(id, folder))),
      world.alice.statusOf(api.files.remove, inRoom(ids[2] ?? 0)),
      world.alice.statusOf(api.files.move, into(ids[3] ?? 0, elsewhere)),
      room.upload(world.alice, folder, 'e'),
    ])
    const places = (await room.files(folder)).map((file) => Number(file.split(' ')[0]))
    expect(places).toEqual([1, 2, 3, 4, 5])
    expect(await room.files(elsewhere)).toEqual(['1 d'])
  })
})

describe('deleting a file', () => {
  it('returns the deletion time, hides the file everywhere and is recorded', async () => {
    const id = await add('plan.txt')
    const gone = await world.alice.call(api.files.remove, inRoom(id))
    expect(gone.deleted).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await world.alice.statusOf(api.files.get, inRoom(id))).toBe(404)
    expect(await world.alice.statusOf(api.files.remove, inRoom(id))).toBe(404)
    const body = { workspace_id: room.workspace_id, file_ids: [id] }
    expect(await world.alice.call(api.files.infoBatch, { body })).toEqual([])
    expect((await room.messages())[0]).toBe('deleted the file: plan.txt')
  })

  it('frees the name for another file', async () => {
    const id = await add('plan.txt')
    await world.alice.call(api.files.remove, inRoom(id))
    const again = await room.upload(world.alice, folder, 'plan.txt')
    expect(again).toMatchObject({ version: 1, index: 1 })
    expect(again.id).not.toBe(id)
  })
})

describe('copying a file', () => {
  it('creates another file with the same content, starting at version 1', async () => {
    const id = await add('plan.txt', 'one')
    await add('plan.txt', 'two!')
    const target = await room.folder('Legal')
    const copy = await world.alice.call(api.files.copy, into(id, target))
    expect(copy).toMatchObject({ success: 'true', folder_id: target, version: 1, file_size: '4', title: 'plan.txt' })
    expect(copy.id).not.toBe(id)
    expect(copy.message).toBe('copied the file "plan.txt" from "Finance" into the folder "Legal"')
    expect((await room.messages())[0]).toBe(copy.message)
    expect(await world.alice.call(api.files.get, inRoom(id))).toMatchObject({ version: 2, folder_id: folder })
  })

  it('numbers the name if it is taken', async () => {
    const id = await add('plan.txt')
    for (let copy = 0; copy < 2; copy++) await world.alice.call(api.files.copy, into(id, folder))
    expect(await room.files(folder)).toEqual(['1 plan.txt', '2 plan (2).txt', '3 plan (3).txt'])
  })

  it('keeps a title that a user chose', async () => {
    const id = await add('plan.txt')
    await world.alice.call(api.files.update, change(id, { title: 'Master plan.txt' }))
    const copy = await world.alice.call(api.files.copy, into(id, folder))
    expect(copy).toMatchObject({ title: 'Master plan.txt', file_name: 'plan (2).txt' })
  })

  it('of an infected file is refused', async () => {
    const id = await add('plan.txt')
    await infect(id)
    expect(await world.alice.statusOf(api.files.copy, into(id, folder))).toBe(422)
    expect(await room.files(folder)).toEqual(['1 plan.txt'])
  })
})

describe('moving a file', () => {
  it('keeps its id and versions and is recorded', async () => {
    const id = await add('plan.txt')
    await add('plan.txt')
    const target = await room.folder('Legal')
    const moved = await world.alice.call(api.files.move, into(id, target))
    expect(moved).toMatchObject({ id, folder_id: target, version: 2, index: 1, success: 'true' })
    expect((await room.messages())[0]).toBe('moved the file "plan.txt" from "Finance" into the folder "Legal"')
    expect(await room.files(folder)).toEqual([])
  })

  it('into its own folder changes nothing', async () => {
    const id = await add('a')
    await add('b')
    await world.alice.call(api.files.move, into(id, folder))
    expect(await room.files(folder)).toEqual(['1 a', '2 b'])
  })

  it('C14: applies the rights of the new folder', async () => {
    const id = await add('plan.txt')
    const target = await room.folder('Legal')
    await room.grant(folder, 'view')
    await world.alice.call(api.files.move, into(id, target))
    expect(await world.bob.statusOf(api.files.get, inRoom(id))).toBe(404)
    await room.grant(target, 'view')
    expect(await world.bob.statusOf(api.files.get, inRoom(id))).toBe(200)
  })

  it('to two folders at once leaves the file in one', async () => {
    const id = await add('plan.txt')
    const targets = await Promise.all(['A', 'B'].map((name) => room.folder(name)))
    const statuses = await Promise.all(targets.map((target) => world.alice.statusOf(api.files.move, into(id, target))))
    const files = (await Promise.all(targets.map((target) => room.files(target)))).flat()
    expect(files).toEqual(['1 plan.txt'])
    expect(statuses.every((status) => status === 201 || status === 404)).toBe(true)
  })
})

describe('copying and moving', () => {
  const operations = [api.files.copy, api.files.move] as const

  it.each(operations)('$path is for workspace admins, whatever groups allow', async (operation) => {
    const id = await add('plan.txt')
    const target = await room.folder('Legal')
    for (const each of [folder, target]) await room.grant(each, 'upload')
    await letManage(true)
    expect(await world.bob.statusOf(operation, into(id, target))).toBe(403)
  })

  it.each(operations)('B3: $path requires a folder of the same workspace', async (operation) => {
    const id = await add('plan.txt')
    const elsewhere = await (await createRoom(world)).folder('Legal')
    const asked: [Person, number][] = [
      [world.alice, elsewhere],
      [world.alice, 2_000_000_000],
      [world.mallory, folder],
    ]
    for (const [person, target] of asked) expect(await person.statusOf(operation, into(id, target))).toBe(404)
    expect(await room.files(folder)).toEqual(['1 plan.txt'])
  })
})
