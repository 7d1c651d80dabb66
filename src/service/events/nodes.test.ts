import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { type RunningService, startService } from '../app.ts'
import { readEvents } from '../testing/event-reader.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

// Two nodes of one installation, which share nothing but the database and the content.

let first: TestService
let second: RunningService
let world: World
beforeAll(async () => {
  first = await startTestService()
  world = await createWorld(first)
  second = await startService({ ...first.config, port: 0 })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

test('a follower of one node hears of an act at another', async () => {
  const { alice, wendy, workspace_id } = world
  const reader = await readEvents(second, wendy, workspace_id)
  await expect.poll(() => reader.seen.length).toBeGreaterThan(0)
  const before = reader.seen.length
  await alice.call(api.folders.create, { body: { workspace_id, name: 'Elsewhere', parent_id: 0 } })
  await expect.poll(() => reader.seen.slice(before).flatMap(({ kinds }) => kinds)).toContain('files')
  reader.leave()
})

test('a stream of one node ends when another removes its user', async () => {
  const { mallory, alice, workspace_id, group_id } = world
  const body = { workspace_id, email: mallory.email, send_email: false }
  await alice.call(api.groups.addMember, { params: { id: group_id }, body })
  const reader = await readEvents(second, mallory, workspace_id)
  expect(reader.status).toBe(200)
  await first.admin.call(api.users.remove, { query: { user: { id: mallory.id } } })
  await reader.ended
})
