import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import type { Numbering } from '../../contract/endpoints/workspaces.ts'
import { untilLockWait } from '../testing/database/lock-waits.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let carol: Person
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  carol = await createPerson(service, 'carol')
})
afterAll(() => service.close())

const { folders, files, permissions, workspaces } = api

interface Named {
  room: Room
  ids: Record<string, number>
  lenders: number
}

/** Bob, of the Bidders, sees all but 1, 3.1 and the content of 4. Carol, of the Lenders, sees only 2 and what is in 3.2. */
async function makeRoom(): Promise<Named> {
  const room = await createRoom(world)
  const ids: Record<string, number> = {}
  for (const name of ['Board', 'Corporate', 'Deals', 'Estate']) ids[name] = await room.folder(name)
  for (const name of ['Drafts', 'Final', 'Signed']) ids[name] = await room.folder(name, ids['Deals'])
  ids['Old'] = await room.folder('Old', ids['Estate'])
  ids['Plans'] = await room.folder('Plans', ids['Estate'])
  for (const folder of ['Deals', 'Final', 'Estate', 'Plans']) {
    await room.upload(world.alice, ids[folder] ?? 0, `${folder} paper.txt`, `${folder} paper`)
  }
  for (const name of ['Corporate', 'Deals', 'Plans']) await room.grant(ids[name] ?? 0, 'view')
  await room.revoke(ids['Drafts'] ?? 0, 'view')
  const body = { group: { name: 'Lenders', workspace_id: room.workspace_id } }
  const { id: lenders } = await world.alice.call(api.groups.create, { body })
  await addMember(world.alice, room.workspace_id, lenders, carol)
  await room.grant(ids['Corporate'] ?? 0, 'view', lenders)
  await room.grant(ids['Final'] ?? 0, 'view', lenders)
  return { room, ids, lenders }
}

const number = ({ room }: Named, numbering: Numbering) =>
  world.alice.call(workspaces.update, { params: { id: room.workspace_id }, body: { workspace: { numbering } } })

type Content = Awaited<ReturnType<typeof contentFor>>

const contentFor = (person: Person, { room: { workspace_id } }: Named, id: number) =>
  id === 0
    ? person.call(workspaces.home, { params: { id: workspace_id } })
    : person.call(folders.get, { params: { id }, query: { workspace_id } })

const linesOf = (content: Content) => [
  ...content.immediate_subfolders.map(({ outline, name }) => `${outline} ${name}`),
  ...content.immediate_subfiles.map(({ outline, title }) => `${outline} ${title}`),
]

/** The numbers of everything that a reader reaches, from the top. */
async function walk(read: (id: number) => Promise<Content>, id = 0): Promise<string[]> {
  const content = await read(id)
  const below = []
  for (const folder of content.immediate_subfolders) below.push(await walk(read, folder.id))
  return [...linesOf(content), ...below.flat()].toSorted()
}

const ADMIN = [
  '1 Board',
  '2 Corporate',
  '3 Deals',
  '3.1 Drafts',
  '3.2 Final',
  '3.2.1 Final paper.txt',
  '3.3 Signed',
  '3.4 Deals paper.txt',
  '4 Estate',
  '4.1 Old',
  '4.2 Plans',
  '4.2.1 Plans paper.txt',
  '4.3 Estate paper.txt',
]
const BOB_FIXED = [
  '2 Corporate',
  '3 Deals',
  '3.2 Final',
  '3.2.1 Final paper.txt',
  '3.3 Signed',
  '3.4 Deals paper.txt',
  '4 Estate',
  '4.2 Plans',
  '4.2.1 Plans paper.txt',
]
const BOB_COUNTED = [
  '1 Corporate',
  '2 Deals',
  '2.1 Final',
  '2.1.1 Final paper.txt',
  '2.2 Signed',
  '2.3 Deals paper.txt',
  '3 Estate',
  '3.1 Plans',
  '3.1.1 Plans paper.txt',
]
const CAROL_COUNTED = ['1 Corporate', '2 Deals', '2.1 Final', '2.1.1 Final paper.txt']

describe('the numbers of folders and files', () => {
  it('are fixed at first: files continue after the folders, and a reader sees gaps', async () => {
    const named = await makeRoom()
    expect(await walk((id) => contentFor(world.alice, named, id))).toEqual(ADMIN)
    expect(await walk((id) => contentFor(world.bob, named, id))).toEqual(BOB_FIXED)
  })

  it('count for each reader only what they see, where the workspace says so', async () => {
    const named = await makeRoom()
    await number(named, 'per_reader')
    expect(await walk((id) => contentFor(world.alice, named, id))).toEqual(ADMIN)
    expect(await walk((id) => contentFor(world.bob, named, id))).toEqual(BOB_COUNTED)
    expect(await walk((id) => contentFor(carol, named, id))).toEqual(CAROL_COUNTED)
    await number(named, 'fixed')
    expect(await walk((id) => contentFor(world.bob, named, id))).toEqual(BOB_FIXED)
  })

  it('are shown by "view as" exactly as the group and the person see them', async () => {
    const named = await makeRoom()
    const { workspace_id, group_id } = named.room
    for (const numbering of ['per_reader', 'fixed'] as const) {
      await number(named, numbering)
      const seen = await walk((id) => contentFor(world.bob, named, id))
      for (const who of [{ group_id }, { user_id: world.bob.id }]) {
        const as = (id: number) =>
          world.alice.call(permissions.viewAs, { params: { id }, query: { workspace_id, ...who } })
        expect(await walk(as)).toEqual(seen)
      }
    }
  })

  it('are the same in search, in one file and one folder, on pages and in the rights of a group', async () => {
    const named = await makeRoom()
    const { workspace_id, group_id } = named.room
    for (const numbering of ['per_reader', 'fixed'] as const) {
      await number(named, numbering)
      const known = await walk((id) => contentFor(world.bob, named, id))
      const found = await world.bob.call(files.search, { query: { workspace_id, q: 'paper' } })
      expect(found).toHaveLength(3)
      for (const { id, outline, title } of found) {
        expect(known).toContain(`${outline} ${title}`)
        const file = await world.bob.call(files.get, { params: { id }, query: { workspace_id } })
        expect(file.outline).toBe(outline)
      }
      const [signed] = await world.bob.call(folders.search, { query: { workspace_id, q: 'signed' } })
      expect(known).toContain(`${signed?.outline} Signed`)
      const query = { workspace_id, page: 2, per_page: 25 as const }
      const paged = await world.bob.call(folders.get, { params: { id: named.ids['Deals'] ?? 0 }, query })
      expect(known).toContain(`${paged.folder.outline} Deals`)
      const below = await world.bob.call(permissions.list, {
        params: { id: named.ids['Deals'] ?? 0 },
        query: { workspace_id, group_id },
      })
      for (const { outline, name, index, position } of below) {
        expect(known).toContain(`${outline} ${name}`)
        expect(outline.endsWith(`.${index}`) && index === position).toBe(true)
      }
    }
  })

  it('K70: leave no gap anywhere on the wire that tells a reader of something hidden', async () => {
    const named = await makeRoom()
    const { workspace_id, group_id } = named.room
    await number(named, 'per_reader')
    const indexes = (content: Content) => content.immediate_subfolders.map(({ index }) => index)
    expect(indexes(await contentFor(world.bob, named, 0))).toEqual([1, 2, 3])
    expect(indexes(await contentFor(world.bob, named, named.ids['Deals'] ?? 0))).toEqual([1, 2])
    const { folder } = await contentFor(world.bob, named, named.ids['Estate'] ?? 0)
    expect(folder.index).toBe(3)
    const { folder: deals } = await contentFor(world.bob, named, named.ids['Deals'] ?? 0)
    expect(deals.index).toBe(2)
    const of = async (query: object) =>
      (await world.bob.call(permissions.sheet, { query: { workspace_id, group_ids: [group_id], ...query } })).rows
    for (const query of [{ folder_ids: [0, named.ids['Deals'] ?? 0] }, { below: 0 }]) {
      const rows = (await of(query)).filter(({ id }) => id !== 0)
      for (const level of Map.groupBy(rows, ({ parent_id }) => parent_id).values()) {
        expect(level.map(({ index }) => index).toSorted()).toEqual(level.map((_, at) => at + 1))
      }
    }
    const [signed] = await world.bob.call(folders.search, { query: { workspace_id, q: 'signed' } })
    expect(signed?.index).toBe(2)
  })

  it('K70: stand in paths too, in place of those that names brought with them', async () => {
    const named = await makeRoom()
    const { room, ids } = named
    const { workspace_id, group_id } = room
    const annexes = await room.folder('3.2.1 Annexes', ids['Final'])
    const { id: noteId } = await room.upload(world.alice, annexes, 'Note.txt', 'side letter')
    await number(named, 'per_reader')
    const search = { query: { workspace_id, q: 'note' } }
    const pathsFor = async (person: Person) => {
      const [file] = await person.call(files.search, search)
      const [folder] = await person.call(folders.search, { query: { workspace_id, q: 'annexes' } })
      expect([file?.folder_path, folder?.path]).toEqual(Array(2).fill('/Deals/Final/3.2.1 Annexes'))
      const { numbered_path } = await contentFor(person, named, annexes)
      return [file?.numbered_folder_path, folder?.numbered_path, numbered_path]
    }
    const [his, ours] = ['/2 Deals/2.1 Final/2.1.1 Annexes', '/3 Deals/3.2 Final/3.2.1 Annexes']
    expect(await pathsFor(world.bob)).toEqual([his, his, his])
    expect(await pathsFor(carol)).toEqual([his, his, his])
    expect(await pathsFor(world.alice)).toEqual([ours, ours, ours])
    const seen = { params: { id: annexes }, query: { workspace_id, group_id } }
    expect((await world.alice.call(permissions.viewAs, seen)).numbered_path).toBe(his)
    expect((await contentFor(world.bob, named, 0)).numbered_path).toBe('/')

    const rights = { view: true, download: true }
    const changes = [{ folder_id: annexes, group_id, rights }]
    const tried = await world.alice.call(permissions.change, { body: { workspace_id, changes, dry_run: true } })
    const params = { id: workspace_id }
    await world.alice.call(api.stagedRights.stage, { params, body: { changes } })
    const staged = await world.alice.call(api.stagedRights.list, { params })
    const waiting = await world.alice.call(api.documents.list, { query: { workspace_id } })
    const unread = await world.alice.call(api.activities.unread, { params: { workspace_id, group_id }, query: {} })
    expect(tried.effects[0]?.numbered_path).toBe(ours)
    expect(staged.changes[0]?.numbered_path).toBe(ours)
    expect(waiting.find(({ file_id }) => file_id === noteId)?.numbered_folder_path).toBe(ours)
    expect(unread.files.find(({ file_id }) => file_id === noteId)?.numbered_path).toBe(ours)
  })

  it('end in paths at a draft and at what is in the trash, which have none', async () => {
    const { room, ids } = await makeRoom()
    const { workspace_id } = room
    const draft = { workspace_id, parent_id: ids['Deals'] ?? 0, name: '3.4 Later' }
    const { id } = await world.alice.call(api.drafts.create, { body: draft })
    const inside = await room.folder('Inside', id)
    const content = await world.alice.call(folders.get, { params: { id: inside }, query: { workspace_id } })
    expect(content.numbered_path).toBe('/3 Deals/3.4 Later/Inside')
    const { drafts } = await world.alice.call(api.drafts.list, { params: { id: workspace_id } })
    expect(drafts[0]?.numbered_path).toBe('/3 Deals/3.4 Later')
    const { id: note } = await room.upload(world.alice, inside, 'Note.txt')
    await world.alice.call(files.remove, { params: { id: note }, query: { workspace_id } })
    const placeOf = async (file: number) => {
      const listed = await world.alice.call(api.trash.list, { query: { workspace_id } })
      return listed.find((item) => item.type === 'file' && item.id === file)?.numbered_path
    }
    expect(await placeOf(note)).toBe('/3 Deals/3.4 Later/Inside')
    const { id: paper } = await room.upload(world.alice, ids['Signed'] ?? 0, 'Paper.txt')
    await world.alice.call(files.remove, { params: { id: paper }, query: { workspace_id } })
    expect(await placeOf(paper)).toBe('/3 Deals/3.3 Signed')
    await world.alice.call(folders.remove, { params: { id: ids['Signed'] ?? 0 }, query: { workspace_id } })
    expect(await placeOf(paper)).toBe('/3 Deals/Signed')
  })

  it('K70: of one reader never reach another one, and are new after every change that moves them', async () => {
    const named = await makeRoom()
    await number(named, 'per_reader')
    const readers = [world.alice, world.bob, carol]
    const final = named.ids['Final'] ?? 0
    const outlines = () =>
      Promise.all(readers.map(async (each) => (await contentFor(each, named, final)).folder.outline))
    expect(await outlines()).toEqual(['3.2', '2.1', '2.1'])
    await named.room.revoke(named.ids['Corporate'] ?? 0, 'view')
    expect(await outlines()).toEqual(['3.2', '1.1', '2.1'])
    await named.room.folder('Zoning', named.ids['Deals'])
    const body = { workspace_id: named.room.workspace_id, folder: { index: 1 } }
    await world.alice.call(folders.update, { params: { id: final }, body })
    expect(await outlines()).toEqual(['3.1', '1.1', '2.1'])
    await world.alice.call(folders.update, { params: { id: named.ids['Deals'] ?? 0 }, body })
    expect(await outlines()).toEqual(['1.1', '1.1', '1.1'])
    await number(named, 'fixed')
    expect(await outlines()).toEqual(['1.1', '1.1', '1.1'])
    expect((await contentFor(carol, named, named.ids['Corporate'] ?? 0)).folder.outline).toBe('3')
  })

  it('are told where a folder is made, renamed, copied or moved, and a file moved', async () => {
    const named = await makeRoom()
    const { workspace_id } = named.room
    await number(named, 'per_reader')
    await named.room.grant(named.ids['Deals'] ?? 0, 'upload')
    await named.room.revoke(named.ids['Drafts'] ?? 0, 'view')
    const body = { workspace_id, parent_id: named.ids['Deals'] ?? 0 }
    const made = await world.bob.call(folders.create, { body: { ...body, name: 'Bids' } })
    expect([made.outline, made.index]).toEqual(['2.3', 3])
    const renamed = await world.alice.call(folders.update, {
      params: { id: made.id },
      body: { workspace_id, folder: { name: 'Offers' } },
    })
    expect(renamed.outline).toBe('3.4')
    const to = { workspace_id, destination_folder_id: named.ids['Estate'] ?? 0 }
    const copied = await world.alice.call(folders.copy, { params: { id: made.id }, body: to })
    expect(copied.outline).toBe('4.3')
    const [paper] = await world.alice.call(files.search, { query: { workspace_id, q: '"Deals paper"' } })
    const moved = await world.alice.call(files.move, { params: { id: paper?.id ?? 0 }, body: to })
    expect(moved.outline).toBe('4.5')
  })
})

describe('numbering anew', () => {
  const NAMES = ['10 Tax', '2 Leases', 'annexes', '1. Board', 'Zoning']
  const SORTED = ['1 1. Board', '2 2 Leases', '3 10 Tax', '4 annexes', '5 Zoning']
  const made = async () => {
    const room = await createRoom(world)
    for (const name of NAMES) await room.folder(name)
    for (const name of ['b.txt', 'a.txt']) await room.upload(world.alice, 0, name)
    const { workspace_id } = room
    const lines = async () => {
      const content = await world.alice.call(folders.get, { params: { id: 0 }, query: { workspace_id } })
      return content.immediate_subfolders.map(({ outline, name }) => `${outline} ${name}`)
    }
    const renumber = () => world.alice.call(folders.renumber, { params: { id: 0 }, body: { workspace_id } })
    const undoing = (undo_id: number | null) => ({ params: { id: 0 }, body: { workspace_id, undo_id: undo_id ?? 0 } })
    return { room, workspace_id, lines, renumber, undoing }
  }

  it('follows the names, with numbers by their value, is recorded, and can be undone once', async () => {
    const { room, lines, renumber, undoing } = await made()
    const before = await lines()
    const { undo_id, message } = await renumber()
    expect(await lines()).toEqual(SORTED)
    expect(await room.files(0)).toEqual(['1 a.txt', '2 b.txt'])
    expect((await room.messages())[0]).toBe(message)
    expect(await renumber()).toEqual({ message: 'unchanged', undo_id: null })
    await world.alice.call(folders.undo, undoing(undo_id))
    expect(await lines()).toEqual(before)
    expect(await room.files(0)).toEqual(['1 b.txt', '2 a.txt'])
    expect((await room.messages())[0]).toBe('undid the new numbers in the folder: All Folders')
    expect(await world.alice.statusOf(folders.undo, undoing(undo_id))).toBe(404)
  })

  it('is not undone over another order, and keeps what is new behind the others', async () => {
    const { room, workspace_id, lines, renumber, undoing } = await made()
    const { undo_id } = await renumber()
    const late = await room.folder('0 Late')
    const place = (index: number) =>
      world.alice.call(folders.update, { params: { id: late }, body: { workspace_id, folder: { index } } })
    await place(1)
    await world.alice.call(folders.undo, undoing(undo_id))
    expect((await lines()).map((line) => line.slice(2))).toEqual([...NAMES, '0 Late'])
    const again = await renumber()
    const [first] = (await world.alice.call(folders.get, { params: { id: 0 }, query: { workspace_id } }))
      .immediate_subfolders
    const body = { workspace_id, folder: { index: 4 } }
    await world.alice.call(folders.update, { params: { id: first?.id ?? 0 }, body })
    expect(await world.alice.statusOf(folders.undo, undoing(again.undo_id))).toBe(409)
  })

  it('keeps numbers without gaps while others add folders', async () => {
    const { room, lines, renumber } = await made()
    await Promise.all([renumber(), ...['c', 'd', 'e'].map((name) => room.folder(name)), renumber()])
    expect((await lines()).map((line) => parseInt(line, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})

describe('the index', () => {
  const indexFor = async (person: Person, { room }: Named) =>
    (await person.call(workspaces.listIndex, { params: { id: room.workspace_id } }))
      .map(({ outline, name }) => `${outline} ${name}`)
      .toSorted()

  it('has what a reader sees and no more, with the numbers of that reader', async () => {
    const named = await makeRoom()
    for (const numbering of ['per_reader', 'fixed'] as const) {
      await number(named, numbering)
      for (const person of [world.alice, world.bob, carol]) {
        expect(await indexFor(person, named)).toEqual(await walk((id) => contentFor(person, named, id)))
      }
    }
  })

  it('says where each entry is, and nothing about a folder that the reader passes through', async () => {
    const named = await makeRoom()
    const rows = await world.bob.call(workspaces.listIndex, { params: { id: named.room.workspace_id } })
    const of = (wanted: string) => rows.find(({ name }) => name === wanted)
    expect(of('Estate')).toMatchObject({ kind: 'folder', path: '/', updated_at: null, file_size: null, pages: null })
    expect(of('Plans paper.txt')).toMatchObject({ kind: 'file', path: '/Estate/Plans', file_size: '11' })
    expect(of('Corporate')?.updated_at).toBeTruthy()
  })
})

describe('the index as a PDF', () => {
  const printFor = async (person: Person, { room }: Named) => {
    const input = { params: { id: room.workspace_id }, query: { time_zone: 'Berlin' } }
    const pieces = await person.call(workspaces.printIndex, input)
    return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('latin1')
  }

  it('has links to what the reader sees, and to nothing else', async () => {
    const named = await makeRoom()
    for (const person of [world.alice, world.bob, carol]) {
      const pdf = await printFor(person, named)
      expect([pdf.slice(0, 5), pdf.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF'])
      const opened = [...pdf.matchAll(/\/URI\(([^)]*)\)/g)].map(([, address = '']) => new URL(address).pathname)
      const rows = await person.call(workspaces.listIndex, { params: { id: named.room.workspace_id } })
      const seen = rows.map(
        ({ kind, id }) => `/workspaces/${named.room.workspace_id}/files/${id}${kind === 'folder' ? '' : '/view'}`,
      )
      expect(opened.toSorted()).toEqual(seen.toSorted())
    }
  })

  it('needs a language and a time zone that exist', async () => {
    const { room } = await makeRoom()
    for (const query of ['language=xx', 'time_zone=Nowhere/Here']) {
      const response = await world.bob.fetch(`/api/v1/workspaces/${room.workspace_id}/index/pdf?${query}`)
      expect(response.status).toBe(422)
    }
  })
})

describe('the setting', () => {
  it('is for admins, is recorded, and is told to nobody else', async () => {
    const named = await makeRoom()
    const id = named.room.workspace_id
    const body = { workspace: { numbering: 'per_reader' as const } }
    expect(await world.bob.statusOf(workspaces.update, { params: { id }, body })).toBe(403)
    expect((await number(named, 'per_reader')).numbering).toBe('per_reader')
    expect((await world.bob.call(workspaces.get, { params: { id } })).numbering).toBeNull()
    const trail = await world.alice.call(api.audit.export, { params: { id } })
    expect(JSON.stringify(trail)).toContain('had folders and files numbered for each reader')
    expect((await named.room.messages()).join()).not.toContain('number')
  })

  it('C9: stays as another admin sets it while the workspace is renamed', async () => {
    const { room } = await makeRoom()
    const { db } = service.services
    const params = { id: room.workspace_id }
    let renaming: Promise<unknown> | undefined
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('workspaces').set({ numbering: 'per_reader' }).where('id', '=', params.id).execute()
      renaming = world.alice.call(workspaces.update, { params, body: { workspace: { name: 'Renamed' } } })
      await untilLockWait(db)
    })
    expect(await renaming).toMatchObject({ name: 'Renamed', numbering: 'per_reader' })
    expect(JSON.stringify(await world.alice.call(api.audit.export, { params }))).not.toContain('same numbers')
  })

  it('is refused in a word that it does not have', async () => {
    const { room } = await makeRoom()
    const body = { workspace: { numbering: 'none' as never } }
    expect(await world.alice.statusOf(workspaces.update, { params: { id: room.workspace_id }, body })).toBe(422)
  })
})
