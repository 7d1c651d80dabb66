import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TextPolicy } from '../../contract/endpoints/groups.ts'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { readDocuments } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { isOnDisk, startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

const line = (y: number, text: string) => `BT /F 14 Tf 60 ${y} Td (${text}) Tj ET`
const SECRET = 'kittiwake'
const PAGES = [
  { content: `${line(700, `The ${SECRET} nests on a cliff`)}\n${line(680, 'and the quay is long')}` },
  { content: line(700, 'Nothing to see here') },
  { content: line(700, `A ${SECRET.toUpperCase()} again, and a ${SECRET}`), entries: '/Rotate 90' },
  { content: line(-50, `outside ${SECRET}`) },
]

let service: TestService
let world: World
let room: Room
let folder: number
let id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  folder = await room.folder('Birds')
  id = (await room.upload(world.alice, folder, 'birds.pdf', new Uint8Array(samplePdf(PAGES)))).id
  await readDocuments(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  await room.revoke(folder, 'view')
  await room.grant(folder, 'view')
  await setPolicy('with_download')
})

const query = () => ({ workspace_id: room.workspace_id })
const textCall = (page_number = 1) => ({ params: { id, page_number }, query: query() })
const findCall = (q: string, more = {}) => ({ params: { id }, query: { ...query(), q, ...more } })

async function setPolicy(text_layer: TextPolicy, groupId = room.group_id) {
  const body = { ...query(), group: { text_layer } }
  return world.alice.call(api.groups.update, { params: { id: groupId }, body })
}

/** The text layer that the pages announce, after the text and find have been tried: both must agree with it. */
async function textLayerOf(person: Person): Promise<string> {
  const { text_layer } = await person.call(api.files.pages, { params: { id }, query: query() })
  const statuses = [
    await person.statusOf(api.files.text, textCall()),
    await person.statusOf(api.files.find, findCall('quay')),
  ]
  expect(statuses).toEqual([text_layer === 'select' ? 200 : 403, text_layer === 'none' ? 403 : 200])
  return text_layer
}

describe('who may use the text of pages', () => {
  it('is everybody who may download, unless only sealed or as pictures', async () => {
    expect(await textLayerOf(world.bob)).toBe('none')
    await room.grant(folder, 'download')
    expect(await textLayerOf(world.bob)).toBe('select')
    const of = (group: object) => ({ params: { id: room.group_id }, body: { ...query(), group } as never })
    await world.alice.call(api.groups.setDrm, of({ drm_enabled: true }))
    expect(await textLayerOf(world.bob)).toBe('none')
    await world.alice.call(api.groups.setDrm, of({ drm_enabled: false }))
    await world.alice.call(api.groups.setWatermarking, of({ watermarking: true }))
    expect(await textLayerOf(world.bob)).toBe('select')
    await world.alice.call(api.groups.setWatermarking, of({ watermarking: true, pdf_delivery: 'pictures' }))
    expect(await textLayerOf(world.bob)).toBe('none')
    await world.alice.call(api.groups.setWatermarking, of({ watermarking: false, pdf_delivery: 'woven' }))
    expect(await textLayerOf(world.alice)).toBe('select')
  })

  it.each(['none', 'find', 'select'] as const)('is set by the group: %s', async (policy) => {
    expect((await setPolicy(policy)).text_layer).toBe(policy)
    expect(await textLayerOf(world.bob)).toBe(policy)
    await room.grant(folder, 'download')
    expect(await textLayerOf(world.bob)).toBe(policy)
  })

  it('the strictest of the groups that grant view counts; one that leaves it to the download does not hinder it', async () => {
    const other = await room.group('Lenders')
    await setPolicy('select')
    expect(await textLayerOf(world.bob)).toBe('select')
    await setPolicy('find', other)
    expect(await textLayerOf(world.bob)).toBe('select')
    await room.grant(folder, 'view', other)
    expect(await textLayerOf(world.bob)).toBe('find')
    await setPolicy('with_download', other)
    expect(await textLayerOf(world.bob)).toBe('none')
    await room.grant(folder, 'download')
    expect(await textLayerOf(world.bob)).toBe('select')
    await setPolicy('find', other)
    expect(await textLayerOf(world.bob)).toBe('find')
    await world.alice.call(api.groups.remove, { params: { id: other }, query: query() })
  })

  it('ends with the right to view', async () => {
    await setPolicy('select')
    await room.revoke(folder, 'view')
    expect(await world.bob.statusOf(api.files.text, textCall())).toBe(404)
    expect(await world.bob.statusOf(api.files.find, findCall('quay'))).toBe(404)
  })

  it('changing it is an activity and in the audit trail; admin groups take none', async () => {
    await setPolicy('find')
    expect((await room.messages())[0]).toBe('updated text_layer for group: Bidders')
    const groups = await world.alice.call(api.groups.list, { query: query() })
    const admins = groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
    const body = { ...query(), group: { text_layer: 'none' as const } }
    expect(await world.alice.statusOf(api.groups.update, { params: { id: admins }, body })).toBe(422)
    expect(await world.bob.statusOf(api.groups.update, { params: { id: room.group_id }, body })).toBe(403)
  })
})

describe('K66: a member of a group without text', () => {
  it('gets no words of a document by any reading endpoint', async () => {
    const other = await room.folder('Other')
    const ids = [id, folder, room.workspace_id, room.group_id, world.team_id, world.bob.id]
    const answered = new Set<string>()
    const leaks: string[] = []
    const ask = async (endpoint: AnyEndpoint, key: string, each: number) => {
      const names = Object.keys(endpoint.params.shape)
      const params = Object.fromEntries(names.map((name) => [name, name === 'page_number' ? 1 : each]))
      const more = { q: SECRET, group_id: room.group_id, folder_id: 0, ids: [folder], folder_ids: [folder, other] }
      const declared = Object.entries({ ...more, ...query() }).filter(([name]) => name in endpoint.query.shape)
      const response = await world.bob.fetch(urlOf(endpoint, { params, query: Object.fromEntries(declared) }))
      if (response.ok) answered.add(key)
      // The words stand around the one that was searched for.
      if (/nests|cliff|quay/.test(await response.text())) leaks.push(key)
    }
    for (const [section, endpoints] of Object.entries(api)) {
      for (const [name, endpoint] of Object.entries(endpoints) as [string, AnyEndpoint][]) {
        if (endpoint.method !== 'GET' || endpoint.eventStream) continue
        for (const each of Object.keys(endpoint.params.shape).length > 0 ? ids : [0])
          await ask(endpoint, `${section}.${name}`, each)
      }
    }
    expect(leaks).toEqual([])
    expect([...answered]).toEqual(expect.arrayContaining(['files.search', 'files.get', 'files.pages', 'folders.get']))
    expect([...answered].filter((key) => key === 'files.text' || key === 'files.find')).toEqual([])
  })
})

describe('the text of a page', () => {
  it('has its words with their places on the page image', async () => {
    const { text, words, is_partial } = await world.alice.call(api.files.text, textCall())
    expect(text).toBe('The kittiwake nests on a cliff\nand the quay is long')
    expect(words.map(({ start, end }) => text.slice(start, end)).join(' ')).toBe(text.replace('\n', ' '))
    expect(is_partial).toBe(false)
    const [, word] = words
    // The line begins at 60 of 595 points and stands 142 points below the top; the image has 1600 pixels.
    const scale = 1600 / 595
    expect(word?.x).toBeGreaterThan(85 * scale)
    expect(word?.x).toBeLessThan(95 * scale)
    expect((word?.y ?? 0) + (word?.height ?? 0)).toBeGreaterThan(142 * scale)
    expect(word?.y).toBeLessThan(132 * scale)
  })

  it('lacks what is outside of the page, and follows its rotation', async () => {
    expect((await world.alice.call(api.files.text, textCall(4))).text).toBe('')
    const { words } = await world.alice.call(api.files.text, textCall(3))
    const [first] = words
    // Rotated clockwise, a line near the top of the page runs down near its right edge.
    expect(first?.x).toBeGreaterThan(1000)
    expect(words.every((word, at) => at === 0 || word.y > (words[at - 1]?.y ?? 0))).toBe(true)
    expect(await world.alice.statusOf(api.files.text, textCall(5))).toBe(404)
  })

  it('counts as viewing the file', async () => {
    await setPolicy('select')
    await world.bob.call(api.files.text, textCall())
    expect(await room.messages()).toContain('viewed the file: birds.pdf')
  })
})

describe('finding in a file', () => {
  const found = async (q: string, more = {}) => {
    const { pages, next_page } = await world.bob.call(api.files.find, findCall(q, more))
    expect(next_page).toBeNull()
    return pages.map(({ page_number, hits }) => `${page_number}: ${hits.length}`)
  }
  beforeEach(() => setPolicy('find'))

  it('gives pages and boxes, and never a word of the text', async () => {
    const reply = await world.bob.call(api.files.find, findCall(SECRET))
    expect(reply.pages.map(({ hits }) => hits.length)).toEqual([1, 2])
    expect(JSON.stringify(reply)).not.toMatch(/kitti|cliff|nests/i)
    const { words } = await world.alice.call(api.files.text, textCall())
    expect(reply.pages[0]?.hits[0]).toEqual([
      { x: words[1]?.x, y: words[1]?.y, width: words[1]?.width, height: words[1]?.height },
    ])
  })

  it('counts as viewing the file', async () => {
    const views = async () => (await room.messages()).filter((each) => each === 'viewed the file: birds.pdf').length
    await service.services.db.deleteFrom('file_views').execute()
    const before = await views()
    await world.bob.call(api.files.find, findCall(SECRET))
    expect(await views()).toBe(before + 1)
  })

  it.skipIf(!isOnDisk)('K100: of pages that are not there nothing is read, and nothing kept', async () => {
    const kept = async () => (await readdir(service.services.config.dataDir, { recursive: true })).toSorted()
    await found(SECRET)
    const before = await kept()
    expect(before.some((path) => path.endsWith('.text'))).toBe(true)
    for (const from of [5, 26, 1_000_000]) expect(await found(SECRET, { from })).toEqual([])
    expect(await kept()).toEqual(before)
  })

  it('compares without case, accents, kinds of hyphens, quotes and line breaks', async () => {
    expect(await found('KÍTTIWAKE')).toEqual(['1: 1', '3: 2'])
    expect(await found('cliff and the')).toEqual(['1: 1'])
    const { pages } = await world.bob.call(api.files.find, findCall('cliff and the'))
    expect(pages[0]?.hits[0]).toHaveLength(2)
    expect(await found(SECRET, { match_case: true })).toEqual(['1: 1', '3: 1'])
    expect(await found('ittiwak')).toEqual(['1: 1', '3: 2'])
    expect(await found('ittiwak', { whole_words: true })).toEqual([])
    expect(await found('kittiwake quay', { each_word: true })).toEqual(['1: 2', '3: 2'])
    expect(await found('"kittiwake nests" qu', { each_word: true })).toEqual(['1: 2'])
    expect(await found(SECRET, { from: 2 })).toEqual(['3: 2'])
    expect(await found('...')).toEqual([])
  })

  it('marks a part of a word by its letters', async () => {
    const part = await world.bob.call(api.files.find, findCall('wake'))
    const whole = await world.bob.call(api.files.find, findCall(SECRET))
    const [[a], [b]] = [part.pages[0]?.hits[0] ?? [], whole.pages[0]?.hits[0] ?? []]
    expect(a && b && a.x + a.width).toBe(b && b.x + b.width)
    expect(a?.width).toBeGreaterThan((b?.width ?? 0) * 0.4)
    expect(a?.width).toBeLessThan((b?.width ?? 0) * 0.65)
  })
})
