import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { giveUpOpening, openDrafts } from '../../mail/publish-drafts.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { Client } from '../../testing/client.ts'
import { runJobs, takeMails } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createWorld, type Person, type World } from '../../testing/world.ts'

const { drafts, folders, files, groups } = api

let service: TestService
let world: World
let room: Room
let workspace_id: number
/** Two drafts that bob sees once they are published. */
let plans: number
let budget: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  workspace_id = room.workspace_id
  await room.grant(0, 'download')
  const draft = async (name: string) => (await world.alice.call(drafts.create, { body: { workspace_id, name } })).id
  plans = await draft('Plans')
  budget = await draft('Budget')
})

const HOUR_MS = 3600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
const params = () => ({ id: workspace_id })

interface Planning {
  folder_ids?: number[]
  opens_at?: string
  invitation?: { message?: string }
}
const bodyOf = ({ folder_ids = [plans, budget], opens_at = inHours(5), invitation }: Planning = {}) => ({
  folder_ids,
  opens_at,
  ...(invitation && { invitation }),
})
const plan = async (planning?: Planning, person: Person = world.alice) =>
  (await person.call(drafts.setSchedule, { params: params(), body: bodyOf(planning) })).schedule
const planned = async () => (await world.alice.call(drafts.getSchedule, { params: params() })).schedule
const publish = (folder_ids: number[]) =>
  world.alice.call(drafts.publish, { params: params(), body: { folder_ids, dry_run: false } })
const statusOf = (id: number, person = world.bob) =>
  person.statusOf(folders.get, { params: { id }, query: { workspace_id } })
const seen = async () => [await statusOf(plans), await statusOf(budget)]

/** Lets hours pass for the queue, and lets a worker do what is due by then. */
async function pass(hours: number): Promise<void> {
  await sql`update jobs set run_at = run_at - make_interval(secs => ${(hours * HOUR_MS) / 1000}) where kind = 'open_drafts'`.execute(
    service.services.db,
  )
  await runJobs(service)
}

async function scheduleId(): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select id from draft_schedules where workspace_id = ${workspace_id}`.execute(service.services.db)
  return rows[0]?.id ?? 0
}

const open = (id: number) =>
  openDrafts({ ...service.services, publicUrl: service.config.publicUrl, clock: () => new Date() }, id)

async function audited(message: string): Promise<number> {
  const lines = await world.alice.call(api.audit.export, { params: params() })
  return lines.filter((line) => line.type === 'record' && line.entry.message === message).length
}

const countOf = (messages: string[], text: string) => messages.filter((each) => each === text).length

describe('a plan to publish drafts', () => {
  it('is carried out at its time and not before, in the name of the planner, and then gone', async () => {
    await room.upload(world.alice, plans, 'plan.txt')
    const opens_at = inHours(5)
    expect(await plan({ opens_at })).toMatchObject({
      folder_ids: [plans, budget],
      opens_at,
      invitation: null,
      planned_by: { id: world.alice.id },
      problem: null,
    })
    await pass(4.9)
    expect(await seen()).toEqual([404, 404])
    await pass(0.2)
    expect(await seen()).toEqual([200, 200])
    expect(await planned()).toBeNull()
    const messages = await room.messages()
    expect(messages).toContain('published the folder as planned: Plans')
    expect(messages).toContain('published the file: plan.txt')
    expect(messages).toContain(
      `planned to publish the folder Plans at ${opens_at.slice(0, 10)} ${opens_at.slice(11, 16)} UTC`,
    )
  })

  it('is carried out when a worker returns that was away at its time', async () => {
    await plan()
    await pass(500)
    expect(await seen()).toEqual([200, 200])
  })

  it('invites with the words of the planner', async () => {
    await takeMails(service)
    await plan({ invitation: { message: 'The plans are ready.' } })
    expect(await planned()).toMatchObject({ invitation: { message: 'The plans are ready.' } })
    expect(await takeMails(service)).toEqual([])
    await open(await scheduleId())
    const mails = await takeMails(service)
    expect(mails.map(({ to }) => to)).toEqual([world.bob.email])
    expect(mails[0]?.text).toContain('The plans are ready.')
  })

  it('is told with the list, to admins only', async () => {
    await plan()
    expect((await world.alice.call(drafts.list, { params: params() })).schedule).toEqual(await planned())
    for (const endpoint of [drafts.getSchedule, drafts.removeSchedule])
      expect(await world.bob.statusOf(endpoint, { params: params() })).toBe(403)
    const { events } = await world.bob.call(api.activities.list, { params: { workspace_id }, query: {} })
    expect(JSON.stringify(events)).not.toContain('planned')
  })

  it('is replaced by the next one, whose time alone counts', async () => {
    await plan({ opens_at: inHours(1) })
    const former = await scheduleId()
    await plan({ folder_ids: [budget], opens_at: inHours(10) })
    expect(await planned()).toMatchObject({ folder_ids: [budget] })
    await open(former)
    await pass(2)
    expect(await seen()).toEqual([404, 404])
    await pass(9)
    expect(await seen()).toEqual([404, 200])
    expect(await room.messages()).toContain('cancelled the plan to publish the folder: Plans')
  })

  it('is cancelled', async () => {
    await plan()
    const id = await scheduleId()
    await world.alice.call(drafts.removeSchedule, { params: params() })
    expect(await planned()).toBeNull()
    expect(await world.alice.statusOf(drafts.removeSchedule, { params: params() })).toBe(404)
    await open(id)
    expect(await seen()).toEqual([404, 404])
    const { rows } =
      await sql`select from jobs where kind = 'open_drafts' and payload ->> 'schedule_id' = ${`${id}`}`.execute(
        service.services.db,
      )
    expect(rows).toEqual([])
  })
})

describe('a plan is refused', () => {
  it.each([
    ['for a time that has passed', { opens_at: new Date(Date.now() - 60_000).toISOString() }, 'future_time'],
    ['for a time in two years', { opens_at: inHours(2 * 366 * 24) }, 'within_a_year'],
    ['for what is no time', { opens_at: 'tomorrow' }, 'iso_datetime'],
  ])('%s', async (_, planning, rule) => {
    const refused = await world.alice.refused(drafts.setSchedule, { params: params(), body: bodyOf(planning) })
    expect(refused).toMatchObject({ code: 422, details: [{ field: 'opens_at', rule }] })
    expect(await planned()).toBeNull()
  })

  it('for folders that are no drafts or none of this workspace, and then the former one stays', async () => {
    await plan({ folder_ids: [budget] })
    const others = await room.folder('Others')
    const refusedFor = (folder_ids: number[]) =>
      world.alice.statusOf(drafts.setSchedule, { params: params(), body: bodyOf({ folder_ids }) })
    expect(await refusedFor([plans, others])).toBe(409)
    expect(await refusedFor([plans, 999_999_999])).toBe(404)
    expect(await refusedFor([])).toBe(422)
    expect(await planned()).toMatchObject({ folder_ids: [budget] })
  })

  it('with an invitation, for a personal key that may not manage groups', async () => {
    await world.alice.call(api.workspaces.enableApiAccess, { params: params() })
    const key = await world.alice.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['folders:write'] } })
    const script = new Client(service.url, { key: key.public_key, secret: key.secret_key, token: key.user_token })
    const call = { params: params(), body: bodyOf({ invitation: {} }) }
    expect(await script.refused(drafts.setSchedule, call)).toMatchObject({ code: 403, reason: 'key_lacks_scope' })
    expect(await script.statusOf(drafts.setSchedule, { params: params(), body: bodyOf() })).toBe(200)
  })
})

describe('what changes before the time of a plan', () => {
  it('a draft that is published leaves the plan, and the last one takes it away', async () => {
    await plan()
    await publish([plans])
    expect(await planned()).toMatchObject({ folder_ids: [budget] })
    await world.alice.call(drafts.withdraw, { params: { id: plans }, body: { workspace_id } })
    await pass(6)
    expect(await seen()).toEqual([404, 200])

    await plan({ folder_ids: [plans] })
    await publish([plans])
    expect(await planned()).toBeNull()
  })

  it('a draft that is deleted is left out, and admins read of it', async () => {
    await plan()
    await world.alice.call(folders.remove, { params: { id: plans }, query: { workspace_id } })
    expect(await planned()).toMatchObject({ folder_ids: [budget] })
    await pass(6)
    expect(await seen()).toEqual([404, 200])
    expect(await room.messages()).toContain('could not publish the folder as planned: Plans')
    expect(await planned()).toBeNull()
  })

  it('with all drafts deleted, the plan stays with its reason', async () => {
    await plan({ folder_ids: [plans] })
    await world.alice.call(folders.remove, { params: { id: plans }, query: { workspace_id } })
    await pass(6)
    expect(await planned()).toMatchObject({ folder_ids: [], problem: 'no_draft_left' })
  })

  it('a planner who is no admin any more publishes nothing, and admins see why and plan again', async () => {
    const all = await world.alice.call(groups.list, { query: { workspace_id } })
    const admins = all.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
    await addMember(world.alice, workspace_id, admins, world.wendy)
    await plan({}, world.wendy)
    const query = { workspace_id, user_id: world.wendy.id }
    await world.alice.call(groups.removeMember, { params: { id: admins }, query })
    await pass(6)
    expect(await seen()).toEqual([404, 404])
    expect(await planned()).toMatchObject({ planned_by: { id: world.wendy.id }, problem: 'planner_no_admin' })
    // Wendy would read it among her own activities, with the names that drafts have by now.
    expect(countOf(await room.messages(), 'could not publish the folder as planned: Plans')).toBe(0)
    expect(await audited('could not publish the folder as planned: Plans')).toBe(1)
    await runJobs(service)
    expect(await plan()).toMatchObject({ planned_by: { id: world.alice.id }, problem: null })
    await pass(6)
    expect(await seen()).toEqual([200, 200])
  })

  it('the personal key that planned it ends, and with it the plan', async () => {
    await world.alice.call(api.workspaces.enableApiAccess, { params: params() })
    const key = await world.alice.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['folders:write'] } })
    const script = new Client(service.url, { key: key.public_key, secret: key.secret_key, token: key.user_token })
    await script.call(drafts.setSchedule, { params: params(), body: bodyOf() })
    await world.alice.call(api.apiKeys.update, { params: { id: key.id }, body: { revoked: true } })
    await pass(6)
    expect(await seen()).toEqual([404, 404])
    expect(await planned()).toMatchObject({ problem: 'key_ended' })
    await world.alice.call(drafts.removeSchedule, { params: params() })
    expect(await room.messages()).not.toContain('cancelled the plan to publish the folder: Plans')
  })

  it.each<[string, Planning, Scope[]]>([
    ['folders', {}, ['groups:write', 'folders:read']],
    ['groups, whose people it was to invite,', { invitation: {} }, ['folders:write', 'groups:read']],
  ])('K110: the personal key that planned it may not change %s any more', async (_, planning, scopes) => {
    await world.alice.call(api.workspaces.enableApiAccess, { params: params() })
    const body = { name: 'Script', scopes: ['folders:write', 'groups:write'] satisfies Scope[] }
    const key = await world.alice.call(api.apiKeys.create, { body })
    const script = new Client(service.url, { key: key.public_key, secret: key.secret_key, token: key.user_token })
    await script.call(drafts.setSchedule, { params: params(), body: bodyOf(planning) })
    await world.alice.call(api.apiKeys.update, { params: { id: key.id }, body: { scopes } })
    await takeMails(service)
    await open(await scheduleId())
    expect(await seen()).toEqual([404, 404])
    expect(await planned()).toMatchObject({ problem: 'key_ended' })
    expect(await takeMails(service)).toEqual([])
  })

  it('a plan that fails in every attempt keeps its reason', async () => {
    await plan()
    await giveUpOpening(service.services.db, await scheduleId())
    expect(await planned()).toMatchObject({ problem: 'failed' })
    expect(await seen()).toEqual([404, 404])
    // A parked job that an operator lets run again carries it out.
    await open(await scheduleId())
    expect(await seen()).toEqual([200, 200])
    expect(await planned()).toBeNull()
  })
})

describe('a plan that is carried out', () => {
  it('by two workers at once publishes once', async () => {
    await room.upload(world.alice, plans, 'plan.txt')
    await plan()
    const id = await scheduleId()
    await Promise.all([open(id), open(id), open(id)])
    expect(await seen()).toEqual([200, 200])
    const messages = await room.messages()
    expect(countOf(messages, 'published the folder as planned: Plans')).toBe(1)
    expect(countOf(messages, 'published the file: plan.txt')).toBe(1)
    expect(messages.some((each) => each.startsWith('could not'))).toBe(false)
  })

  it('while it is changed is either changed or done', async () => {
    await plan()
    const former = await scheduleId()
    const call = { params: params(), body: bodyOf({ opens_at: inHours(20) }) }
    const [, status] = await Promise.all([open(former), world.alice.statusOf(drafts.setSchedule, call)])
    if (status === 200) {
      expect(await seen()).toEqual([404, 404])
      expect(await planned()).toMatchObject({ problem: null })
    } else {
      expect([status, ...(await seen())]).toEqual([409, 200, 200])
      expect(await planned()).toBeNull()
    }
  })

  it('keeps what a draft above it hides', async () => {
    const inner = (await world.alice.call(drafts.create, { body: { workspace_id, parent_id: plans, name: 'Inner' } }))
      .id
    await plan({ folder_ids: [inner] })
    await pass(6)
    expect(await statusOf(inner)).toBe(404)
    const { id } = await room.upload(world.alice, inner, 'a.txt')
    expect(await world.bob.statusOf(files.get, { params: { id }, query: { workspace_id } })).toBe(404)
  })
})
