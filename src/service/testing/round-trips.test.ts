import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { readDatabaseUrl } from '../base/database-url.ts'
import { contentOf, matrixRows, rightfulCaller } from './access-matrix.ts'
import { type DatabaseRelay, startDatabaseRelay } from './database/database-relay.ts'
import { createRoom } from './room.ts'
import { ROUND_TRIPS } from './round-trips.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

let relay: DatabaseRelay
let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService({ jobKinds: [] }, async (url) => (relay = await startDatabaseRelay(url)).url)
  world = await createWorld(service)
})
afterAll(async () => {
  await service.close()
  await relay.dispose()
})

/** Behind PgBouncer, statements that are sent together need a commit of their own, and a request has two such sets at most. */
const commits = () => (readDatabaseUrl(relay.url).pooled ? 2 : 0)
/** A new connection may come in between. */
const ATTEMPTS = 4

describe('round trips to the database per request', () => {
  it('have a budget for every endpoint', () => {
    expect(Object.keys(ROUND_TRIPS)).toEqual(matrixRows.map(({ name }) => name))
  })

  it.each(matrixRows)('$name stays within its budget', async ({ name, endpoint, row }) => {
    const budget = (ROUND_TRIPS[name] ?? 0) + commits()
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && least > budget; attempt++) {
      const call = (await row.call(world, service)) as Call<AnyEndpoint>
      relay.meter()
      expect(await rightfulCaller(world, row).statusOf(endpoint, call, contentOf(row, world))).toBe(endpoint.success)
      least = Math.min(least, relay.meter().roundTrips)
    }
    expect(least).toBeLessThanOrEqual(budget)
  })

  it.each([
    ['an admin', 'alice', 2],
    ['another member', 'bob', 3],
  ] as const)('the expiring URL of a file takes %s within its budget', async (_, name, budget) => {
    const room = await createRoom(world)
    const folder = await room.folder('Finance')
    const { id } = await room.upload(world.alice, folder, 'plan.txt', 'Plan')
    await room.grant(folder, 'download')
    const call = { params: { file_id: id }, query: { workspace_id: room.workspace_id } }
    const { expiring_url } = await world[name].call(api.downloads.getFile, call)
    const url = service.url + new URL(expiring_url).pathname
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && least > budget; attempt++) {
      relay.meter()
      expect(await (await fetch(url)).text()).toBe('Plan')
      least = Math.min(least, relay.meter().roundTrips)
    }
    expect(least).toBeLessThanOrEqual(budget)
  })
})
