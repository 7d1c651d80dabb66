import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnyEndpoint } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { API_PREFIX } from '../../../contract/url.ts'
import { hostileInput, type HostileRequest, hostileSegment, prototypes } from '../../../wire/testing/hostile-names.ts'
import { readAnswer, sendRaw } from '../../../wire/testing/raw.ts'
import { sign } from '../../../signing/signature.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const endpoints = Object.values(api)
  .flatMap((section) => Object.values<AnyEndpoint>(section))
  .filter(({ eventStream }) => !eventStream)

/** Sends the request as raw text, because fetch would not send a header called __proto__. */
async function send(endpoint: AnyEndpoint, { query, body, contentType, headers }: HostileRequest, path: string) {
  const signed = sign(world.mallory.credentials, Math.floor(Date.now() / 1000) + 60)
  const lines = Object.entries({
    Host: 'api.test',
    Connection: 'close',
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    ...signed,
  }).concat(Object.entries(headers))
  const head = `${endpoint.method} ${API_PREFIX}${path}?${query} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return readAnswer(await sendRaw(service.url, head + body))
}

const pathOf = ({ path }: AnyEndpoint) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (/(deletion|copy)_id/.test(name) ? crypto.randomUUID() : '1'))

/** The replies that other users get meanwhile. */
async function bystander(): Promise<unknown> {
  const me = await world.bob.call(api.users.me, {})
  const groups = await world.alice.call(api.groups.list, { query: { workspace_id: world.workspace_id } })
  return { me, groups }
}

test('K1: a name that leads to a prototype is refused everywhere, and other users are not affected', async () => {
  const before = { prototypes: prototypes(), bystander: await bystander() }
  const property = fc.asyncProperty(fc.constantFrom(...endpoints), hostileInput, async (endpoint, request) => {
    const { status, body } = await send(endpoint, request, pathOf(endpoint))
    // Raw endpoints store their body as it is.
    const isContent = endpoint.raw && request.body !== ''
    if (!isContent) expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: 400 } }])
    expect(prototypes()).toEqual(before.prototypes)
  })
  await fc.assert(property, { numRuns: 300 })
  expect(await bystander()).toEqual(before.bystander)
})

test('K1: such a name in a path matches nothing', async () => {
  const before = { prototypes: prototypes(), bystander: await bystander() }
  const none: HostileRequest = { query: '', body: '', contentType: 'application/json', headers: {} }
  const property = fc.asyncProperty(fc.constantFrom(...endpoints), hostileSegment, async (endpoint, segment) => {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, () => segment)
    for (const each of [path, `/${segment}`, `${pathOf(endpoint)}/${segment}`]) {
      const { status } = await send(endpoint, none, each)
      expect(status).toBeGreaterThanOrEqual(each === endpoint.path ? 200 : 400)
      expect(status).toBeLessThan(500)
    }
    expect(prototypes()).toEqual(before.prototypes)
  })
  await fc.assert(property, { numRuns: 60 })
  expect(await bystander()).toEqual(before.bystander)
})
