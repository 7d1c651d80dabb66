import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { countQuestions, listQuestions } from './list-questions.ts'
import { getQuestionSettings } from './question-settings.ts'

const RIVALS = 5
const OWN = 120
const OTHERS = 8000

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
  await importRoom(db, 1, 30)
  await sql`insert into groups (workspace_id, id, name) values (1, ${RIVALS}, 'Rivals')`.execute(db)
  await insert(1, 0, OWN)
})
afterAll(() => close())

/** Every fourth question is answered, and some of these are published to all. Most are on a file. */
const insert = async (groupId: number, from: number, count: number) => {
  const isOwn = groupId !== RIVALS
  await sql`
    insert into questions (workspace_id, number, group_id, group_name, group_number, status, subject, text, asked_by, file_id, answered_at, reach)
    select 1, ${from}::int + n, ${groupId}::int, 'Group', n, case when n % 4 = 0 then 'answered' else 'open' end::question_status,
      'Subject ' || n, 'why ' || (select string_agg(md5(n::text || i), ' ') from generate_series(1, 20) i), 1, case when n % 5 > 0 then n % 90 + 1 end,
      case when n % 4 = 0 then now() end, case when ${isOwn} and n % 8 = 0 then 'all' else 'group' end::question_reach
    from generate_series(1, ${count}::int) n`.execute(db)
  await sql`vacuum analyze questions`.execute(db)
}

const member = importedRoom(1, false)
const admin = importedRoom(1, true)
const workOf: Record<string, (tx: Db) => Promise<unknown>> = {
  'a page of a member': (tx) => listQuestions(tx, member, { per_page: 25 }),
  'the questions of a member on a file': (tx) => countQuestions(tx, member, { file_id: 7 }),
  'a search of a member': (tx) => listQuestions(tx, member, { per_page: 25, q: 'why 7' }),
  'the settings of a member': (tx) => getQuestionSettings(tx, member),
}

const readsOf = (work: (tx: Db) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    const before = await countReads(tx)
    await work(tx)
    return (await countReads(tx)) - before
  })

const readsOfAll = async () => {
  const all: Record<string, number> = {}
  for (const [name, work] of Object.entries(workOf)) all[name] = await readsOf(work)
  return all
}

test('K92: what a bidder asks for reads no more rows, however many questions the others ask', async () => {
  const [few, total] = [await readsOfAll(), await listQuestions(db, member, { per_page: 25 })]
  await insert(RIVALS, OWN, OTHERS)
  const many = await readsOfAll()
  const more = Object.keys(many).filter((name) => (many[name] ?? 0) > 2 * (few[name] ?? 0))
  expect([more, few, many]).toEqual([[], few, many])
  expect(await listQuestions(db, member, { per_page: 25 })).toEqual(total)
  expect((await listQuestions(db, admin, { per_page: 25 })).counts).toMatchObject({ open: 6090, answered: 2030 })
})

it('counts the questions on a file without reading those on others, as their list does', async () => {
  const { counts } = await listQuestions(db, admin, { per_page: 25, file_id: 7 })
  expect(counts).toMatchObject({ open: expect.toSatisfy((count: number) => count > 20) as number, to_approve: 0 })
  expect(await countQuestions(db, admin, { file_id: 7 })).toEqual(counts)
  expect(await countQuestions(db, admin, { file_id: 7, q: 'subject' })).toEqual(counts)
  expect(await countQuestions(db, admin, { file_id: 7, q: 'nowhere' })).toMatchObject({ open: 0, answered: 0 })
  const onFile = counts.open + counts.answered
  expect(await readsOf((tx) => countQuestions(tx, admin, { file_id: 7 }))).toBeLessThan(3 * onFile)
  const ofMember = await listQuestions(db, member, { per_page: 25, file_id: 7 })
  expect(await countQuestions(db, member, { file_id: 7 })).toEqual(ofMember.counts)
})

it('turns pages of admins to the end by the same index', async () => {
  const numbers: (number | null)[] = []
  let after: string | null | undefined
  for (let turn = 0; turn < 12; turn++) {
    const page = await listQuestions(db, admin, { per_page: 100, status: 'answered', ...(after && { after }) })
    numbers.push(...page.questions.map(({ number }) => number))
    after = page.next
  }
  expect(numbers).toHaveLength(1200)
  expect(new Set(numbers).size).toBe(1200)
  expect(numbers).toEqual(numbers.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
})
