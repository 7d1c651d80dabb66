import { afterAll, beforeAll, expect, test } from 'vitest'
import { callWith, type ExampleCall, type InputField, inputFields } from '../../../contract/testing/input-fields.ts'
import { api } from '../../../contract/index.ts'
import { urlOf } from '../../../contract/url.ts'
import { ApiError } from '../../base/errors.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { readInput } from './read-input.ts'

/** Spellings of numbers on the wire. */
const NUMBERS = [
  '0 -0 1 -1 1.0 1.5 0.1 -0.5 1e3 1E3 1e308 1e400 -1e400 1e-400 NaN Infinity -Infinity 0x10 010 +1 1_000 1n ١ １',
  '101 901 2147483647 2147483648 -2147483648 4294967296 9999999999 9999999999.1',
  '9007199254740991 9007199254740993 9223372036854775807 9223372036854775808 18446744073709551616 999999999999999',
  `2147483647.2147483647 2147483648.1 1.1 0.00000000000000000001 ${'1'.repeat(400)} 1.${'0'.repeat(400)}1`,
].flatMap((line) => line.split(' '))
const AS_JSON = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?$/
const PLACEHOLDER = 'the-number'

const isNumeric = ({ schema: { type, pattern, format } }: InputField) =>
  type === 'integer' || type === 'number' || format === 'id-path' || (pattern?.includes('\\d') ?? false)
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const fieldsThat = (are: (field: InputField) => boolean) =>
  inputFields()
    .filter((field) => are(field) && !field.endpoint.eventStream)
    // Removing endpoints run last, so that their targets still exist for the others.
    .toSorted((a, b) => ORDER.indexOf(a.endpoint.method) - ORDER.indexOf(b.endpoint.method))
const fields = fieldsThat(isNumeric)

/** Of the first and last years and zones, and one with more digits than a clock has. */
const TIMES = [
  '0000-01-01 0000-02-29 0001-01-01 1582-10-10 9999-12-31 2026-02-30',
  '0000-01-01T00:00:00Z 0001-01-01T00:00:00+15:59 9999-12-31T23:59:59-23:59 9999-12-31T23:59:59.999Z',
  `2026-01-01T00:00:00+23:59 2026-01-01T00:00:00-16:00 2026-01-01T00:00:00.${'9'.repeat(5000)}Z`,
].flatMap((line) => line.split(' '))
const timeFields = fieldsThat(({ schema: { format } }) => format === 'date' || format === 'date-time')

let service: TestService
let world: World
let ids: Record<string, number>
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const { workspace_id, group_id, team_id, alice, bob } = world
  const folder = await alice.call(api.folders.create, { body: { workspace_id, name: 'Finance' } })
  const query = { workspace_id, folder_id: folder.id, file_name: 'a.txt' }
  const file = await alice.call(api.files.upload, { query }, 'text')
  ids = { workspace_id, group_id, team_id, user_id: bob.id, folder_id: folder.id, file_id: file.id }
})
afterAll(() => service.close())

/** Replaces the example's ids with ids that exist, so that the call gets as far as possible. */
function inWorld({ params, query, body }: ExampleCall, path: string): ExampleCall {
  const noun = /^\/(?:permissions\/)?(\w+?)s?\//.exec(path)?.[1] ?? ''
  const swap = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => swap(each, name.replace(/s$/, '')))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, swap(inner, key)]))
    }
    return value === 7 ? (ids[name === 'id' ? `${noun}_id` : name.replace('destination_', '')] ?? value) : value
  }
  const within = (part: Record<string, unknown>) => swap(part, '') as Record<string, unknown>
  return { params: within(params), query: within(query), body: within(body) }
}

interface Wire {
  path: string
  body: string
}

function wireOf(field: InputField, number: string, asText: boolean): Wire {
  const { endpoint } = field
  const { params, query, body } = inWorld(callWith(field, PLACEHOLDER), endpoint.path)
  const json = JSON.stringify(body)
  const value = asText ? JSON.stringify(number) : number
  return {
    path: urlOf(endpoint, { params, query }).replaceAll(PLACEHOLDER, encodeURIComponent(number)),
    body: json === '{}' ? '' : json.replaceAll(`"${PLACEHOLDER}"`, value),
  }
}

/** Whether the input reader accepts the number; all others are refused before the handler. */
function isRead(field: InputField, { path, body }: Wire): boolean {
  const [place = '', queryString = ''] = path.split('?')
  const pattern = field.endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)')
  const params = { ...new RegExp(`^/api/v1${pattern}$`).exec(place)?.groups }
  try {
    readInput(field.endpoint, { params, queryString, body: Buffer.from(body) })
    return true
  } catch (error) {
    if (error instanceof ApiError && [400, 422].includes(error.status)) return false
    throw error
  }
}

test.each([
  ['number', fields, NUMBERS],
  ['day or time', timeFields, TIMES],
])(
  'K9: no %s in any field causes a server error',
  async (_, of, values) => {
    const failures: string[] = []
    let asked = 0
    for (const field of of) {
      const { method } = field.endpoint
      for (const number of values) {
        const forms = field.part === 'body' && AS_JSON.test(number) ? [true, false] : [true]
        // The handler gets the same value from a number sent as text and as JSON.
        const wire = forms.map((asText) => wireOf(field, number, asText)).find((each) => isRead(field, each))
        if (wire) {
          asked++
          const init = wire.body === '' ? { method } : { method, body: wire.body }
          const reply = await world.alice.fetch(wire.path, method === 'GET' ? { method } : init)
          const text = await reply.text()
          if (reply.status >= 500) failures.push(`${field.name} = ${number}: ${reply.status} ${text}`)
        }
      }
    }
    expect(failures).toEqual([])
    expect(asked).toBeGreaterThan(of.length)
  },
  300_000,
)

test('K9: the refusal of a number has the shape of the contract', async () => {
  for (const number of ['1.5', '1e3', '2147483648', '-1', 'NaN']) {
    const reply = await world.alice.fetch(`/api/v1/groups/${number}?workspace_id=${number}`)
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 400 } }])
  }
})
