import { describe, expect, it } from 'vitest'
import type { AnyEndpoint } from './endpoint.ts'
import { api } from './index.ts'
import { pathPattern, urlOf } from './url.ts'

const endpoints = Object.entries(api).flatMap(([section, each]) =>
  Object.entries<AnyEndpoint>(each).map(([key, endpoint]) => ({ name: `${section}.${key}`, endpoint })),
)

const SOME_UUID = 'b2830056-6d5f-49f3-940c-131c0d4ac4ad'

describe('the URL of a call', () => {
  it('has its parameters in the path, encoded', () => {
    expect(urlOf(api.groups.get, { params: { id: 5 }, query: { workspace_id: 3 } })).toBe(
      '/api/v1/groups/5?workspace_id=3',
    )
    expect(urlOf({ path: '/groups/{id}' }, { params: { id: '../users?x#y' } })).toBe(
      '/api/v1/groups/..%2Fusers%3Fx%23y',
    )
  })

  it('requires every parameter of the path', () => {
    expect(() => urlOf(api.groups.get, { query: { workspace_id: 3 } })).toThrow(
      '/groups/{id} needs the path parameter id',
    )
  })

  it('has its query encoded, without absent values but with false, 0 and ""', () => {
    const query = { q: 'a&b=c/ü', none: undefined, nothing: null, no: false, zero: 0, empty: '' }
    expect(urlOf({ path: '/files/search' }, { query })).toBe(
      '/api/v1/files/search?q=a%26b%3Dc%2F%C3%BC&no=false&zero=0&empty=',
    )
  })

  it('writes arrays as x[] and objects as x[y]', () => {
    const query = { ids: [1, 2], none: [], user: { id: 5, deep: { er: [true] } } }
    expect(decodeURIComponent(urlOf({ path: '/users' }, { query }))).toBe(
      '/api/v1/users?ids[]=1&ids[]=2&user[id]=5&user[deep][er][]=true',
    )
  })

  it('has no question mark without a query', () => {
    expect(urlOf(api.users.me)).toBe('/api/v1/users/me')
  })
})

describe('the endpoints', () => {
  it('each have a unique method and path', () => {
    const places = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`)
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
  })

  it.each(endpoints)('$name declares the parameters of its path, and no name twice', ({ endpoint }) => {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const { params, query, body } = endpoint
    expect(Object.keys(params.shape).sort()).toEqual(inPath.sort())
    const names = [params, query, body].flatMap(({ shape }) => Object.keys(shape))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it.each(endpoints)('$name is the only endpoint that matches its path', ({ endpoint }) => {
    const path = endpoint.path.replace(/\{(deletion_id|copy_id|question_id)\}/, SOME_UUID).replace(/\{\w+\}/g, '7')
    const matching = endpoints.filter(
      (each) => each.endpoint.method === endpoint.method && pathPattern(each.endpoint.path).test(path),
    )
    expect(matching.map((each) => each.endpoint.path)).toEqual([endpoint.path])
  })

  it.each(endpoints)('$name has a summary and a plain path', ({ endpoint }) => {
    expect(endpoint.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(endpoint.path).toMatch(/^(\/([a-z_]+|\{[a-z_]+\}))+$/)
  })
})

describe('by kind of endpoint', () => {
  it.each(endpoints.filter(({ endpoint }) => endpoint.success === 204))(
    '$name answers 204 and has no reply',
    (each) => {
      expect(each.endpoint.reply).toBeUndefined()
    },
  )

  it.each(endpoints.filter(({ endpoint }) => endpoint.method === 'GET' || endpoint.raw))(
    '$name is a GET or raw and has no body parameters',
    ({ endpoint }) => expect(Object.keys(endpoint.body.shape)).toEqual([]),
  )
})

describe('a path', () => {
  it.each(['/groups/5', '/groups/2147483647'])('%s matches a group', (path) => {
    expect(pathPattern('/groups/{id}').test(path)).toBe(true)
  })

  it.each([
    '/groups/',
    '/groups/5/',
    '/groups/5/drm',
    '/groups/search',
    '/groups/-1',
    '/groups/%35',
    '/x/groups/5',
    '/groups/5\n',
    '/groups/５',
  ])('%j does not match', (path) => expect(pathPattern('/groups/{id}').test(path)).toBe(false))
})
