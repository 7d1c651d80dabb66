import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { withoutNumber } from '../../contract/outline/outline.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
})
afterAll(() => service.close())

interface Shown {
  id: number
  outline: string
  name: string
  number_length: number
}

/** What the listing of a folder shows beside each number, folders first. */
async function listShown(id: number, person = world.alice): Promise<string[]> {
  const query = { workspace_id: room.workspace_id }
  const content = await person.call(api.folders.get, { params: { id }, query })
  const folders: Shown[] = content.immediate_subfolders
  const files: Shown[] = content.immediate_subfiles.map(({ title, ...file }) => ({ ...file, name: title }))
  return [...folders, ...files].map(({ name, outline, number_length }) => withoutNumber(name, outline, number_length))
}

/** A folder beside another one, in which no name gets the number that it has. */
async function emptyFolder(): Promise<number> {
  const id = await room.folder('Papers')
  await room.folder('Nothing', id)
  return id
}

const updateFolder = (id: number, folder: { name?: string; index?: number }) =>
  world.alice.call(api.folders.update, { params: { id }, body: { workspace_id: room.workspace_id, folder } })

/** Ways to write the number {2,1}. */
const WAYS: ((number: number[]) => string)[] = [
  (number) => `${number.join('.')} `,
  (number) => `${number.join('.')}. `,
  (number) => `${number.join('.')}_`,
  (number) => `${number.join('.')} - `,
  (number) => `${number.map((each) => String(each).padStart(2, '0')).join('.')} `,
]

const WORDS = ['Articles', 'Board', 'Contracts', 'Deeds', 'Equity', 'Finance', 'Görlitz', '契約']
/** A level of an index: at least two folders or files, or three if their numbers have one part. */
const level = fc
  .record({
    above: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
    way: fc.constantFrom(...WAYS),
    words: fc.shuffledSubarray(WORDS, { minLength: 3 }),
    kinds: fc.array(fc.constantFrom('folder', 'file'), { minLength: WORDS.length, maxLength: WORDS.length }),
  })
  .chain(({ above, way, words, kinds }) => {
    const named = words.map((word, at) => ({ word, name: way([...above, at + 1]) + word, kind: kinds[at] }))
    return fc.shuffledSubarray(named, { minLength: named.length, maxLength: named.length })
  })

describe('a dropped level of another index', () => {
  it('shows no number twice, in whatever order its folders and files come', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(level, async (dropped) => {
      const id = await emptyFolder()
      for (const { name, kind } of dropped)
        await (kind === 'folder' ? room.folder(name, id) : room.upload(world.alice, id, `${name}.txt`))
      const words = ({ word, kind }: (typeof dropped)[number]) => (kind === 'folder' ? word : `${word}.txt`)
      const inOrder = ['folder', 'file'].flatMap((kind) => dropped.filter((each) => each.kind === kind))
      expect(await listShown(id)).toEqual(['Nothing', ...inOrder.map(words)])
    })
    await fc.assert(property, { numRuns: 20 })
  })

  it('is recognised by the number of its folder, even with a single file in it', async () => {
    const id = await emptyFolder()
    const legal = await room.folder('7 Legal', id)
    expect(await listShown(id)).toEqual(['Nothing', '7 Legal'])
    await room.upload(world.alice, legal, '7.4 Deed.pdf')
    await room.upload(world.alice, legal, '8.4 Deed.pdf')
    expect(await listShown(id)).toEqual(['Nothing', 'Legal'])
    expect(await listShown(legal)).toEqual(['Deed.pdf', '8.4 Deed.pdf'])
  })
})

describe('a name that begins with another number', () => {
  it.each([
    [['2023 Annual report', '2024 Annual report', '2025 Half-year report']],
    [['3M contract', '10-K', '2.5% notes', '4.0.7 README']],
    [['1. Amendment.pdf', '2. Amendment.pdf', '3. Amendment.pdf']],
    [['1 year lease', '3 years lease', '5 years lease']],
    [['28. February 2025', '31. March 2025', '30. June 2025']],
    [['1.5 MW turbine', '1.8 MW turbine']],
    [['12.05.2024 Minutes', '13.05.2024 Call']],
  ])('keeps it: %j', async (names) => {
    const id = await emptyFolder()
    for (const name of names) await room.folder(name, id)
    expect(await listShown(id)).toEqual(['Nothing', ...names])
  })

  it('keeps it also beside a level of an index', async () => {
    const id = await emptyFolder()
    for (const name of ['30. June', '1. Corporate', '2. Finance', '3. Legal', '28. February', '3 years plan'])
      await room.folder(name, id)
    const rest = ['28. February', '3 years plan']
    expect(await listShown(id)).toEqual(['Nothing', '30. June', 'Corporate', 'Finance', 'Legal', ...rest])
  })
})

describe('a number that was recognised', () => {
  it('stays left out after a move, a copy, new places and a new name, and the name keeps it', async () => {
    const [from, to] = [await emptyFolder(), await emptyFolder()]
    const body = { workspace_id: room.workspace_id, destination_folder_id: to }
    const first = await room.folder('4.1 Annexes', from)
    const second = await room.folder('4.2 Books', from)
    await updateFolder(first, { index: 3 })
    expect(await listShown(from)).toEqual(['Nothing', 'Books', 'Annexes'])
    await world.alice.call(api.folders.copy, { params: { id: first }, body })
    await world.alice.call(api.folders.move, { params: { id: second }, body })
    expect(await listShown(to)).toEqual(['Nothing', 'Annexes', 'Books'])
    const renamed = await updateFolder(second, { name: '4.2 Account books' })
    expect(renamed).toMatchObject({ name: '4.2 Account books', number_length: 4 })
    expect(await updateFolder(second, { name: '9 Books' })).toMatchObject({ number_length: 0 })
  })

  it('K70: shows no reader a gap in a workspace that numbers for each reader', async () => {
    const id = await emptyFolder()
    for (const name of ['6.1 Secret', '6.2 Annexes', '6.3 Books']) await room.folder(name, id)
    await room.grant(id, 'view')
    const { immediate_subfolders } = await world.alice.call(api.folders.get, {
      params: { id },
      query: { workspace_id: room.workspace_id },
    })
    await room.revoke(immediate_subfolders[1]?.id ?? 0, 'view')
    const body = { workspace: { numbering: 'per_reader' as const } }
    await world.alice.call(api.workspaces.update, { params: { id: room.workspace_id }, body })
    expect(await listShown(id, world.bob)).toEqual(['Nothing', 'Annexes', 'Books'])
  })
})
