import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { FLAGS, type Flag } from '../../contract/endpoints/permissions.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, type Person, type World, createWorld } from '../testing/world.ts'

// The forecast of a move or a copy equals its outcome. The enforced rights of every group and member on every folder
// and file are read before and after.

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

/** The parent of each folder; 0 is the root. */
const PARENTS = [0, 0, 1, 1, 2, 0, 5]
const FILES = [0, 1, 2, 2, 4, 5, 6]

const scenario = fc.record({
  verb: fc.constantFrom('move' as const, 'copy' as const),
  rights: fc.array(
    fc.record({
      folder: fc.nat(PARENTS.length - 1),
      group: fc.nat(1),
      verb: fc.constantFrom('grant' as const, 'grant' as const, 'revoke' as const),
      flag: fc.constantFrom(...FLAGS),
    }),
    { minLength: 4, maxLength: 8 },
  ),
  // Mostly folders with subfolders, whose own rights are removed by a move.
  folders: fc.uniqueArray(fc.constantFrom(1, 1, 1, 2, 5, 3, 4, 6), { minLength: 1, maxLength: 3 }),
  files: fc.uniqueArray(fc.nat(FILES.length - 1), { maxLength: 3 }),
  to: fc.constantFrom(0, 5, 5, 6, 1, 3),
})

test('C5, C7: a forecast names every change of rights by a move or a copy', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ verb, rights, ...wanted }) => {
      const { room, folders, files, people } = await makeRoom()
      for (const { folder, group, ...change } of rights)
        await set(room, folders[folder], groupsOf(people)[group], change)
      const chosen = {
        folder_ids: wanted.folders.map((at) => folders[at] ?? 0),
        file_ids: wanted.files.map((at) => files[at] ?? 0),
        destination_folder_id: folders[wanted.to] ?? 0,
      }
      const body = { workspace_id: room.workspace_id, verb, ...chosen }
      if (verb === 'move' && wanted.folders.some((at) => isWithin(wanted.to, at))) {
        expect(await world.alice.statusOf(api.permissions.foresee, { body })).toBe(422)
        return
      }
      const before = await readRights(room, people)
      const foretold = await world.alice.call(api.permissions.foresee, { body })
      expect(await readRights(room, people)).toEqual(before)

      await transfer(verb, room, chosen)
      const after = await readRights(room, people)
      expect(plain(foretold)).toEqual(verb === 'move' ? movedBetween(before, after) : copiedBetween(before, after))
    }),
    { numRuns: 10, endOnFailure: true },
  )
}, 240_000)

const isWithin = (at: number, top: number): boolean => at === top || (at !== 0 && isWithin(PARENTS[at] ?? 0, top))

type Named = { name: string; groups: number[]; person: Person }
const groupsOf = (people: Named[]) => people[0]?.groups ?? []

/** Creates folders and files with unique names. Bob is in both groups, mallory in the second. */
async function makeRoom() {
  const room = await createRoom(world)
  const second = await room.group('Lenders')
  await addMember(world.alice, room.workspace_id, second, world.mallory)
  const folders = [0]
  for (const [at, parent] of PARENTS.entries()) {
    if (at > 0) folders.push(await room.folder(`Folder ${at}`, folders[parent] ?? 0))
  }
  const files: number[] = []
  for (const [at, folder] of FILES.entries()) {
    files.push((await room.upload(world.alice, folders[folder] ?? 0, `file ${at}`)).id)
  }
  const groups = [room.group_id, second]
  const people = [
    { name: 'bob', groups, person: world.bob },
    { name: 'mallory', groups: [second], person: world.mallory },
  ]
  return { room, folders, files, people }
}

function set(room: Room, id = 0, group_id = 0, { verb, flag }: { verb: 'grant' | 'revoke'; flag: Flag }) {
  const body = { workspace_id: room.workspace_id, group_id, verb, folder_action: flag }
  return world.alice.call(api.permissions.set, { params: { id }, body })
}

async function transfer(
  verb: 'move' | 'copy',
  { workspace_id }: Room,
  {
    folder_ids,
    file_ids,
    destination_folder_id,
  }: { folder_ids: number[]; file_ids: number[]; destination_folder_id: number },
) {
  const body = { workspace_id, destination_folder_id }
  for (const id of folder_ids) await world.alice.call(api.folders[verb], { params: { id }, body })
  for (const id of file_ids) await world.alice.call(api.files[verb], { params: { id }, body })
}

type Rights = Record<Flag, boolean>
interface Item {
  kind: 'folders' | 'files'
  id: number
  name: string
  /** Keyed by the name of the group or user. */
  rights: Record<string, Rights>
}

const NONE: Rights = { view: false, download: false, upload: false }

/** Every folder and file, with the rights of each group by the matrix and of each user by their view. */
async function readRights({ workspace_id }: Room, people: Named[]): Promise<Item[]> {
  const matrix = await world.alice.call(api.permissions.matrix, { query: { workspace_id } })
  const perFolder = await Promise.all(
    matrix.map(async (row): Promise<Item[]> => {
      const params = { id: row.folder_id }
      const content = await world.alice.call(api.folders.get, { params, query: { workspace_id } })
      const rights: Item['rights'] = {}
      for (const group of row.groups) rights[group.group_name] = pick(group)
      for (const { name, person } of people) {
        const query = { workspace_id, user_id: person.id }
        const seen = await world.alice.call(api.permissions.viewAs, { params, query }).catch(() => undefined)
        rights[name] = seen ? pick(seen.abilities) : NONE
      }
      const folder = { kind: 'folders' as const, id: row.folder_id, name: content.folder.name, rights }
      const files = content.immediate_subfiles.map(({ id, title }) => ({
        kind: 'files' as const,
        id,
        name: title,
        rights,
      }))
      return [folder, ...files]
    }),
  )
  return perFolder.flat().toSorted((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id)
}

const pick = ({ view, download, upload }: Rights): Rights => ({ view, download, upload })

/** `bob gains view: 2 folders, 3 files`, for those that gain or lose rights. */
type Plain = Record<string, { folders: number; files: number }>

function plain({ groups, people, is_partial }: Reply<typeof api.permissions.foresee>): Plain {
  expect({ groups: groups.total, people: people.total, is_partial }).toEqual({
    groups: groups.listed.length,
    people: people.listed.length,
    is_partial: false,
  })
  const lines: Plain = {}
  const add = (name: string, { gains, loses }: Pick<(typeof groups.listed)[number], 'gains' | 'loses'>) => {
    for (const flag of FLAGS) {
      for (const [word, counts] of [
        ['gains', gains[flag]],
        ['loses', loses[flag]],
      ] as const) {
        if (counts.folders + counts.files > 0) lines[`${name} ${word} ${flag}`] = counts
      }
    }
  }
  for (const group of groups.listed) add(group.group_name, group)
  for (const person of people.listed) add(person.user.first_name.toLowerCase(), person)
  return lines
}

function movedBetween(before: Item[], after: Item[]): Plain {
  const pairs = before.map((was) => {
    const is = after.find((item) => item.kind === was.kind && item.id === was.id)
    if (!is) throw new Error(`${was.name} is gone`)
    return [was, is] as const
  })
  return count(pairs)
}

/**
 * Pairs each original with the union of its own rights and those of its copies. A right that the original did not have
 * is a gain, counted once however many copies there are.
 */
function copiedBetween(before: Item[], after: Item[]): Plain {
  const isNew = (item: Item) => !before.some((was) => was.kind === item.kind && was.id === item.id)
  const pairs = before.flatMap((was) => {
    const copies = after.filter((item) => isNew(item) && item.kind === was.kind && original(item.name) === was.name)
    return copies.map((copy) => [was, { ...copy, rights: either(was.rights, copy.rights) }] as const).slice(0, 1)
  })
  return count(pairs)
}

const original = (name: string) => name.replaceAll(/ \(\d+\)/g, '')

const either = (a: Item['rights'], b: Item['rights']): Item['rights'] =>
  Object.fromEntries(
    Object.entries(a).map(([name, rights]) => {
      const other = b[name] ?? NONE
      return [
        name,
        {
          view: rights.view || other.view,
          download: rights.download || other.download,
          upload: rights.upload || other.upload,
        },
      ]
    }),
  )

function count(pairs: (readonly [Item, Item])[]): Plain {
  const lines: Plain = {}
  for (const [was, is] of pairs) {
    for (const [name, rights] of Object.entries(was.rights)) {
      for (const flag of FLAGS) {
        if (rights[flag] === is.rights[name]?.[flag]) continue
        const line = (lines[`${name} ${rights[flag] ? 'loses' : 'gains'} ${flag}`] ??= { folders: 0, files: 0 })
        line[was.kind]++
      }
    }
  }
  return lines
}
