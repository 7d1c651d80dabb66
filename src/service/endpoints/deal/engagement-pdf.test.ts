import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Reply } from '../../../contract/endpoint.ts'
import { type Api, api } from '../../../contract/index.ts'
import { openRenderer, type Renderer } from '../../documents/render.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

// Bidders: bob and zoe, who see One. Lenders: max, who sees One and Two. Nobody opens unread.pdf, no group sees hidden.pdf.

const { engagement } = api
type Cells = Reply<Api['engagement']['documents']>['files'][number]['cells']

let service: TestService
let world: World
let room: Room
let renderer: Renderer
let folder: string
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  renderer = openRenderer({ size: 1 })
  folder = await mkdtemp(join(tmpdir(), 'engagement-'))
  await fillRoom()
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true })
  await service.close()
})

async function fillRoom() {
  const [zoe, max] = [await createPerson(service, 'zoe'), await createPerson(service, 'max')]
  const group = { name: 'Lenders <שלום>', workspace_id: room.workspace_id }
  const lenders = (await world.alice.call(api.groups.create, { body: { group } })).id
  await addMember(world.alice, room.workspace_id, room.group_id, zoe)
  await addMember(world.alice, room.workspace_id, lenders, max)
  const [one, two, hidden] = [await room.folder('One'), await room.folder('Two'), await room.folder('Hidden')]
  await room.grant(one, 'view')
  for (const each of [one, two]) await room.grant(each, 'view', lenders)
  const add = async (at: number, name: string) => (await room.upload(world.alice, at, name, `${name} text`)).id
  const [plan, lease, taken] = [await add(one, 'plan.pdf'), await add(two, 'lease.pdf'), await add(one, 'taken.pdf')]
  await add(two, 'unread.pdf')
  await add(hidden, 'hidden.pdf')
  const sizes = Array.from({ length: 10 }, () => 100)
  await service.services.db
    .updateTable('documents')
    .set({ status: 'Ready', page_widths: sizes, page_heights: sizes })
    .execute()
  await read(world.bob, plan, { 1: 10_000, 2: 20_000 })
  await read(zoe, plan, { 1: 5000, 9: 1000 })
  await read(max, lease, { 1: 75_000 })
  await read(world.alice, lease, { 1: 30_000 })
  await act(world.bob, plan, 'viewed', 1234)
  await act(zoe, taken, 'downloaded', 2)
  await act(max, lease, 'viewed', 1)
}

async function read(person: Person, id: number, times: Record<number, number>): Promise<void> {
  const pages = Object.entries(times).map(([page, ms]) => ({ page_number: Number(page), ms }))
  const body = { workspace_id: room.workspace_id, version: 1, batch_id: randomUUID(), pages }
  await person.call(engagement.record, { params: { id }, body })
}

const act = (person: Person, file: number, verb: string, times: number) =>
  sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id)
    select ${room.workspace_id}, ${person.id}, 'Name', ${verb}, 'did', 'Asset', ${file}
    from generate_series(1, ${times}::int)`.execute(service.services.db)

const inRoom = () => ({ params: { id: room.workspace_id } })

async function print(query: { language?: 'en' | 'de'; from?: string; to?: string } = {}): Promise<string> {
  const pieces = await world.alice.call(engagement.print, { ...inRoom(), query: { ...query, time_zone: 'UTC' } })
  const path = join(folder, `${randomUUID()}.pdf`)
  await writeFile(path, Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))))
  const pdf = { path, type: 'application/pdf' }
  const texts = await renderer.text(pdf, (await renderer.boxes(pdf)).length)
  return texts.join(' ').replaceAll(/[\s\u00a0]+/g, ' ')
}

const inWords = (ms: number) => (ms < 59_500 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)
const number = (value: number) => value.toLocaleString('en-GB')
const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0)

it('has the figures of the other replies', async () => {
  const { groups } = await world.alice.call(engagement.groups, inRoom())
  const { files } = await world.alice.call(engagement.documents, inRoom())
  const { people } = await world.alice.call(engagement.people, inRoom())
  const done = (cells: Cells) => cells.some(({ ms, views, downloads }) => ms + views + downloads > 0)
  const seen = files.filter(({ cells }) => cells.some(({ access }) => access))
  const text = await print()
  expect(text).toContain(`${inWords(sumOf(people, ({ ms }) => ms))} Reading time`)
  expect(text).toContain(`${people.filter(({ ms }) => ms > 0).length} of ${people.length} People who read`)
  expect(text).toContain(`${seen.filter(({ cells }) => done(cells)).length} of ${seen.length} Documents opened`)
  expect(text).toContain(`${number(sumOf(people, ({ views }) => views))} Views`)
  expect(text).toContain(`${number(sumOf(people, ({ downloads }) => downloads))} Downloads`)
  for (const { ms, opened, viewable, active, members, views, downloads } of groups) {
    const figures = [
      inWords(ms),
      `${opened} of ${viewable}`,
      `${active} of ${members}`,
      number(views),
      number(downloads),
    ]
    expect(text).toContain(figures.join(' '))
  }
  for (const { outline, title, cells } of files.filter((file) => done(file.cells))) {
    const sums = ['readers', 'views', 'downloads'] as const
    const figures = sums.map((name) => number(sumOf(cells, (cell) => cell[name])))
    expect(text).toContain([outline, title, inWords(sumOf(cells, ({ ms }) => ms)), ...figures].join(' '))
  }
  for (const { user_name, ms, views, downloads } of people)
    expect(text).toMatch(new RegExp(`${user_name} [^0-9]+ ${inWords(ms)} ${number(views)} ${downloads} `))
})

it('tells unread documents from those that no group may see, and where readers stop', async () => {
  const text = await print()
  expect(text).toMatch(/Unread documents \(1\) .* 2\.2 unread\.pdf/)
  expect(text).not.toContain('hidden.pdf')
  expect(text).toMatch(/Longest on page 2 \(0:20 min\) · 1 of 2 stop at page 9 · .?Bidders.? 36 s/)
  expect(text).toMatch(/Longest on page 1 \(1:15 min\) · 1 of 1 stop at page 1 · .?Lenders/)
})

it('says who made it, of what and when, and counts only the period', async () => {
  const today = new Date().toISOString().slice(0, 10)
  expect(await print({ from: today })).toMatch(
    /Engagement report Room .* · 1 day, in UTC .*Made by Alice Tester · .*Shows All groups \(2\), all documents \(5\)/,
  )
  const before = await print({ from: '2020-01-01', to: '2020-01-31' })
  expect(before).toContain('0 s Reading time 0 of 3 People who read 0 of 4 Documents opened 0 Views 0 Downloads')
  expect(before).toContain('Unread documents (4)')
  expect(before).not.toContain('Most read documents')
})

it('is in German where the reader is, and is nothing for members', async () => {
  expect(await print({ language: 'de' })).toMatch(
    /Bericht über Lesezeiten Room .*1\.235 Ansichten .*Ungelesene Dokumente \(1\)/,
  )
  await expect(world.bob.call(engagement.print, inRoom())).rejects.toMatchObject({ code: 403 })
})
