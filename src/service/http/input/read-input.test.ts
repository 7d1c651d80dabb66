import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { ApiError } from '../../base/errors.ts'
import { readInput, readSent } from './read-input.ts'

interface Sent {
  params?: Record<string, string>
  query?: string
  body?: string | object
}

function read<E extends AnyEndpoint>(endpoint: E, { params = {}, query = '', body = '' }: Sent) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return readInput(endpoint, { params, queryString: query, body: bytes })
}

function failureOf(endpoint: AnyEndpoint, sent: Sent): ApiError {
  try {
    read(endpoint, sent)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('was not refused')
}

const { groups, users, files, folders, permissions } = api
const named = { group: { name: 'Bidders', workspace_id: 3, file_managing_abilities: false, is_draft: false } }

describe('a parameter', () => {
  it.each<[string, Sent]>([
    ['a JSON body', { body: { group: { name: 'Bidders', workspace_id: 3 } } }],
    ['JSON with literal brackets', { body: { 'group[name]': 'Bidders', 'group[workspace_id]': '3' } }],
    ['a form', { body: 'group[name]=Bidders&group[workspace_id]=3' }],
    ['an encoded form', { body: 'group%5Bname%5D=Bidders&group%5Bworkspace_id%5D=3' }],
    ['the query', { query: 'group[name]=Bidders&group[workspace_id]=3' }],
    ['query and body together', { query: 'group[workspace_id]=3', body: { group: { name: 'Bidders' } } }],
  ])('may arrive in %s', (_, sent) => expect(read(groups.create, sent).body).toEqual(named))

  it('is taken from the body before the query', () => {
    const { body } = read(groups.create, { query: 'group[name]=Query', body: 'group[name]=Body&group[workspace_id]=3' })
    expect(body.group.name).toBe('Body')
  })

  it('of a DELETE may be in its body', () => {
    expect(read(users.remove, { body: { user: { id: 5 } } }).query).toEqual({ user: { id: 5 } })
    expect(read(users.remove, { query: 'user[id]=5' }).query).toEqual({ user: { id: 5 } })
  })

  it('that the contract does not name is ignored', () => {
    expect(read(users.me, { query: 'x=1', body: { y: 2 } })).toEqual({ params: {}, query: {}, body: {} })
  })
})

it('K3: query and body are read once, even for the audit entry of a refusal', () => {
  const raw = { params: {}, queryString: 'a=1', body: Buffer.from('{"user":{"first_name":"A"}}') }
  readInput(users.updateMe, raw)
  expect(readSent(users.updateMe, raw)).toBe(readSent(users.updateMe, { ...raw }))
})

describe('a list', () => {
  it.each<[string, Sent]>([
    ['a JSON array', { body: { workspace_id: 1, file_ids: [1, '2'] } }],
    ['repeated brackets', { body: 'workspace_id=1&file_ids[]=1&file_ids[]=2' }],
    ['numbered brackets', { body: 'workspace_id=1&file_ids[0]=1&file_ids[1]=2' }],
    ['comma text', { body: 'workspace_id=1&file_ids=1,2' }],
    ['a repeated name', { query: 'workspace_id=1&file_ids=1&file_ids=2' }],
  ])('may be sent as %s', (_, sent) => expect(read(files.infoBatch, sent).body.file_ids).toEqual([1, 2]))

  it('may be a single scalar', () => {
    expect(read(files.infoBatch, { body: { workspace_id: 1, file_ids: 7 } }).body.file_ids).toEqual([7])
  })
})

describe('an id', () => {
  it.each(['2147483648', '-1', '1e3', '1.0', '1.5', '0x1', ' 1', '+1', 'abc'])('%j is 400', (id) => {
    expect(failureOf(files.get, { params: { id }, query: 'workspace_id=1' }).status).toBe(400)
  })
  it.each([[1.5], [-1], [2 ** 31], [[1]], [{ a: 1 }], [true]])('%j in JSON is 400', (workspace_id) => {
    expect(failureOf(folders.create, { body: { workspace_id, name: 'x' } }).status).toBe(400)
  })
  it('that is missing is 400 and named', () => {
    const failure = failureOf(folders.create, { body: { name: 'x' } })
    expect(failure).toMatchObject({ status: 400, details: [{ field: 'workspace_id', message: 'is required' }] })
  })
})

it('an upload without its parameters is told to put them in the query', () => {
  const failure = failureOf(files.upload, { query: 'workspace_id=3', body: 'folder_id=0&file_name=a.txt' })
  expect(failure).toMatchObject({
    status: 400,
    message: 'The query of the URL must have workspace_id, folder_id, and file_name; the body is the file itself.',
    details: [
      { field: 'folder_id', message: 'is required' },
      { field: 'file_name', message: 'is required' },
    ],
  })
})

describe('a boolean', () => {
  it.each([true, 1, '1', 'true', 'True'])('%j is true', (watermarking) => {
    expect(
      read(groups.setWatermarking, { params: { id: '1' }, body: { workspace_id: 1, group: { watermarking } } }).body
        .group.watermarking,
    ).toBe(true)
  })
  it.each([false, 0, '0', 'false', 'False'])('%j is false', (watermarking) => {
    expect(
      read(groups.setWatermarking, { params: { id: '1' }, body: { workspace_id: 1, group: { watermarking } } }).body
        .group.watermarking,
    ).toBe(false)
  })
  it('is 422 for any other word', () => {
    expect(
      failureOf(groups.setWatermarking, { params: { id: '1' }, body: 'workspace_id=1&group[watermarking]=yes' }).status,
    ).toBe(422)
  })
})

describe('a date', () => {
  const call = (date: string) => ({
    params: { id: '1' },
    body: { workspace_id: 1, group: { expire_workspace_access_at: date } },
  })
  it('is cut to its first ten characters', () => {
    expect(read(groups.setAccessExpiry, call('2027-03-03T00:00:00Z')).body.group.expire_workspace_access_at).toBe(
      '2027-03-03',
    )
  })
  it.each(['2027-02-30', '2027-13-01', 'tomorrow', ''])('%j is 422', (date) => {
    expect(failureOf(groups.setAccessExpiry, call(date)).status).toBe(422)
  })
})

describe('an optional parameter', () => {
  it.each(['page_number=NaN', 'page_number=', 'page_number', ''])('sent as %j takes its default', (query) => {
    expect(read(files.get, { params: { id: '1' }, query: `workspace_id=1&${query}` }).query.page_number).toBe(1)
  })
  it.each([{ user_id: 5, email: '' }, { user_id: 5, email: null }, { user_id: '5' }])(
    'with a format may be empty: %j',
    (sent) => {
      const { body } = read(groups.addMember, { params: { id: '1' }, body: { workspace_id: 1, ...sent } })
      expect(body).toEqual({ workspace_id: 1, user_id: 5, send_email: true })
      const drm = { drm_enabled: true, drm_expires_after: '' }
      expect(read(groups.setDrm, { params: { id: '1' }, body: { workspace_id: 1, group: drm } }).body.group).toEqual({
        drm_enabled: true,
      })
      expect(read(users.updateMe, { body: { user: { time_zone: '', email: '' } } }).body.user).toEqual({})
    },
  )
  it('of plain text may be emptied', () => {
    expect(read(api.organization.update, { body: { description: '' } }).body).toEqual({ description: '' })
  })
})

it.each([25, 50, 75, 100])('per_page may be %i', (size) => {
  expect(read(files.search, { query: `workspace_id=1&q=x&per_page=${size}` }).query.per_page).toBe(size)
})
it.each([0, 1, 24, 26, 101, 1000])('per_page may not be %i', (size) => {
  expect(failureOf(files.search, { query: `workspace_id=1&q=x&per_page=${size}` }).status).toBe(422)
})

it('a JSON body that is not an object is ignored', () => {
  const sent = { params: { id: '4' }, query: 'workspace_id=1', body: '"key and secret"' }
  expect(read(folders.remove, sent)).toEqual({ params: { id: 4 }, query: { workspace_id: 1 }, body: {} })
})

it('broken JSON is 400', () => expect(failureOf(folders.create, { body: '{"name": ' }).status).toBe(400))

describe('invalid UTF-8', () => {
  const upload = (name: string) => failureOf(files.upload, { query: `workspace_id=1&folder_id=0&file_name=${name}` })

  it('is 400 in the query, where replacement would merge two names', () => {
    expect([upload('%E9.txt').status, upload('%ED%A0%80').status]).toEqual([400, 400])
  })
  it('is 400 in a body', () => {
    expect(failureOf(groups.create, { body: 'group[name]=%E9&group[workspace_id]=3' }).status).toBe(400)
    const json = Buffer.from('{"group":{"name":"\xe9","workspace_id":3}}', 'latin1')
    expect(() => readInput(groups.create, { params: {}, queryString: '', body: json })).toThrow('UTF-8')
  })
  it('is 422 when JSON escapes a lone surrogate', () => {
    expect(failureOf(groups.create, { body: '{"group":{"name":"\\ud800","workspace_id":3}}' }).status).toBe(422)
  })
  it('does not include a bare percent sign', () => {
    expect(read(files.search, { query: 'workspace_id=1&q=100%+or+5%z' }).query.q).toBe('100% or 5%z')
  })
})

describe('an expensive body', () => {
  const deep = (name: string) => `{"${name}":`.repeat(100_000) + '1' + '}'.repeat(100_000)

  it.each([
    ['a name over and over', 'x=&'.repeat(300_000)],
    ['a list without end', 'x[]=1&'.repeat(170_000)],
    ['a list of the contract', 'file_ids[]=1&'.repeat(70_000)],
    ['deep objects', deep('a')],
    ['deep objects that meet', `{"a[b]":${deep('a')},"a":{"b":${deep('a')}}}`],
    ['deep names', `{${Array.from({ length: 40_000 }, (_, at) => `"a[b][c][d][e][f${at}]":{"${at}":1}`).join(',')}}`],
    // Quadratic work would exceed the test's timeout.
  ])('%s is refused quickly', (_, body) => {
    expect(failureOf(files.infoBatch, { query: 'workspace_id=1', body }).status).toBeLessThan(423)
  })
})

it('the verb set is a synonym of grant', () => {
  const body = { workspace_id: 1, group_id: 1, folder_action: 'view' }
  expect(read(permissions.set, { params: { id: '0' }, body: { ...body, verb: 'set' } }).body.verb).toBe('set')
  expect(failureOf(permissions.set, { params: { id: '0' }, body: { ...body, verb: 'allow' } }).status).toBe(422)
})

describe('a name', () => {
  it.each(['', '   ', '.', '..', 'a/b', 'a\0b', 'a\nb', 'x'.repeat(256), 'a\u202eb'])('%j is 422', (name) => {
    expect(failureOf(folders.create, { body: { workspace_id: 1, name } }).status).toBe(422)
  })
  it('is trimmed and stored as NFC', () => {
    expect(read(folders.create, { body: { workspace_id: 1, name: ' Cafe\u0301 ' } }).body.name).toBe('Caf\u00e9')
  })
})

it.each<Sent>([
  { query: '__proto__[admin]=1' },
  { query: 'a[constructor][prototype][admin]=1' },
  { query: 'a[b]=1&a[__proto__][admin]=1' },
  { query: 'a[b][c][d][e][__proto__]=1' },
  { query: 'prototype' },
  { body: 'user[__proto__][admin]=1' },
  { body: '{"__proto__": {"admin": 1}}' },
  { body: '{"\\u005f_proto__": {"admin": 1}}' },
  { body: '{"a": {"b": 1}, "a[__proto__][admin]": 1}' },
  { body: '{"a": [[{"constructor": 1}]]}' },
  { body: '[{"prototype": 1}]' },
])('K1: a name that leads to a prototype is 400: %j', (sent) => {
  expect(failureOf(users.me, sent).status).toBe(400)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { admin?: unknown }).admin).toBeUndefined()
})

it('K1: values and longer names may contain such words', () => {
  const { body } = read(users.updateMe, { query: 'constructors=1', body: { user: { first_name: 'constructor' } } })
  expect(body.user.first_name).toBe('constructor')
})

it('K1: a missing parameter is not read from the prototype', () => {
  const polluted = Object.prototype as { first_name?: string }
  Object.defineProperty(polluted, 'first_name', { value: 'Forged', writable: true, configurable: true })
  try {
    expect(read(users.updateMe, { body: { user: { last_name: 'Own' } } }).body.user).toEqual({ last_name: 'Own' })
  } finally {
    delete polluted.first_name
  }
})

it('any input to any endpoint is read or refused with a message', () => {
  const endpoints = Object.values(api).flatMap((section) => Object.values(section) as AnyEndpoint[])
  const sent = fc.record({
    endpoint: fc.constantFrom(...endpoints),
    query: fc.oneof(fc.string(), fc.webQueryParameters()),
    body: fc.oneof(fc.string(), fc.json(), fc.webQueryParameters()),
    id: fc.string(),
  })
  fc.assert(
    fc.property(sent, ({ endpoint, query, body, id }) => {
      try {
        const input = read(endpoint, { params: { id, workspace_id: id, file_id: id }, query, body })
        expect(z.safeParse(endpoint.body, input.body).success).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect([400, 422]).toContain((error as ApiError).status)
      }
    }),
    { numRuns: 2000 },
  )
})

describe('K3: oversized input is refused before it is built', () => {
  const many = (count: number, pair: (at: number) => string) => Array.from({ length: count }, (_, at) => pair(at))

  it.each<[string, Sent]>([
    ['a query', { query: many(1001, (at) => `x${at}=1`).join('&') }],
    ['a query with one name', { query: many(1001, () => 'x[]=1').join('&') }],
    ['a form', { body: many(1001, (at) => `x${at}=1`).join('&') }],
    ['separators alone', { body: '&'.repeat(1000) }],
    ['JSON', { body: `{${many(1001, (at) => `"x${at}":1`).join(',')}}` }],
    ['nested JSON', { body: `{"user":{${many(1000, (at) => `"x${at}":1`).join(',')}}}` }],
    ['JSON with one name', { body: `{${many(1001, () => '"x":1').join(',')}}` }],
  ])('1,001 parameters in %s are 400', (_, sent) => {
    expect(failureOf(users.me, sent)).toMatchObject({ status: 400, message: expect.stringContaining('1,000') })
  })
  it('1,000 parameters are read', () => {
    const sent = { query: many(1000, (at) => `x${at}=1`).join('&') }
    expect(read(users.me, sent).body).toEqual({})
    expect(read(users.me, { body: `{${many(1000, (at) => `"x${at}":1`).join(',')}}` }).body).toEqual({})
  })
  it.each<[string, string]>([
    ['lists', `{"a":[${many(18_000, () => '['.repeat(28) + ']'.repeat(28)).join(',')}]}`],
    ['empty objects', `{"a":[${many(40_000, () => '{}').join(',')}]}`],
    ['different names in lists', `{"a":[${many(1001, (at) => `{"x${at}":1}`).join(',')}]}`],
    ['names of one object in a list', `{"a":[{${many(1001, (at) => `"x${at}":1`).join(',')}}]}`],
    ['colons alone', `{"a":["${'x'.repeat(16_000)}"${':'.repeat(900_000)}]}`],
  ])('too many %s are 400', (_, body) => expect(failureOf(users.me, { body }).status).toBe(400))
  it('a form above 256 KiB is 413', () => {
    expect(failureOf(users.me, { body: `a=${'%+'.repeat(128 * 1024)}` }).status).toBe(413)
    expect(read(users.me, { body: `a=${'%+'.repeat(128 * 1024 - 1)}` }).body).toEqual({})
  })
  it('objects with large numeric names take no more memory than others', () => {
    const sent = (name: string) => ({ body: `{"a":[${many(20_000, () => `{"${name}":1}`).join(',')}]}` })
    const cpuOf = (name: string) => {
      const before = process.threadCpuUsage()
      for (let turn = 0; turn < 5; turn++) read(users.me, sent(name))
      return process.threadCpuUsage(before).user
    }
    cpuOf('x')
    expect(cpuOf('990')).toBeLessThan(4 * cpuOf('x') + 50_000)
  })
  it('deep JSON is 400', () => {
    expect(failureOf(users.me, { body: '['.repeat(33) + ']'.repeat(33) }).status).toBe(400)
    expect(read(users.me, { body: '['.repeat(32) + ']'.repeat(32) }).body).toEqual({})
  })
  it('brackets and separators in a string are plain text', () => {
    expect(read(users.me, { body: { text: '[{,:'.repeat(100_000), more: '"\\'.repeat(1000) } }).body).toEqual({})
  })
  it('the longest lists of the contract are read', () => {
    const rights = { view: true, download: true, upload: true }
    const changes = many(10_000, String).map((at) => ({ folder_id: at, group_id: at, rights }))
    const { body } = read(permissions.change, { body: { workspace_id: 1, changes } })
    expect(body.changes).toHaveLength(10_000)
  })
  it.each<[string, unknown]>([
    ['JSON', many(1001, () => '1')],
    ['text', '1,'.repeat(500_000)],
  ])('a list that is too long is 422 in %s', (_, file_ids) => {
    const failure = failureOf(files.infoBatch, { body: { workspace_id: 1, file_ids } as object })
    expect(failure).toMatchObject({ status: 422, message: 'file_ids must have at most 1000 elements.' })
  })
})

describe('K9: the position after a page of rights', () => {
  const sheet = (after: string) => ({ query: `workspace_id=1&group_ids[]=1&after=${after}` })
  it.each(['9999999999.1', '2147483648', '1.', '.1', '1..2', 'x', '1e3', '-1', '1.5.x', `1${'.1'.repeat(1000)}`])(
    '%s is 400',
    (after) => expect(failureOf(permissions.sheet, sheet(after)).status).toBe(400),
  )
  it.each(['1', '1.2', '2147483647.0', `1${'.1'.repeat(999)}`])('%s is read', (after) => {
    expect(read(permissions.sheet, sheet(after)).query.after).toBe(after)
  })
})
