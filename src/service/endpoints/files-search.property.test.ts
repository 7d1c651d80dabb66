import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { saveText } from '../store/documents/document-texts.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

// A member finds exactly those files that an admin finds and the member may view, however the rights came about.

const FOLDERS = 12
const FILES = 40
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'alphabet', '契約', '契約書']
const QUESTIONS = ['alpha', 'alph', '"alpha beta"', 'beta gamma', '契約', '書', 'delta 契約', 'a']

let service: TestService
let world: World
let room: Room
let groups: number[]
const folders: number[] = []
const files: number[] = []
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  groups = [room.group_id, await room.group('Others')]
  for (let at = 0; at < FOLDERS; at++)
    folders.push(await room.folder(`Folder ${at}`, folders[Math.floor(at / 2) - 1] ?? 0))
  for (let at = 0; at < FILES; at++) {
    const { id } = await room.upload(world.alice, folders[at % FOLDERS] ?? 0, `${WORDS[at % 5]} ${at}.txt`)
    files.push(id)
    const { rows } = await sql<{ workspace_id: number; blob_id: string }>`
      select workspace_id, blob_id from files where id = ${id}`.execute(service.services.db)
    const text = Array.from({ length: 5 }, (_, word) => WORDS[(at * (word + 1) + word) % WORDS.length]).join(' ')
    if (rows[0]) await saveText(service.services.db, rows[0], text)
  }
})
afterAll(() => service.close())

async function search(person: Person, q: string) {
  const query = { workspace_id: room.workspace_id, q, per_page: 100, page: 1 } as const
  const response = await person.fetch(urlOf(api.files.search, { query }))
  const found = (await response.json()) as { id: number; snippet: unknown }[]
  return {
    ids: found.map(({ id }) => id).toSorted((a, b) => a - b),
    total: Number(response.headers.get('x-total-count')),
  }
}

/** The files the member may view, according to a different endpoint. */
async function visibleTo(person: Person, ids: number[]): Promise<number[]> {
  const body = { workspace_id: room.workspace_id, file_ids: ids }
  return (await person.call(api.files.infoBatch, { body })).map((file) => file.id).toSorted((a, b) => a - b)
}

const change = fc.record({
  group: fc.nat(1),
  folder: fc.nat(FOLDERS - 1),
  verb: fc.constantFrom('grant', 'revoke', 'move', 'remove'),
})

test('C6: a member finds exactly the visible part of the matches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      for (const { group, folder, verb } of changes) {
        const at = folders[folder] ?? 0
        if (verb === 'grant') await room.grant(at, 'view', groups[group])
        else if (verb === 'revoke') await room.revoke(at, 'view')
        else if (verb === 'move') await move(files[(folder * 7) % files.length] ?? 0, at)
        else await remove(files[(folder * 3 + group) % files.length] ?? 0)
      }
      for (const q of QUESTIONS) {
        const [all, own] = [await search(world.alice, q), await search(world.bob, q)]
        const visible = await visibleTo(world.bob, all.ids)
        expect({ q, ...own }).toEqual({ q, ids: visible, total: visible.length })
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)

async function move(id: number, destination_folder_id: number): Promise<void> {
  const body = { workspace_id: room.workspace_id, destination_folder_id }
  // Some files have been deleted by now.
  await world.alice.call(api.files.move, { params: { id }, body }).catch(() => {})
}

async function remove(id: number): Promise<void> {
  await world.alice
    .call(api.files.remove, { params: { id }, query: { workspace_id: room.workspace_id } })
    .catch(() => {})
}
