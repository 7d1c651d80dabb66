import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { matrixRows, rightfulCaller } from './access-matrix.ts'
import { type DatabaseRelay, startDatabaseRelay } from './database/database-relay.ts'
import { ROUND_TRIPS } from './round-trips.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

let relay: DatabaseRelay
let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService({}, async (url) => (relay = await startDatabaseRelay(url)).url)
  world = await createWorld(service)
})
afterAll(async () => {
  await service.close()
  await relay.dispose()
})

/** A new connection, or a job of the service itself, may come in between. */
const ATTEMPTS = 4

describe('round trips to the database per request', () => {
  it('have a budget for every endpoint', () => {
    expect(Object.keys(ROUND_TRIPS)).toEqual(matrixRows.map(({ name }) => name))
  })

  it.each(matrixRows)('$name stays within its budget', async ({ name, endpoint, row }) => {
    const budget = ROUND_TRIPS[name] ?? 0
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && least > budget; attempt++) {
      const call = (await row.call(world, service)) as Call<AnyEndpoint>
      relay.meter()
      expect(await rightfulCaller(world, row).statusOf(endpoint, call)).toBe(endpoint.success)
      least = Math.min(least, relay.meter().roundTrips)
    }
    expect(least).toBeLessThanOrEqual(budget)
  })
})
