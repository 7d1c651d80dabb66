import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { copyText, saveText } from '../store/documents/document-texts.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let open: number
let secret: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  open = await room.folder('Open')
  secret = await room.folder('Secret')
  await room.grant(open, 'view')
})
afterAll(() => service.close())

/** The file's current content. */
async function documentOf(id: number) {
  const { rows } = await sql<{ workspace_id: number; blob_id: string }>`
    select workspace_id, blob_id from files where id = ${id}`.execute(service.services.db)
  return rows[0] ?? expect.fail(`no file ${id}`)
}

/** Creates a file with this text, as ingest would. */
async function fileWith(folder: number, name: string, text: string): Promise<number> {
  const { id } = await room.upload(world.alice, folder, name)
  await saveText(service.services.db, await documentOf(id), text)
  return id
}

const find = (person: Person, q: string) =>
  person.call(api.files.search, { query: { workspace_id: room.workspace_id, q } })
const titles = async (person: Person, q: string) => (await find(person, q)).map((file) => file.title)
/** The snippet, with the matches in brackets. */
const snippet = async (q: string) => {
  const [found] = await find(world.alice, q)
  if (!found?.snippet) return found?.snippet
  const { text, marks } = found.snippet
  return marks.reduceRight(
    (marked, { start, end }) => `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
    text,
  )
}

describe('search in texts', () => {
  beforeAll(async () => {
    await fileWith(open, 'Lease.docx', 'The tenant shall indemnify the landlord.\nThe landlord’s Übergabe follows.')
    await fileWith(open, '合同.docx', '本租賃契約書由甲方與乙方簽\n訂，租期三年。')
    await fileWith(open, 'عقد.docx', 'تَمَّ توقيعُ الاتفاقيّة في القاهرة')
    await fileWith(open, 'Landlord.txt', 'Nothing of that.')
  })

  it.each<[string, string[]]>([
    ['indemnify', ['Lease.docx']],
    ['indemn', ['Lease.docx']],
    ['in', []],
    ['INDEMNIFY tenant', ['Lease.docx']],
    ['"shall indemnify"', ['Lease.docx']],
    ['"indemnify shall"', []],
    ['"shall indem', ['Lease.docx']],
    ['"tenant landlord"', []],
    ['lease tenant', ['Lease.docx']],
    ['tenant nothing', []],
    ['ubergabe', ['Lease.docx']],
    ['契約', ['合同.docx']],
    ['契約書', ['合同.docx']],
    ['約契', []],
    ['契書', []],
    ['書', ['合同.docx']],
    ['簽訂', ['合同.docx']],
    ['合同 租期', ['合同.docx']],
    ['الاتفاقية', ['عقد.docx']],
    ['توقيع القاهره', ['عقد.docx']],
  ])('finds by %s', async (q, expected) => expect(await titles(world.alice, q)).toEqual(expected))

  it('puts a match in the title first', async () => {
    expect(await titles(world.alice, 'landlord')).toEqual(['Landlord.txt', 'Lease.docx'])
  })

  it('ranks texts with more occurrences first', async () => {
    await fileWith(open, 'a.txt', `buoy ${'and other words '.repeat(50)}`)
    await fileWith(open, 'b.txt', `buoy ${'buoy and '.repeat(50)}`)
    expect(await titles(world.alice, 'buoy')).toEqual(['b.txt', 'a.txt'])
  })

  it('shows where it matches', async () => {
    expect(await snippet('landlord ubergabe')).toBe(
      'The tenant shall indemnify the [landlord]. The [landlord]’s [Übergabe] follows.',
    )
    expect(await snippet('契約書')).toBe('本租賃[契約書]由甲方與乙方簽 訂，租期三年。')
    expect(await snippet('"the landlord"')).toContain('[the landlord]. [The landlord]’s')
    expect(await snippet('nothing')).toBe('[Nothing] of that.')
  })

  it('shows the matching part of a long text, and no snippet for a match in the title only', async () => {
    const words = Array.from({ length: 40_000 }, (_, at) => `w${at}`)
    const text = `${words.join(' ')}\nthe needle is here\n${words.join(' ')}`
    await fileWith(open, 'Haystack.txt', text)
    expect(await snippet('needle')).toMatch(/^w\d+ .* w39999 the \[needle\] is here\tw0 .* w\d+$/)
    expect(await snippet('"is here w0"')).toContain('the needle [is here\tw0] ')
    expect(await snippet('haystack')).toBeNull()
  })

  it('finds a phrase across the parts into which a text is split', async () => {
    const words = Array.from({ length: 6000 }, (_, at) => `n${at}`)
    await fileWith(open, 'Parts.txt', words.join(' '))
    for (let at = 0; at < 5990; at += 97) {
      expect(await titles(world.alice, `"${words.slice(at, at + 8).join(' ')}"`)).toEqual(['Parts.txt'])
    }
  })
})

describe('a match the caller may not see', () => {
  const search = async (person: Person, q: string) => {
    const query = { workspace_id: room.workspace_id, q, page: 1, per_page: 25 } as const
    const response = await person.fetch(urlOf(api.files.search, { query }))
    const headers = ['x-total-count', 'link', 'content-length'].map((name) => response.headers.get(name))
    return { headers, body: (await response.text()).replaceAll(q, '') }
  }

  it('leaves no trace in the reply or its headers', async () => {
    await fileWith(secret, 'Board.txt', 'the takeover is called Kestrel and shall be announced')
    expect(await titles(world.alice, 'kestrel')).toEqual(['Board.txt'])
    for (const q of ['kestrel', 'Kestrel', 'takeo', '"called kestrel"', '"is called kes']) {
      const [hidden, absent] = [await search(world.bob, q), await search(world.bob, 'q'.repeat(q.length))]
      expect(hidden.body).toBe('[]')
      expect(hidden.headers[0]).toBe('0')
      expect(hidden.headers[2]).toEqual(absent.headers[2])
    }
  })

  it('is not included in the count', async () => {
    await fileWith(open, 'Press.txt', 'Kestrels are birds; one kestrel is one')
    const { headers, body } = await search(world.bob, 'kestrel')
    expect(headers[0]).toBe('1')
    expect(JSON.parse(body)).toMatchObject([{ title: 'Press.txt' }])
  })

  it('is found at once after a grant, and not after its revocation', async () => {
    await room.grant(secret, 'view')
    expect(await titles(world.bob, 'takeover')).toEqual(['Board.txt'])
    await room.revoke(secret, 'view')
    expect(await titles(world.bob, 'takeover')).toEqual([])
  })

  it('is not found in another workspace either', async () => {
    const other = await createRoom(world)
    const { id } = await other.upload(world.alice, await other.folder('Open'), 'Other.txt')
    await saveText(service.services.db, await documentOf(id), 'the takeover elsewhere')
    expect(await titles(world.alice, 'elsewhere')).toEqual([])
    expect(await titles(world.alice, 'takeover')).toEqual(['Board.txt'])
  })
})

describe('the text of a file', () => {
  const workspace_id = () => room.workspace_id

  it('follows copies and moves, and is found under the new title', async () => {
    const id = await fileWith(open, 'Original.txt', 'a gyroscope')
    const body = { workspace_id: workspace_id(), destination_folder_id: secret }
    await world.alice.call(api.files.copy, { params: { id }, body })
    expect(await titles(world.alice, 'gyroscope')).toEqual(['Original.txt', 'Original.txt'])
    expect(await titles(world.bob, 'gyroscope')).toEqual(['Original.txt'])
    await world.alice.call(api.files.update, {
      params: { id },
      body: { workspace_id: workspace_id(), file: { title: 'New' } },
    })
    expect(
      (await titles(world.bob, 'new gyroscope')).concat(await titles(world.bob, 'original.txt gyroscope')),
    ).toEqual(['New.txt', 'New.txt'])
    await world.alice.call(api.files.move, { params: { id }, body })
    expect(await titles(world.bob, 'gyroscope')).toEqual([])
  })

  it('is replaced with the content', async () => {
    const id = await fileWith(open, 'Draft.txt', 'the zeppelin')
    await room.upload(world.alice, open, 'Draft.txt', 'other content')
    expect(await titles(world.alice, 'zeppelin')).toEqual([])
    await saveText(service.services.db, await documentOf(id), 'the airship')
    await saveText(service.services.db, await documentOf(id), 'the aeroplane')
    expect(await titles(world.alice, 'airship')).toEqual([])
    expect(await titles(world.alice, 'aeroplane')).toEqual(['Draft.txt'])
  })

  it('is not found while the file is deleted', async () => {
    const id = await fileWith(open, 'Gone.txt', 'a marmoset')
    await world.alice.call(api.files.remove, { params: { id }, query: { workspace_id: workspace_id() } })
    expect(await titles(world.alice, 'marmoset')).toEqual([])
  })

  it('is copied from the same content elsewhere', async () => {
    const [one, two] = [
      await fileWith(open, 'One.txt', 'a narwhal'),
      (await room.upload(world.alice, open, 'Two.txt')).id,
    ]
    await copyText(service.services.db, await documentOf(one), await documentOf(two))
    expect(await titles(world.alice, 'narwhal')).toEqual(['One.txt', 'Two.txt'])
    expect((await find(world.alice, 'narwhal')).map((file) => file.snippet?.text)).toEqual(['a narwhal', 'a narwhal'])
  })

  it('is found in a copy made while the text is being saved', async () => {
    const { id } = await room.upload(world.alice, open, 'Racing.txt')
    const document = await documentOf(id)
    const params = { id }
    const body = { workspace_id: workspace_id(), destination_folder_id: open }
    await Promise.all([
      ...Array.from({ length: 6 }, () => world.alice.call(api.files.copy, { params, body })),
      saveText(service.services.db, document, 'an axolotl'),
      ...Array.from({ length: 6 }, () => world.alice.call(api.files.copy, { params, body })),
    ])
    expect(await titles(world.alice, 'axolotl')).toHaveLength(13)
  })
})

it.each([
  [api.groups.setWatermarking, { watermarking: true }, { watermarking: false }],
  [api.groups.setDrm, { drm_enabled: true }, { drm_enabled: false }],
] as const)('shows no words of documents whose pages are protected: %o', async (endpoint, on, off) => {
  const folder = await room.folder('Protected')
  await room.grant(folder, 'download')
  await fileWith(folder, 'Protected.txt', 'an albatross')
  const set = (group: typeof on | typeof off) =>
    world.alice.call(endpoint, {
      params: { id: room.group_id },
      body: { workspace_id: room.workspace_id, group } as never,
    })
  const seen = async (person: Person) => (await find(person, 'albatross')).map((file) => file.snippet?.text)
  expect(new Set(await seen(world.bob))).toEqual(new Set(['an albatross']))
  await set(on)
  expect(new Set(await seen(world.bob))).toEqual(new Set([undefined]))
  expect(new Set(await seen(world.alice))).toEqual(new Set(['an albatross']))
  await set(off)
})
