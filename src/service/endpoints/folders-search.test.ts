import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let legal: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  const finance = await room.folder('Finance')
  legal = await room.folder('Legal', finance)
  await room.folder('Contracts (signed)', legal)
  await room.folder('Contracts')
  await room.folder('Old contracts')
  await room.folder('Übersicht')
  await room.folder('契約書')
  await room.grant(legal, 'view')
})
afterAll(() => service.close())

const find = (person: Person, q: string) =>
  person.call(api.folders.search, { query: { workspace_id: room.workspace_id, q } })
const names = async (person: Person, q: string) => (await find(person, q)).map(({ name }) => name)

describe('searching folders', () => {
  it.each<[string, string[]]>([
    ['contr', ['Contracts', 'Contracts (signed)', 'Old contracts']],
    ['signed contracts', ['Contracts (signed)']],
    ['"contracts signed"', ['Contracts (signed)']],
    ['ubers', ['Übersicht']],
    ['契約', ['契約書']],
    ['con', ['Contracts', 'Contracts (signed)', 'Old contracts']],
    ['%', []],
    ['nothing', []],
  ])('for %s finds words in names, closest match first', async (q, expected) => {
    expect(await names(world.alice, q)).toEqual(expected)
  })

  it.each([
    ['letters', 'x'.repeat(255)],
    ['letters that take twelve bytes', '\u{1d160}'.repeat(63)],
  ])('finds a name that is one very long word of %s by its whole and by its beginning', async (_, name) => {
    await room.folder(name)
    for (const q of [name, `"${name}"`, name.slice(0, 20)])
      expect(await names(world.alice, q)).toEqual([name.normalize()])
    expect(await names(world.alice, `${name}y`)).toEqual([])
    expect(await names(world.alice, `"${name.slice(0, -2)}"`)).toEqual([])
  })

  it('returns the path of each folder', async () => {
    const [found] = await find(world.alice, 'signed')
    expect(found).toMatchObject({ path: '/Finance/Legal/Contracts (signed)', parent_path: '/Finance/Legal', index: 1 })
    expect(found).not.toHaveProperty('total')
  })

  it('shows a member only folders the member may view, and omits hidden parents', async () => {
    expect(await names(world.bob, 'contracts')).toEqual(['Contracts (signed)'])
    expect(await names(world.bob, 'legal')).toEqual(['Legal'])
    expect(await names(world.bob, 'finance')).toEqual([])
  })

  it('follows renames and omits deleted folders', async () => {
    const { workspace_id } = room
    const id = await room.folder('Ephemeral')
    const folder = { name: 'Lasting' }
    await world.alice.call(api.folders.update, { params: { id }, body: { workspace_id, folder } })
    expect([await names(world.alice, 'ephemeral'), await names(world.alice, 'lasting')]).toEqual([[], ['Lasting']])
    await world.alice.call(api.folders.remove, { params: { id }, query: { workspace_id } })
    expect(await names(world.alice, 'lasting')).toEqual([])
  })

  it('is paged, with the total', async () => {
    const path = `/api/v1/folders/search?workspace_id=${room.workspace_id}&q=contracts`
    const [first, second] = [await world.alice.fetch(path), await world.alice.fetch(`${path}&page=2`)]
    expect([first.headers.get('x-total-count'), second.headers.get('x-total-count')]).toEqual(['3', '3'])
    expect(await second.json()).toEqual([])
  })
})
