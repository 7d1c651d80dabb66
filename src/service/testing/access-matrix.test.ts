import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { errorReply } from '../../contract/errors.ts'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { HEADERS, sign } from '../../signing/signature.ts'
import { accessMatrix, ROLE_NAMES, ROLES, type Row } from './access-matrix.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const rows = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints).map(([key, endpoint]) => {
    const row = (accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>)[section]?.[key]
    return { name: `${section}.${key}`, endpoint: endpoint as AnyEndpoint, row }
  }),
)

describe.each(rows)('$name', ({ endpoint, row }) => {
  it('has a row in the access matrix', () => expect(row).toBeDefined())

  it.each(ROLES.map((role, at) => ({ role, who: ROLE_NAMES[role], outcome: row?.outcomes[at] })))(
    'answers $outcome to the $who',
    async ({ role, outcome }) => {
      const call = (await row?.call(world, service)) as Call<AnyEndpoint>
      const status = await world[role].statusOf(endpoint, call)
      expect(status).toBe(outcome === 'ok' ? endpoint.success : outcome)
    },
  )

  it.each(forgeries())('refuses $what', async ({ headers }) => {
    const params = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 1]))
    const response = await fetch(service.url + urlOf(endpoint, { params }), {
      method: endpoint.method,
      headers: headers(),
      redirect: 'manual',
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(z.parse(errorReply, await response.json()).error.code).toBe(401)
  })
})

/** Headers that must open nothing. */
function forgeries(): { what: string; headers: () => Record<string, string> }[] {
  const now = () => Math.floor(Date.now() / 1000)
  const genuine = () => world.alice.credentials
  const without = (name: string) => () => {
    const { [name]: _, ...rest } = sign(genuine(), now() + 60)
    return rest
  }
  return [
    { what: 'a request without headers', headers: () => ({}) },
    ...Object.values(HEADERS).map((name) => ({ what: `a request without ${name}`, headers: without(name) })),
    { what: 'a wrong signature', headers: () => sign({ ...genuine(), secret: 'wrong' }, now() + 60) },
    { what: 'an empty secret', headers: () => sign({ ...genuine(), secret: '' }, now() + 60) },
    { what: 'an expired signature', headers: () => sign(genuine(), now() - 1) },
    { what: 'a signature too far ahead', headers: () => sign(genuine(), now() + 3700) },
    { what: 'an unknown token', headers: () => sign({ ...genuine(), token: '0'.repeat(40) }, now() + 60) },
    { what: 'an unknown key', headers: () => sign({ ...genuine(), key: '0'.repeat(40) }, now() + 60) },
  ]
}
