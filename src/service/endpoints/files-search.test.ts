import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let finance: number
let legal: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  finance = await room.folder('Finance')
  legal = await room.folder('Legal', finance)
  await room.grant(finance, 'view')
  await room.revoke(legal, 'view')
  for (const name of [
    'Annual report 2024.pdf',
    'report_2025-final.pdf',
    'Budget (draft).xlsx',
    '租賃契約書.pdf',
    'Übersicht.txt',
  ])
    await room.upload(world.alice, finance, name)
  for (const name of ['Share purchase agreement.docx', 'Purchase of shares.docx', 'Report of counsel.pdf'])
    await room.upload(world.alice, legal, name)
})
afterAll(() => service.close())

const find = (person: Person, q: string, more: { page?: number; per_page?: 25 | 50 } = {}) =>
  person.call(api.files.search, { query: { workspace_id: room.workspace_id, q, ...more } })
const titles = async (person: Person, q: string) => (await find(person, q)).map((file) => file.title).toSorted()

let filedIn: number | undefined
/** Creates a workspace with one file named Filing of every type, once. */
async function filings(): Promise<number> {
  if (filedIn !== undefined) return filedIn
  const { workspace_id, folder, upload } = await createRoom(world)
  const contents = {
    'Filing.pdf': '%PDF-1.7 named',
    'Filing.txt': 'text',
    'Filing.html': '<!doctype html><p>text',
    'Filing.csv': 'name;price',
    'Filing.eml': 'Subject: x\r\n\r\ny',
    'Filing.dxf': '0\nEOF\n',
    'Filing.ico': new Uint8Array([0, 0, 1, 0, 1, 0, 16, 16]),
    'Filing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'Filing.xml': '<?xml version="1.0"?><filing/>',
    'Filing.bin': new Uint8Array([0, 1, 2, 3, 255]),
  }
  const folderId = await folder('Filings')
  for (const [name, content] of Object.entries(contents)) await upload(world.alice, folderId, name, content)
  filedIn = workspace_id
  return workspace_id
}

describe('search', () => {
  it.each<[string, string[]]>([
    ['annual', ['Annual report 2024.pdf']],
    ['REPORT annual', ['Annual report 2024.pdf']],
    ['final', ['report_2025-final.pdf']],
    ['2025', ['report_2025-final.pdf']],
    ['report_2025', ['report_2025-final.pdf']],
    ['bud', ['Budget (draft).xlsx']],
    ['budget dra', ['Budget (draft).xlsx']],
    ['bud draft', []],
    ['"share purchase"', ['Share purchase agreement.docx']],
    ['"purchase of" sha', ['Purchase of shares.docx']],
    ['"share purch"', []],
    ['"share purchase', ['Share purchase agreement.docx']],
    ['xlsx', ['Budget (draft).xlsx']],
    ['契約', ['租賃契約書.pdf']],
    ['約契', []],
    ['Übersicht', ['Übersicht.txt']],
    ['übers', ['Übersicht.txt']],
    ['nothing', []],
    ['annual\0report', ['Annual report 2024.pdf']],
    ['annual\u0085report', ['Annual report 2024.pdf']],
    ['\0', []],
    ['\u0085 "\u2028"', []],
  ])('for %s finds by words, phrases and the beginning of the last word', async (q, expected) => {
    expect(await titles(world.alice, q)).toEqual(expected)
  })

  it.each([
    '&',
    '|',
    '!',
    '()',
    ':*',
    "'",
    '"',
    '""',
    '\\',
    '<->',
    '%',
    '_',
    '🙂',
    "' | 'zz'",
    'a & !b',
    "x'); drop table files; --",
  ])('for %j finds plain words, without operators', async (q) => expect(await find(world.alice, q)).toEqual([]))

  it('returns the folder of each file', async () => {
    const [found] = await find(world.alice, 'counsel')
    expect(found).toMatchObject({ folder_id: legal, folder_name: 'Legal', folder_path: '/Finance/Legal', index: 3 })
  })

  it('D1, I7: shows a member only files in folders the member may view', async () => {
    expect(await titles(world.bob, 'report')).toEqual(['Annual report 2024.pdf', 'report_2025-final.pdf'])
    expect(await titles(world.alice, 'report')).toHaveLength(3)
  })

  it('covers only a folder and its subfolders if one is given', async () => {
    const inFolder = async (person: Person, folder_id: number) => {
      const query = { workspace_id: room.workspace_id, q: 'report', folder_id }
      return (await person.call(api.files.search, { query })).map((file) => file.title).toSorted()
    }
    const below = ['Annual report 2024.pdf', 'Report of counsel.pdf', 'report_2025-final.pdf']
    expect(await inFolder(world.alice, 0)).toEqual(below)
    expect(await inFolder(world.alice, finance)).toEqual(below)
    expect(await inFolder(world.alice, legal)).toEqual(['Report of counsel.pdf'])
    expect(await inFolder(world.bob, legal)).toEqual([])
    expect(await inFolder(world.alice, 999_999)).toEqual([])
  })

  it.each<[string, string[]]>([
    ['type=pdf', ['Filing.pdf']],
    ['type=document', ['Filing.html', 'Filing.txt']],
    ['type=spreadsheet', ['Filing.csv']],
    ['type=image', ['Filing.ico', 'Filing.svg']],
    ['type=message', ['Filing.eml']],
    ['type=presentation', []],
    ['type=other', ['Filing.bin', 'Filing.dxf', 'Filing.xml']],
    ['type=pdf&folder_id=0', ['Filing.pdf']],
  ])('with %s finds only files of that type, detected by content', async (filter, expected) => {
    const filed = await filings()
    const response = await world.alice.fetch(`/api/v1/files/search?workspace_id=${filed}&q=filing&${filter}`)
    const found = (await response.json()) as { title: string; kind: string }[]
    expect(found.map(({ title }) => title).toSorted()).toEqual(expected)
    const type = /^type=(\w+)/.exec(filter)?.[1]
    for (const { title, kind } of found) expect(kind).toBe(title === 'Filing.dxf' ? 'drawing' : type)
    expect(response.headers.get('x-total-count')).toBe(String(expected.length))
  })

  it('finds files changed on a given day or later', async () => {
    const workspace_id = await filings()
    const { db } = service.services
    await db
      .updateTable('files')
      .set({ updated_at: '2026-03-04T00:00:00.000Z' })
      .where('workspace_id', '=', workspace_id)
      .where('file_name', '=', 'Filing.pdf')
      .execute()
    const since = async (changed_since: string, q: string) => {
      const query = { workspace_id, q, type: 'pdf', changed_since } as const
      return (await world.alice.call(api.files.search, { query })).length
    }
    expect([await since('2026-03-04', 'filing'), await since('2026-03-05', 'filing')]).toEqual([1, 0])
    expect([await since('2026-03-04', '"filing pdf"'), await since('2026-03-05', 'f')]).toEqual([1, 0])
  })

  it('refuses other types and invalid dates', async () => {
    for (const filter of ['type=film', 'changed_since=yesterday']) {
      const path = `/api/v1/files/search?workspace_id=${room.workspace_id}&q=report&${filter}`
      expect((await world.alice.fetch(path)).status).toBe(422)
    }
  })

  it('C14: does not find old titles, deleted files or files of another workspace', async () => {
    const { workspace_id } = room
    const { id } = await room.upload(world.alice, finance, 'Ephemeral.txt')
    await world.alice.call(api.files.update, { params: { id }, body: { workspace_id, file: { title: 'Lasting' } } })
    expect(await titles(world.alice, 'lasting')).toEqual(['Lasting.txt'])
    const other = await createRoom(world)
    await other.upload(world.alice, await other.folder('Finance'), 'Lasting.txt')
    await world.alice.call(api.files.remove, { params: { id }, query: { workspace_id } })
    expect(await titles(world.alice, 'lasting')).toEqual([])
  })

  it('requires search words', async () => {
    for (const query of ['q=', 'q=%20', 'q']) {
      const response = await world.alice.fetch(`/api/v1/files/search?workspace_id=${room.workspace_id}&${query}`)
      expect(response.status).toBe(422)
    }
  })
})

it.each([255, 256, 480])('K3: a word of %i characters that normalize to four each matches nothing', async (length) => {
  expect(await titles(world.alice, '\ufdf2'.repeat(length))).toEqual([])
  expect(await titles(world.alice, `"${'\ufdf2'.repeat(length)}"`)).toEqual([])
  expect(await titles(world.alice, `report ${'\ufdf2'.repeat(length)} `)).toEqual([])
})

it('K3: the longest title is found by its longest word', async () => {
  const own = await createRoom(world)
  const file_name = '\ufdf2'.repeat(255)
  const { id } = await own.upload(world.alice, await own.folder('Long'), file_name)
  const query = { workspace_id: own.workspace_id, q: file_name }
  expect((await world.alice.call(api.files.search, { query })).map((file) => file.id)).toEqual([id])
})

describe('the pages of a search', () => {
  let paged: Room
  beforeAll(async () => {
    paged = await createRoom(world)
    const folder = await paged.folder('Many')
    for (let at = 1; at <= 30; at++) await paged.upload(world.alice, folder, `page ${String(at).padStart(2, '0')}.txt`)
  })

  const fetchPage = async (page: number) => {
    const query = { workspace_id: paged.workspace_id, q: 'page', page, per_page: 25 } as const
    const response = await world.alice.fetch(urlOf(api.files.search, { query }))
    return { headers: response.headers, files: (await response.json()) as { title: string }[] }
  }

  it('contain every file once, with the total and links to other pages in the headers', async () => {
    const [first, second] = [await fetchPage(1), await fetchPage(2)]
    const titles = [...first.files, ...second.files].map((file) => file.title)
    expect(new Set(titles).size).toBe(30)
    expect([first.files.length, first.headers.get('x-total-count')]).toEqual([25, '30'])
    expect(first.headers.get('link')).toContain('page=2&per_page=25>; rel="next"')
    expect(second.headers.get('link')).toContain('page=1&per_page=25>; rel="prev"')
    expect(second.headers.get('link')).not.toContain('rel="next"')
  })

  it('beyond the last are empty and still have the total', async () => {
    const { files, headers } = await fetchPage(9)
    expect([files, headers.get('x-total-count')]).toEqual([[], '30'])
  })

  it('have 25, 50, 75 or 100 rows', async () => {
    const response = await world.alice.fetch(
      `/api/v1/files/search?workspace_id=${paged.workspace_id}&q=a&per_page=1000`,
    )
    expect(response.status).toBe(422)
  })
})

describe('very many matches', () => {
  const MANY = 900
  let many: Room
  beforeAll(async () => {
    many = await createRoom(world)
    const folders = [await many.folder('Open'), await many.folder('Closed')]
    await many.grant(folders[0] ?? 0, 'view')
    await insertFiles(many.workspace_id, folders)
  })

  /** Puts every second file into the closed folder. All have the word in their text, two of 300 also in their title. */
  async function insertFiles(workspaceId: number, folders: number[]) {
    const { db } = service.services
    const file = sql`from generate_series(0, ${MANY - 1}::int) n cross join lateral (
      select lpad(to_hex(n), 32, '0') as blob_id,
        case when n % 300 < 2 then 'Ledger ' else 'Paper ' end || n || '.txt' as name) f`
    await sql`insert into documents (workspace_id, blob_id, content_type, status)
      select ${workspaceId}::int, blob_id, 'text/plain', 'Unsupported' ${file}`.execute(db)
    await sql`insert into document_terms (workspace_id, blob_id, terms)
      select ${workspaceId}::int, blob_id, ${`'ledger':1`}::tsvector ${file}`.execute(db)
    await sql`insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, viewer_status)
      select ${workspaceId}::int, (${folders}::int[])[1 + n % 2], name, name, n / 2 + 1, 1, 'text/plain', '\\x00', blob_id,
        'Unsupported' ${file} order by n`.execute(db)
  }

  it.each<[string, string, string[]]>([
    ['a word', '"ledger"', ['Ledger 600.txt', 'Ledger 300.txt', 'Ledger 0.txt', 'Paper 898.txt', 'Paper 896.txt']],
    ['a beginning', 'ledg', ['Ledger 600.txt', 'Ledger 300.txt', 'Ledger 0.txt', 'Paper 898.txt', 'Paper 896.txt']],
    ['a letter', 't', ['Paper 898.txt', 'Paper 896.txt', 'Paper 894.txt', 'Paper 892.txt', 'Paper 890.txt']],
  ])('of %s: title matches first, then the newest, and only visible ones', async (_, q, first) => {
    const query = { workspace_id: many.workspace_id, q, per_page: 25 } as const
    const titles: string[] = []
    for (let page = 1; page <= MANY / 2 / 25; page++) {
      const response = await world.bob.fetch(urlOf(api.files.search, { query: { ...query, page } }))
      expect(response.headers.get('x-total-count')).toBe(String(MANY / 2))
      titles.push(...((await response.json()) as { title: string }[]).map((file) => file.title))
    }
    expect(titles.slice(0, first.length)).toEqual(first)
    expect(new Set(titles).size).toBe(MANY / 2)
  })
})
