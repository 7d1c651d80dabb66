import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { FLAGS, type Flag } from '../../contract/endpoints/permissions.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

type Rights = Record<Flag, boolean>
type Entry = Reply<typeof api.permissions.list>[number]
type Sheet = Reply<typeof api.permissions.sheet>

/** A model of the rules of decisions, section 5, in their plainest form: every folder stores its own rights. */
interface NaiveFolder {
  id: number
  rights: Rights
  children: NaiveFolder[]
}

type Step =
  | { act: 'create'; at: number }
  | { act: 'set'; at: number; verb: 'grant' | 'revoke'; flag: Flag }
  | { act: 'move' | 'copy'; at: number; to: number }
  | { act: 'remove'; at: number }

const place = fc.nat(1000)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('create' as const), at: place }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('set' as const),
      at: place,
      verb: fc.constantFrom('grant' as const, 'revoke' as const),
      flag: fc.constantFrom(...FLAGS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('move' as const, 'copy' as const), at: place, to: place }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove' as const), at: place }) },
)

const flatten = (folder: NaiveFolder): NaiveFolder[] => [folder, ...folder.children.flatMap(flatten)]
const descendants = (folder: NaiveFolder) => folder.children.flatMap(flatten)
const parentOf = (root: NaiveFolder, folder: NaiveFolder) =>
  flatten(root).find((each) => each.children.includes(folder))

function setNaively(folder: NaiveFolder, verb: 'grant' | 'revoke', flag: Flag): void {
  for (const each of flatten(folder)) {
    each.rights[flag] = verb === 'grant'
    if (verb === 'grant') each.rights.view = true
    else if (flag === 'view') each.rights = { view: false, download: false, upload: false }
  }
}

function inherit(folder: NaiveFolder, rights: Rights): void {
  for (const each of flatten(folder)) each.rights = { ...rights }
}

function expectedEntry(folder: NaiveFolder): Pick<Entry, 'id' | Flag | `is_mixed_${Flag}`> {
  const below = descendants(folder)
  const isMixed = (flag: Flag) => below.some((each) => each.rights[flag]) && below.some((each) => !each.rights[flag])
  return {
    id: folder.id,
    ...folder.rights,
    is_mixed_view: isMixed('view'),
    is_mixed_download: isMixed('download'),
    is_mixed_upload: isMixed('upload'),
  }
}

function sheetRowOf(entry: Entry): Sheet['rows'][number] {
  const { id, parent_id, name, index, children } = entry
  const bits = FLAGS.map((flag, at) => (Number(entry[flag]) << at) | (Number(entry[`is_mixed_${flag}`]) << (at + 3)))
  return { id, parent_id, name, index, children, rights: [bits.reduce((a, b) => a | b)] }
}

function comparePaths(one: string, other: string): number {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)]
  const at = a.findIndex((id, place) => id !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

describe('rights of a group over random trees and changes', () => {
  let service: TestService
  let world: World
  beforeAll(async () => {
    service = await startTestService()
    world = await createWorld(service)
  })
  afterAll(() => service.close())

  it('C1, C2, C3, C6, C7: equal the naive evaluation everywhere, and a member sees exactly those rights', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const run = await startRun(world)
        for (const each of steps) await run.apply(each)
        await run.compare()
      }),
      { numRuns: 30, endOnFailure: true },
    )
  }, 180_000)
})

/** Creates a workspace with a group, and their naive model. */
async function startRun({ alice, bob, team_id }: World) {
  const { id: workspace_id } = await alice.call(api.workspaces.create, {
    body: { workspace: { name: 'Run', team_id } },
  })
  const { id: group_id } = await alice.call(api.groups.create, { body: { group: { name: 'Bidders', workspace_id } } })
  const membership = { workspace_id, user_id: bob.id, send_email: false }
  await alice.call(api.groups.addMember, { params: { id: group_id }, body: membership })
  const root: NaiveFolder = { id: 0, rights: { view: false, download: false, upload: false }, children: [] }
  const pick = (at: number) => flatten(root)[at % flatten(root).length] as NaiveFolder

  return {
    async apply(change: Step): Promise<void> {
      const folder = pick(change.at)
      if (change.act === 'create') {
        const body = { workspace_id, name: 'F', parent_id: folder.id }
        const { id } = await alice.call(api.folders.create, { body })
        folder.children.push({ id, rights: { ...folder.rights }, children: [] })
      } else if (change.act === 'set') {
        const body = { workspace_id, group_id, verb: change.verb, folder_action: change.flag }
        await alice.call(api.permissions.set, { params: { id: folder.id }, body })
        setNaively(folder, change.verb, change.flag)
      } else if (folder.id === 0) {
        return
      } else if (change.act === 'remove') {
        const reply = await alice.call(api.folders.remove, { params: { id: folder.id }, query: { workspace_id } })
        expect(reply.deleted).toBe(flatten(folder).length)
        detach(folder)
      } else if (change.act === 'move') await move(folder, pick(change.to))
      else await copy(folder, pick(change.to))
    },

    async compare(): Promise<void> {
      for (const folder of flatten(root)) await compareLevel(folder)
      for (const person of [alice, bob]) await compareSheet(person)
    },
  }

  /** The sheet, read as a whole, by ids, from the middle on or below one folder, must equal the single levels. */
  async function compareSheet(person: Person): Promise<void> {
    const ids = flatten(root).map(({ id }) => id)
    const levels: Entry[] = []
    for (const id of ids) {
      const call = { params: { id }, query: { workspace_id, group_id } }
      if ((await person.statusOf(api.permissions.list, call)) === 200)
        levels.push(...(await person.call(api.permissions.list, call)))
    }
    // Every member sees the root, even if no other folder is visible.
    const [all] = await alice.call(api.permissions.list, { params: { id: 0 }, query: { workspace_id, group_id } })
    if (all && !levels.some(({ id }) => id === 0)) levels.unshift({ ...all, children: 0 })
    const expected = levels.map(sheetRowOf).sort((a, b) => a.id - b.id)
    const read = (query: object) =>
      person.call(api.permissions.sheet, { query: { workspace_id, group_ids: [group_id], ...query } })
    const sorted = ({ rows }: Sheet) => rows.toSorted((a, b) => a.id - b.id)
    expect(sorted(await read({ below: 0 }))).toEqual(expected)
    expect(sorted(await read({ folder_ids: ids }))).toEqual(expected)
    const { id_path, id } = levels[Math.floor(levels.length / 2)] as Entry
    const later = levels.filter((entry) => comparePaths(entry.id_path, id_path) > 0)
    expect(sorted(await read({ below: 0, after: id_path })).map((row) => row.id)).toEqual(
      later.map((entry) => entry.id).sort((a, b) => a - b),
    )
    const inside = levels.filter((entry) => entry.id_path.startsWith(`${id_path}.`))
    expect(sorted(await read({ below: id }))).toEqual(
      (id === 0 ? levels : inside).map(sheetRowOf).sort((a, b) => a.id - b.id),
    )
  }

  function detach(folder: NaiveFolder): void {
    const parent = parentOf(root, folder)
    if (parent) parent.children = parent.children.filter((each) => each !== folder)
  }

  async function move(folder: NaiveFolder, target: NaiveFolder): Promise<void> {
    const call = { params: { id: folder.id }, body: { workspace_id, destination_folder_id: target.id } }
    if (flatten(folder).includes(target)) {
      expect((await alice.refused(api.folders.move, call)).code).toBe(422)
      return
    }
    await alice.call(api.folders.move, call)
    if (parentOf(root, folder) === target) return
    detach(folder)
    target.children.push(folder)
    inherit(folder, target.rights)
  }

  async function copy(folder: NaiveFolder, target: NaiveFolder): Promise<void> {
    const body = { workspace_id, destination_folder_id: target.id }
    const { id } = await alice.call(api.folders.copy, { params: { id: folder.id }, body })
    const twin = await readNaively(id)
    expect(flatten(twin).length).toBe(flatten(folder).length)
    inherit(twin, target.rights)
    target.children.push(twin)
  }

  /** Reads the shape of a copy from the service. The model sets its rights. */
  async function readNaively(id: number): Promise<NaiveFolder> {
    const content = await alice.call(api.folders.get, { params: { id }, query: { workspace_id } })
    const children: NaiveFolder[] = []
    for (const subfolder of content.immediate_subfolders) children.push(await readNaively(subfolder.id))
    return { id, rights: { view: false, download: false, upload: false }, children }
  }

  async function compareLevel(folder: NaiveFolder): Promise<void> {
    const call = { params: { id: folder.id }, query: { workspace_id, group_id } }
    const entries = await alice.call(api.permissions.list, call)
    const level = folder.id === 0 ? [folder, ...folder.children] : folder.children
    expect(entries.map((entry) => entry)).toMatchObject(level.map(expectedEntry))
    expect(entries.map((entry) => entry.index)).toEqual(
      folder.id === 0 ? [1, ...folder.children.map((_, at) => at + 1)] : folder.children.map((_, at) => at + 1),
    )
    await compareMember(folder)
  }

  async function compareMember(folder: NaiveFolder): Promise<void> {
    const leads = descendants(folder).some((each) => each.rights.view)
    if (folder.id !== 0 && !folder.rights.view && !leads) {
      const refusal = await bob.refused(api.folders.get, { params: { id: folder.id }, query: { workspace_id } })
      expect(refusal.code).toBe(404)
      return
    }
    const content =
      folder.id === 0
        ? await bob.call(api.workspaces.home, { params: { id: workspace_id } })
        : await bob.call(api.folders.get, { params: { id: folder.id }, query: { workspace_id } })
    expect(content.abilities).toEqual({ ...folder.rights, manage: false, sealed: false })
    const reachable = folder.children.filter((child) => flatten(child).some((each) => each.rights.view))
    expect(content.immediate_subfolders.map(({ id, path_node }) => ({ id, path_node }))).toEqual(
      reachable.map((child) => ({ id: child.id, path_node: !child.rights.view })),
    )
    for (const [at, child] of reachable.entries()) {
      const below = child.children.filter((each) => flatten(each).some((one) => one.rights.view))
      expect(content.immediate_subfolders[at]?.children).toBe(below.length)
    }
  }
}
