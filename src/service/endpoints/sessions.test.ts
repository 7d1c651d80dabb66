import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { requestOf } from '../../client/request.ts'
import { sweepSessions } from '../store/people/sessions.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
afterEach(() => service.setClock(undefined))

const { sessions } = api
type Session = Reply<typeof sessions.create>
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const begin = (person: Person) => person.call(sessions.create, { body: { method: 'code', user_agent: AGENT } })
const listOf = async (person: Person) => (await person.call(sessions.list, {})).sessions

/** Sends a request as the proxy does, with the session it came from. `after`: milliseconds from now. */
async function from<E extends AnyEndpoint>(person: Person, session: Session, endpoint: E, call: Call<E>, after = 0) {
  const now = Date.now() + after
  if (after > 0) service.setClock(new Date(now))
  const { path, init } = requestOf(endpoint, call)
  const headers = { ...(init.headers as Record<string, string>), 'x-api-session': String(session.id) }
  const response = await person.fetch(path, { ...init, headers }, now)
  service.setClock(undefined)
  return { status: response.status, body: (await response.json()) as Reply<E> }
}
const meStatus = async (person: Person, session: Session, after?: number) =>
  (await from(person, session, api.users.me, {}, after)).status

async function trailSince(before: number): Promise<{ verb: string; message: string }[]> {
  const lines = await world.olivia.call(api.audit.exportOrganization, {})
  const entries = lines.flatMap((line) => (line.type === 'record' ? [line.entry] : []))
  return entries.slice(before).filter(({ verb }) => verb.startsWith('signed'))
}
const trailLength = async () => {
  const lines = await world.olivia.call(api.audit.exportOrganization, {})
  return lines.filter(({ type }) => type === 'record').length
}

describe('a session', () => {
  it('shows the sign-in method, address and browser, and which session is the current one', async () => {
    const ada = await createPerson(service, 'ada')
    const [first, second] = [await begin(ada), await begin(ada)]
    const { body } = await from(ada, first, sessions.list, {})
    expect(body.sessions).toMatchObject([
      { id: first.id, method: 'code', ip: '127.0.0.1', user_agent: AGENT, current: true },
      { id: second.id, current: false },
    ])
  })

  it('that has ended is refused, even with a valid signature', async () => {
    const session = await begin(world.bob)
    expect(await meStatus(world.bob, session)).toBe(200)
    await world.bob.call(sessions.remove, { params: { id: session.id } })
    expect(await meStatus(world.bob, session)).toBe(401)
    expect(await world.bob.statusOf(api.users.me, {})).toBe(200)
  })

  it('of another user is refused', async () => {
    expect(await meStatus(world.alice, await begin(world.bob))).toBe(401)
  })

  it.each(['', '0', '-1', '1e3', 'x', '99999999999', '2147483648', '1, 2'])('named %j is refused', async (name) => {
    const response = await world.bob.fetch('/api/v1/users/me', { headers: { 'x-api-session': name } })
    expect(response.status).toBe(401)
  })

  it('ends twelve hours after it was last seen', async () => {
    const session = await begin(world.bob)
    expect(await meStatus(world.bob, session, 11 * HOUR)).toBe(200)
    const seen = new Date(Date.now() + 10 * HOUR).toISOString()
    const row = () =>
      service.services.db
        .selectFrom('sessions')
        .select('last_seen_at')
        .where('id', '=', session.id)
        .executeTakeFirstOrThrow()
    await expect.poll(async () => (await row()).last_seen_at > seen).toBe(true)
    expect(await meStatus(world.bob, session, 22 * HOUR)).toBe(200)
    expect(await meStatus(world.bob, session, 35 * HOUR)).toBe(401)
  })

  it('ends thirty days after the sign-in, and is swept', async () => {
    const session = await begin(world.bob)
    const { db } = service.services
    const later = new Date(Date.now() + 31 * 24 * HOUR)
    await db.updateTable('sessions').set({ last_seen_at: later }).where('id', '=', session.id).execute()
    expect(await meStatus(world.bob, session, 31 * 24 * HOUR)).toBe(401)
    await sweepSessions(db, later)
    const left = await db.selectFrom('sessions').select('id').where('id', '=', session.id).execute()
    expect(left).toEqual([])
  })

  it('is marked as seen once a minute', async () => {
    const ben = await createPerson(service, 'ben')
    const session = await begin(ben)
    const seenAt = async () => (await listOf(ben))[0]?.last_seen_at
    await meStatus(ben, session, 30_000)
    expect(await seenAt()).toBe(session.last_seen_at)
    await meStatus(ben, session, 2 * MINUTE)
    await expect.poll(seenAt).not.toBe(session.last_seen_at)
  })

  it('ends with its user', async () => {
    const cy = await createPerson(service, 'cy')
    const session = await begin(cy)
    await world.olivia.call(api.users.remove, { query: { user: { id: cy.id } } })
    const rows = await service.services.db.selectFrom('sessions').selectAll().where('id', '=', session.id).execute()
    expect(rows).toEqual([])
    expect(await meStatus(cy, session)).toBe(401)
  })

  it('is one of at most a hundred: the least recently seen is removed', async () => {
    const dan = await createPerson(service, 'dan')
    const first = await begin(dan)
    for (let n = 0; n < 100; n++) await begin(dan)
    const ids = (await listOf(dan)).map(({ id }) => id)
    expect(ids).toHaveLength(100)
    expect(ids).not.toContain(first.id)
  })
})

describe('signing out', () => {
  it('ends the expiring URLs that the session requested, and no others', async () => {
    const workspace_id = world.workspace_id
    const upload = { query: { workspace_id, folder_id: 0, file_name: 'plan.txt' } }
    const { id: file_id } = await world.alice.call(api.files.upload, upload, 'the plan')
    const [own, other] = [await begin(world.alice), await begin(world.alice)]
    const call = { params: { file_id }, query: { workspace_id } }
    const urlFrom = async (session: Session) => {
      const { body } = await from(world.alice, session, api.downloads.getFile, call)
      return service.url + new URL(body.expiring_url).pathname
    }
    const [ofOwn, ofOther] = [await urlFrom(own), await urlFrom(other)]
    expect([(await fetch(ofOwn)).status, (await fetch(ofOther)).status]).toEqual([200, 200])
    await world.alice.call(sessions.remove, { params: { id: own.id } })
    expect([(await fetch(ofOwn)).status, (await fetch(ofOther)).status]).toEqual([404, 200])
  })

  it('everywhere else keeps the current session', async () => {
    const eve = await createPerson(service, 'eve')
    const [own, other, third] = [await begin(eve), await begin(eve), await begin(eve)]
    const { body } = await from(eve, own, sessions.removeAll, {})
    expect(body).toEqual({ status: 200, message: '2 sessions have ended.' })
    expect([await meStatus(eve, own), await meStatus(eve, other), await meStatus(eve, third)]).toEqual([200, 401, 401])
  })

  it('everywhere ends all sessions of the user, and no others', async () => {
    const flo = await createPerson(service, 'flo')
    const [own, other, ofBob] = [await begin(flo), await begin(flo), await begin(world.bob)]
    await from(flo, own, sessions.removeAll, { query: { current: true } })
    expect([await meStatus(flo, own), await meStatus(flo, other)]).toEqual([401, 401])
    expect(await meStatus(world.bob, ofBob)).toBe(200)
  })

  it('of another user is answered like that of a missing session', async () => {
    const { id } = await begin(world.bob)
    const refusals = await Promise.all(
      [id, 2_000_000_000].map((each) => world.alice.refused(sessions.remove, { params: { id: each } })),
    )
    expect(refusals.map((each) => [each.code, each.message])).toEqual(
      refusals.map(() => [404, 'There is nothing here that you can see.']),
    )
    expect((await listOf(world.alice)).map((each) => each.id)).not.toContain(id)
  })

  it('is in the organization’s audit trail, like the sign-in', async () => {
    const gus = await createPerson(service, 'gus')
    const before = await trailLength()
    const [own, other] = [await begin(gus), await begin(gus)]
    await from(gus, own, sessions.remove, { params: { id: other.id } })
    await from(gus, own, sessions.removeAll, {})
    await from(gus, own, sessions.remove, { params: { id: own.id } })
    expect(await trailSince(before)).toMatchObject([
      { verb: 'signed_in', message: 'signed in with a code', subject_id: own.id, user_id: gus.id },
      { verb: 'signed_in', changes: { method: { after: 'code' }, user_agent: { after: AGENT } } },
      { verb: 'signed_out', message: 'signed out elsewhere', subject_id: other.id },
      { verb: 'signed_out', message: 'signed out', subject_id: own.id },
    ])
  })
})
