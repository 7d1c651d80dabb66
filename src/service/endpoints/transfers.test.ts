import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { purgeUndos } from '../store/trash/undos.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let finance: number
let legal: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  finance = await room.folder('Finance')
  legal = await room.folder('Legal')
})

type Verb = 'copy' | 'move'
type Conflict = 'rename' | 'replace' | 'skip'

const inRoom = (id: number) => ({ params: { id }, query: { workspace_id: room.workspace_id } })
const into = (id: number, destination_folder_id: number, conflict?: Conflict) => ({
  params: { id },
  body: { workspace_id: room.workspace_id, destination_folder_id, conflict },
})
const undoing = (id: number, undo_id: number | null) => ({
  params: { id },
  body: { workspace_id: room.workspace_id, undo_id: undo_id ?? 0 },
})
const add = async (folder: number, name: string, content?: string) =>
  (await room.upload(world.alice, folder, name, content)).id
const transfer = (verb: Verb, id: number, conflict?: Conflict, to = legal) =>
  world.alice.call(api.files[verb], into(id, to, conflict))
const shaOf = async (id: number) => (await world.alice.call(api.files.get, inRoom(id))).sha256
const versionsOf = async (id: number) =>
  (await world.alice.call(api.files.versions, inRoom(id))).map(({ version, sha256 }) => `${version} ${sha256}`)
const subfolders = async (id: number) =>
  (await world.alice.call(api.folders.get, inRoom(id))).immediate_subfolders.map(
    ({ index, name }) => `${index} ${name}`,
  )

describe.each(['copy', 'move'] as const)('%s into a folder with a file of that name', (verb) => {
  const past = verb === 'copy' ? 'copied' : 'moved'
  let mine: number
  let there: number
  beforeEach(async () => {
    mine = await add(finance, 'plan.txt', 'mine')
    there = await add(legal, 'plan.txt', 'there')
  })

  it('gives the file another name, and tells it only a client that asked', async () => {
    const silent = await transfer(verb, mine)
    expect(silent).toMatchObject({ title: 'plan (2).txt', outcome: 'renamed' })
    expect((await room.messages())[0]).toBe(`${past} the file "plan.txt" from "Finance" into the folder "Legal"`)

    const again = verb === 'copy' ? mine : await add(finance, 'plan.txt', 'mine')
    const asked = await transfer(verb, again, 'rename')
    expect(asked).toMatchObject({ title: 'plan (3).txt', outcome: 'renamed' })
    expect((await room.messages())[0]).toBe(
      `${past} the file "plan.txt" from "Finance" into the folder "Legal" as "plan (3).txt"`,
    )
  })

  it('skips the file and records nothing', async () => {
    const before = await room.messages()
    const reply = await transfer(verb, mine, 'skip')
    expect(reply).toMatchObject({ id: mine, folder_id: finance, outcome: 'skipped', undo_id: null })
    expect(await room.files(legal)).toEqual(['1 plan.txt'])
    expect(await room.messages()).toEqual(before)
  })

  it('makes it the next version of the file there', async () => {
    const sha = await shaOf(mine)
    const reply = await transfer(verb, mine, 'replace')
    expect(reply).toMatchObject({ id: there, folder_id: legal, version: 2, index: 1, outcome: 'replaced', sha256: sha })
    expect(await room.files(legal)).toEqual(['1 plan.txt'])
    expect(await room.files(finance)).toEqual(verb === 'copy' ? ['1 plan.txt'] : [])
    expect(await room.messages()).toContain(
      `${past} the file "plan.txt" from "Finance" into the folder "Legal" as version 2 of "plan.txt"`,
    )
  })

  it('takes the replacement back by undo: the former version is the newest, and a moved file is back', async () => {
    const former = await shaOf(there)
    await add(finance, 'other.txt')
    const { undo_id } = await transfer(verb, mine, 'replace')
    await world.alice.call(api.files.undo, undoing(there, undo_id))
    expect(await shaOf(there)).toBe(former)
    expect((await versionsOf(there))[0]).toBe(`3 ${former}`)
    expect(await room.files(finance)).toEqual(['1 plan.txt', '2 other.txt'])
    expect((await room.messages())[0]).toBe('undid version 2 of the file: plan.txt')
  })

  it('cannot undo a replacement that a newer version followed', async () => {
    const { undo_id } = await transfer(verb, mine, 'replace')
    await add(legal, 'plan.txt', 'newer')
    expect(await world.alice.statusOf(api.files.undo, undoing(there, undo_id))).toBe(409)
    expect(await world.alice.call(api.files.get, inRoom(there))).toMatchObject({ version: 3 })
  })

  it('acts as usual where the name is free', async () => {
    await world.alice.call(api.files.remove, inRoom(there))
    for (const conflict of ['replace', 'skip'] as const) {
      const id = await add(finance, `${conflict}.txt`)
      expect(await transfer(verb, id, conflict)).toMatchObject({ title: `${conflict}.txt`, outcome: 'done' })
    }
  })
})

test('a copy into its own folder never replaces itself', async () => {
  const id = await add(finance, 'plan.txt')
  const reply = await transfer('copy', id, 'replace', finance)
  expect(reply).toMatchObject({ title: 'plan (2).txt', version: 1 })
})

test('an infected file does not become a version of another one by a copy', async () => {
  const id = await add(finance, 'plan.txt')
  await add(legal, 'plan.txt')
  await service.services.db.updateTable('files').set({ infected: true }).where('id', '=', id).execute()
  expect(await world.alice.statusOf(api.files.copy, into(id, legal, 'replace'))).toBe(422)
})

describe('undo', () => {
  it('brings a moved file back to its folder, index and name', async () => {
    await add(legal, 'plan.txt')
    const id = await add(finance, 'plan.txt')
    await add(finance, 'other.txt')
    const { undo_id, title } = await transfer('move', id, 'rename')
    expect(title).toBe('plan (2).txt')
    await world.alice.call(api.files.undo, undoing(id, undo_id))
    expect(await room.files(finance)).toEqual(['1 plan.txt', '2 other.txt'])
    expect(await room.files(legal)).toEqual(['1 plan.txt'])
    expect((await room.messages())[0]).toBe(
      'undid the move of the file "plan.txt", which is back in the folder "Finance"',
    )
    expect(await world.alice.statusOf(api.files.undo, undoing(id, undo_id))).toBe(404)
  })

  it('keeps a title that the file got since', async () => {
    const id = await add(finance, 'plan.txt')
    const { undo_id } = await transfer('move', id, 'rename')
    await world.alice.call(api.files.update, {
      params: { id },
      body: { workspace_id: room.workspace_id, file: { title: 'Budget.txt' } },
    })
    await world.alice.call(api.files.undo, undoing(id, undo_id))
    expect(await room.files(finance)).toEqual(['1 Budget.txt'])
  })

  it('deletes a copied file, reversibly', async () => {
    const { id, undo_id } = await transfer('copy', await add(finance, 'plan.txt'), 'rename')
    await world.alice.call(api.files.undo, undoing(id, undo_id))
    expect(await room.files(legal)).toEqual([])
    expect(await world.alice.call(api.trash.list, { query: { workspace_id: room.workspace_id } })).toHaveLength(1)
  })

  it('is refused after the file moved on, and once its former folder is gone', async () => {
    const id = await add(finance, 'plan.txt')
    const { undo_id } = await transfer('move', id, 'rename')
    await transfer('move', id, 'rename', 0)
    expect(await world.alice.statusOf(api.files.undo, undoing(id, undo_id))).toBe(409)

    const other = await add(finance, 'other.txt')
    const moved = await transfer('move', other, 'rename')
    await world.alice.call(api.folders.remove, inRoom(finance))
    expect(await world.alice.statusOf(api.files.undo, undoing(other, moved.undo_id))).toBe(409)
  })

  it('belongs to its user, its subject, and a day', async () => {
    const id = await add(finance, 'plan.txt')
    const other = await add(legal, 'other.txt')
    const { undo_id } = await transfer('move', id, 'rename')
    expect(await world.bob.statusOf(api.files.undo, undoing(id, undo_id))).toBe(403)
    expect(await world.mallory.statusOf(api.files.undo, undoing(id, undo_id))).toBe(404)
    expect(await world.alice.statusOf(api.files.undo, undoing(other, undo_id))).toBe(404)
    expect(await world.alice.statusOf(api.folders.undo, undoing(legal, undo_id))).toBe(404)
    await purgeUndos(service.services.db, new Date(Date.now() + 25 * 3_600_000))
    expect(await world.alice.statusOf(api.files.undo, undoing(id, undo_id))).toBe(404)
  })
})

describe('a folder', () => {
  const move = (id: number, conflict?: 'rename' | 'skip', to = legal) =>
    world.alice.call(api.folders.move, {
      params: { id },
      body: { workspace_id: room.workspace_id, destination_folder_id: to, conflict },
    })

  it('is renamed or skipped where its name is taken, if the client asks', async () => {
    const [one, two, three] = [await room.folder('Q1', finance), await room.folder('Q1'), await room.folder('Q1')]
    await move(one)
    expect(await move(two, 'rename')).toMatchObject({ name: 'Q1 (2)', outcome: 'renamed' })
    expect((await room.messages())[0]).toBe(
      'moved the folder "Q1" from "All Folders" into the folder "Legal" as "Q1 (2)"',
    )
    expect(await move(three, 'skip')).toMatchObject({ name: 'Q1', parent_id: 0, outcome: 'skipped', undo_id: null })
    expect(await subfolders(legal)).toEqual(['1 Q1', '2 Q1 (2)'])
  })

  it('returns to its place with its name and the rights set in it', async () => {
    const id = await room.folder('Q1', finance)
    await room.folder('Q2', finance)
    await room.folder('Q1', legal)
    await room.grant(id, 'view')
    const { undo_id } = await move(id, 'rename')
    expect(await world.bob.statusOf(api.folders.get, inRoom(id))).toBe(404)
    await world.alice.call(api.folders.undo, undoing(id, undo_id))
    expect(await subfolders(finance)).toEqual(['1 Q1', '2 Q2'])
    expect(await subfolders(legal)).toEqual(['1 Q1'])
    expect(await world.bob.statusOf(api.folders.get, inRoom(id))).toBe(200)
    expect((await room.messages())[0]).toBe('undid the move of the folder "Q1", which is back in the folder "Finance"')
  })

  it('returns after rights that were set within the same millisecond before, not after', async () => {
    const id = await room.folder('Q1', finance)
    await room.grant(id, 'view')
    const { undo_id } = await move(id)
    const { db } = service.services
    const inRoomNow = db.updateTable('activities').where('workspace_id', '=', room.workspace_id)
    const atOnce = async () => {
      const created_at = new Date(Date.now() + 1000)
      await inRoomNow.set({ created_at }).execute()
      await db.updateTable('undos').set({ created_at }).where('workspace_id', '=', room.workspace_id).execute()
    }
    await atOnce()
    await world.alice.call(api.folders.undo, undoing(id, undo_id))
    const again = await move(id)
    await room.grant(finance, 'view')
    await atOnce()
    expect(await world.alice.statusOf(api.folders.undo, undoing(id, again.undo_id))).toBe(409)
  })

  it('does not return if that would take rights set in it since', async () => {
    const id = await room.folder('Q1', finance)
    const { undo_id } = await move(id, 'rename')
    await room.grant(id, 'view')
    expect(await world.alice.statusOf(api.folders.undo, undoing(id, undo_id))).toBe(409)
    expect(await world.bob.statusOf(api.folders.get, inRoom(id))).toBe(200)
  })

  it('is deleted if it was copied', async () => {
    const id = await room.folder('Q1', finance)
    const copy = await world.alice.call(api.folders.copy, {
      params: { id },
      body: { workspace_id: room.workspace_id, destination_folder_id: legal, conflict: 'rename' },
    })
    await world.alice.call(api.folders.undo, undoing(copy.id, copy.undo_id))
    expect(await subfolders(legal)).toEqual([])
    expect(await subfolders(finance)).toEqual(['1 Q1'])
  })
})

describe('restoring a file whose name is taken', () => {
  let gone: number
  let there: number
  let deletion_id: string
  beforeEach(async () => {
    gone = await add(finance, 'plan.txt', 'one')
    await add(finance, 'plan.txt', 'two')
    await world.alice.call(api.files.remove, inRoom(gone))
    there = await add(finance, 'plan.txt', 'three')
    const [item] = await world.alice.call(api.trash.list, { query: { workspace_id: room.workspace_id } })
    deletion_id = item?.deletion_id ?? ''
  })
  const restore = (conflict?: Conflict) =>
    world.alice.call(api.trash.restore, {
      params: { deletion_id },
      body: { workspace_id: room.workspace_id, conflict },
    })

  it('gives it another name', async () => {
    expect(await restore()).toMatchObject({ name: 'plan (2).txt', outcome: 'renamed' })
  })

  it('leaves it in the trash', async () => {
    expect(await restore('skip')).toMatchObject({ id: gone, name: 'plan.txt', outcome: 'skipped' })
    const [item] = await world.alice.call(api.trash.list, { query: { workspace_id: room.workspace_id } })
    expect(item).toMatchObject({ file_name: 'plan.txt', folder_id: finance })
    expect(await room.files(finance)).toEqual(['1 plan.txt'])
    expect(await world.alice.call(api.trash.list, { query: { workspace_id: room.workspace_id } })).toHaveLength(1)
  })

  it('makes its versions the newest of the file there', async () => {
    expect(await restore('replace')).toMatchObject({ id: there, name: 'plan.txt', outcome: 'replaced' })
    const versions = await world.alice.call(api.files.versions, inRoom(there))
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1])
    expect(versions[0]?.sha256).toBe(await shaOf(there))
    expect(await world.alice.call(api.trash.list, { query: { workspace_id: room.workspace_id } })).toEqual([])
    expect((await room.messages())[0]).toBe('restored a file as version 3 of the file: plan.txt')
  })
})

test('K60: a change is undone only by its user, and never over newer rights or versions', async () => {
  const id = await room.folder('Q1', finance)
  await room.grant(id, 'view')
  const { undo_id } = await world.alice.call(api.folders.move, {
    params: { id },
    body: { workspace_id: room.workspace_id, destination_folder_id: legal, conflict: 'rename' },
  })
  const { group_id } = room
  await world.alice.call(api.permissions.set, {
    params: { id: finance },
    body: { workspace_id: room.workspace_id, group_id, verb: 'revoke', folder_action: 'view' },
  })
  for (const person of [world.wendy, world.bob, world.mallory])
    expect(await person.statusOf(api.folders.undo, undoing(id, undo_id))).toBeGreaterThanOrEqual(403)
  expect(await world.alice.statusOf(api.folders.undo, undoing(id, undo_id))).toBe(409)
  expect(await world.bob.statusOf(api.folders.get, inRoom(id))).toBe(404)
})

/** Only its caller says that a change is an undo. */
const undoGrant = () =>
  world.alice.call(api.permissions.change, {
    body: {
      workspace_id: room.workspace_id,
      undo: true,
      changes: [{ folder_id: finance, group_id: room.group_id, rights: { view: false } }],
    },
  })

test.each<[string, () => Promise<unknown>]>([
  ['the undo of their grant', undoGrant],
  [
    'what was set for a draft',
    async () => {
      const { workspace_id } = room
      await world.alice.call(api.drafts.withdraw, { params: { id: finance }, body: { workspace_id } })
      await room.revoke(finance, 'view')
      await world.alice.call(api.drafts.publish, { params: { id: workspace_id }, body: { folder_ids: [finance] } })
    },
  ],
  [
    'a move of the former parent',
    async () => {
      const closed = await room.folder('Closed')
      const body = { workspace_id: room.workspace_id, destination_folder_id: closed }
      await world.alice.call(api.folders.move, { params: { id: finance }, body })
    },
  ],
])('K60: undoing a move brings back no rights that were taken back by %s', async (_, takeBack) => {
  await room.grant(finance, 'view')
  const id = await room.folder('Q1', finance)
  await room.grant(id, 'download')
  const body = { workspace_id: room.workspace_id, destination_folder_id: legal }
  const { undo_id } = await world.alice.call(api.folders.move, { params: { id }, body })
  await takeBack()
  expect(await world.alice.statusOf(api.folders.undo, undoing(id, undo_id))).toBe(409)
  expect(await world.bob.statusOf(api.folders.get, inRoom(id))).toBe(404)
})

test('E7: a user who may only upload learns nothing about names from a move or copy, in any way to settle a conflict', async () => {
  const mine = await add(finance, 'plan.txt')
  await add(legal, 'plan.txt')
  const empty = await room.folder('Empty')
  await room.grant(finance, 'upload')
  await world.alice.call(api.groups.update, {
    params: { id: room.group_id },
    body: { workspace_id: room.workspace_id, group: { file_managing_abilities: true } },
  })
  for (const verb of ['copy', 'move'] as const) {
    for (const conflict of [undefined, 'rename', 'replace', 'skip'] as const) {
      const { request_id: _, ...taken } = await world.bob.refused(api.files[verb], into(mine, legal, conflict))
      const free = await world.bob.refused(api.files[verb], into(mine, empty, conflict))
      expect(free).toMatchObject(taken)
    }
  }
  expect(await room.files(legal)).toEqual(['1 plan.txt'])
})
