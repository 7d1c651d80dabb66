import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Numbering } from '../../../contract/endpoints/workspaces.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { listIndex } from './index-rows.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
})
afterAll(() => close())

const readsFor = (id: number, admin: boolean, numbering: Numbering) =>
  db.transaction().execute(async (tx) => {
    const before = await countReads(tx)
    let rows = 0
    for await (const _ of listIndex(tx, { ...importedRoom(id, admin), numbering })) rows++
    expect(rows).toBeGreaterThan(100)
    return (await countReads(tx)) - before
  })

let rooms = 0

it.each([
  ['an admin', true, 'fixed'],
  ['a member', false, 'fixed'],
  ['a member', false, 'per_reader'],
] as const)(
  'K3: twice the folders cost the index of %s (admin: %s) twice the reads, with %s numbers',
  async (_, admin, numbering) => {
    const first = (rooms += 2)
    await importRoom(db, first, 100)
    await importRoom(db, first + 1, 200)
    await sql`analyze folder_permissions, folders, files`.execute(db)
    const [few, many] = [await readsFor(first, admin, numbering), await readsFor(first + 1, admin, numbering)]
    expect(many).toBeLessThan(3 * few)
  },
)
