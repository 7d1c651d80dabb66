import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { DESCRIPTION } from '../../contract/testing/description.ts'
import { requestOf } from '../../client/request.ts'
import { accessMatrix, contentOf, ROLES, type Row } from './access-matrix.ts'
import { createRoom, type Room } from './room.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type Person, type World } from './world.ts'

// Checks the running service against the published description only; nothing here depends on the implementation.

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const described = new Map(DESCRIPTION.map((each) => [each.call, each]))
const rows = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints).map(([key, endpoint]: [string, AnyEndpoint]) => {
    const row = (accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>)[section]?.[key]
    return {
      name: `${section}.${key}`,
      endpoint,
      row,
      description: described.get(`${endpoint.method} ${endpoint.path}`),
    }
  }),
)

describe.each(rows)('$name', ({ endpoint, row, description }) => {
  const caller = (): Person => world[ROLES[row?.outcomes.indexOf('ok') ?? -1] ?? 'alice']
  const makeCall = async () => (await row?.call(world, service)) as Call<AnyEndpoint>

  it('answers with the described status, headers and fields', async () => {
    const { path, init } = requestOf(endpoint, await makeCall(), contentOf(row, world))
    const response = await caller().fetch(path, init)
    const text = await response.text()
    expect(response.status).toBe(description?.success ?? endpoint.success)
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(response.headers.get('cache-control')).toContain('private, no-store')
    expect(response.headers.get('content-type')).toBe(typeOf(endpoint))
    expect(endpoint.method !== 'GET' || isStream(endpoint) || response.headers.has('etag')).toBe(true)
    if (endpoint.success === 204) return expect(text).toBe('')
    if (!description?.gives) return expect(text).not.toBe('')
    const reply = JSON.parse(text) as unknown
    for (const element of elementsOf(reply, description.list)) {
      for (const [name, type] of Object.entries(description.gives)) {
        for (const value of valuesAt(element, name)) expect([name, typeOfValue(value, type)]).toEqual([name, type])
      }
    }
  })

  it('returns exactly the fields that the contract declares', async () => {
    const reply: unknown = await caller().call(endpoint, await makeCall(), contentOf(row, world))
    expect(reply === undefined).toBe(endpoint.reply === undefined)
  })
})

const isStream = ({ jsonLines, eventStream }: AnyEndpoint) => jsonLines || eventStream

function typeOf({ success, jsonLines, eventStream }: AnyEndpoint): string | null {
  if (success === 204) return null
  if (eventStream) return 'text/event-stream; charset=UTF-8'
  return `application/${jsonLines ? 'x-ndjson' : 'json'}; charset=UTF-8`
}

function elementsOf(reply: unknown, list: string | undefined): unknown[] {
  if (list === undefined) return [reply]
  const elements = list === 'bare' ? reply : (reply as Record<string, unknown>)[list]
  expect(Array.isArray(elements)).toBe(true)
  return elements as unknown[]
}

/** The values under a name: `viewer_image.status` has one, `immediate_subfiles[].id` one for each file. */
function valuesAt(value: unknown, name: string): unknown[] {
  const [first = '', ...rest] = name.split('.')
  const found = (value as Record<string, unknown>)[first.replace('[]', '')]
  if (rest.length === 0) return [found]
  const inside = first.endsWith('[]') ? (found as unknown[]) : [found]
  return inside.flatMap((each) => valuesAt(each, rest.join('.')))
}

const INT32_MAX = 2_147_483_647

/** The type in the description's notation; `wanted` if the value fits it. */
function typeOfValue(value: unknown, wanted: string): string {
  if (value === null) return wanted.endsWith('?') ? wanted : 'null'
  const mark = wanted.endsWith('?') ? '?' : ''
  if (Array.isArray(value)) return value.every((each) => typeOfValue(each, 'int') === 'int') ? 'int[]' : 'list'
  if (typeof value !== 'number') return typeof value + mark
  return Number.isInteger(value) && Math.abs(value) <= INT32_MAX ? `int${mark}` : 'number'
}

describe('pages', () => {
  let room: Room
  const FILES = 30
  beforeAll(async () => {
    room = await createRoom(world)
    for (let at = 0; at < FILES; at++) await room.upload(world.alice, 0, `report ${at}.txt`)
  })

  const paged = rows.filter(({ endpoint }) => 'per_page' in endpoint.query.shape)
  it('are supported by searches, activities and large folders', () => {
    expect(paged.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['files.search', 'activities.list', 'folders.get']),
    )
  })

  describe.each(paged)('of $name', ({ endpoint, row }) => {
    const statusWith = async (more: Record<string, string>) => {
      const call = (await row?.call(world, service)) as Call<AnyEndpoint>
      const query = { ...(call.query as object | undefined), ...more }
      const { path, init } = requestOf(endpoint, { ...call, query })
      return (await world.alice.fetch(path, init)).status
    }
    it.each(['25', '50', '75', '100', '', 'NaN'])('may have %j rows', async (per_page) => {
      expect(await statusWith({ per_page })).toBe(200)
    })
    it.each([
      ['0', 422],
      ['1', 422],
      ['24', 422],
      ['26', 422],
      ['101', 422],
      ['1000', 422],
      ['-25', 400],
      ['25.5', 400],
      ['all', 400],
    ])('J2: may not have %j', async (per_page, status) => expect(await statusWith({ per_page })).toBe(status))
    if (!('page' in endpoint.query.shape)) return
    it.each([
      ['0', 422],
      ['-1', 400],
      ['x', 400],
      ['2147483648', 400],
    ])('B13: cannot have the number %j', async (page, status) => expect(await statusWith({ page })).toBe(status))
    it('J2: are empty far beyond the last', async () => expect(await statusWith({ page: '2147483647' })).toBe(200))
  })

  it('of a search have 25 rows by default, starting with the first page', async () => {
    const search = (more: { page?: number; per_page?: 25 | 50 } = {}) =>
      world.alice.call(api.files.search, { query: { workspace_id: room.workspace_id, q: 'report', ...more } })
    const [first, second, third, all] = [
      await search(),
      await search({ page: 2 }),
      await search({ page: 3 }),
      await search({ per_page: 50 }),
    ]
    expect([first.length, second.length, third.length, all.length]).toEqual([25, FILES - 25, 0, FILES])
    expect([...first, ...second]).toEqual(all)
  })

  it('of activities have 100 rows by default, and include the total', async () => {
    const params = { workspace_id: room.workspace_id }
    const { pagination, events } = await world.alice.call(api.activities.list, { params })
    expect(pagination).toEqual({ total_items: events.length, total_pages: 1, page: 1, per_page: 100 })
    const pages = []
    for (const page of [1, 2, 3])
      pages.push(await world.alice.call(api.activities.list, { params, query: { per_page: 25, page } }))
    expect(pages.map((each) => each.pagination.total_pages)).toEqual([2, 2, 2])
    expect(pages.flatMap((each) => each.events)).toEqual(events)
    expect(events.length).toBeGreaterThan(25)
  })

  it('of a folder are used only on request', async () => {
    const { workspace_id } = room
    const folder = (query: { page?: number; per_page?: 25 }) =>
      world.alice.call(api.folders.get, { params: { id: 0 }, query: { workspace_id, ...query } })
    const all = await folder({})
    const pages = [await folder({ per_page: 25 }), await folder({ per_page: 25, page: 2 })]
    expect(all.immediate_subfiles).toHaveLength(FILES)
    expect(pages.flatMap((each) => each.immediate_subfiles)).toEqual(all.immediate_subfiles)
    expect(pages.map(({ totals }) => totals)).toEqual([all.totals, all.totals])
  })
})
