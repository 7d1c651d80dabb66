import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { verifyTrail } from '../audit/verify.ts'
import { chainAll } from '../store/audit/audit-chain.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
})
afterAll(() => service.close())

const linesOf = async (path: string, person: Person): Promise<string[]> =>
  (await (await person.fetch(path)).text()).trimEnd().split('\n')
const roomLines = () => linesOf(`/api/v1/workspaces/${room.workspace_id}/audit`, world.alice)
const organizationLines = () => linesOf('/api/v1/organization/audit', world.olivia)

const IP = '203.0.113.77'
let serial = 0

/** A user who joined, visited, changed their name and was refused something, all from one address. */
async function visitor(): Promise<Person> {
  const person = await createPerson(service, `zoe${++serial}`)
  await addMember(world.alice, room.workspace_id, room.group_id, person)
  const from = { headers: { 'x-forwarded-for': IP } }
  await person.fetch(`/api/v1/workspaces/${room.workspace_id}`, from)
  await person.fetch(`/api/v1/workspaces/${room.workspace_id}/audit`, from)
  await person.fetch('/api/v1/organization/audit', from)
  const body = JSON.stringify({ user: { last_name: `Mustermann${serial}` } })
  await person.fetch('/api/v1/users/me', { method: 'PUT', body, ...from })
  return person
}

const erase = (person: Person) =>
  world.olivia.call(api.users.remove, { query: { user: { id: person.id }, erase: true } })

describe('erasing a user', () => {
  it('I6: makes their personal data in the trails unreadable and keeps the chains valid', async () => {
    const person = await visitor()
    const earlier = { room: await verifyTrail(await roomLines()), all: await verifyTrail(await organizationLines()) }
    expect((await roomLines()).join('\n')).toContain(IP)
    expect(await erase(person)).toEqual({ status: 200, message: `The user ${person.id} was erased.` })

    const [lines, all] = [await roomLines(), await organizationLines()]
    await verifyTrail(lines, earlier.room)
    await verifyTrail(all, earlier.all)
    for (const personal of [person.email, `Zoe${serial}`, `Mustermann${serial}`, IP]) {
      expect([...lines, ...all].join('\n')).not.toContain(personal)
    }
  })

  it('keeps their acts under their user id and shows everything else as erased', async () => {
    const person = await visitor()
    await erase(person)
    const lines = await world.alice.call(api.audit.export, { params: { id: room.workspace_id } })
    const records = lines.flatMap((line) => (line.type === 'record' ? [line] : []))
    const theirs = records.filter(({ entry }) => entry.user_id === person.id).map(({ entry }) => entry)
    expect(theirs.map((entry) => [entry.user_name, entry.user_email, entry.ip, entry.message])).toEqual([
      ['erased', 'erased', 'erased', 'joined this Workspace'],
      ['erased', 'erased', 'erased', 'viewed this workspace'],
      ['erased', 'erased', 'erased', `was refused: GET /api/v1/workspaces/${room.workspace_id}/audit`],
      ['erased', 'erased', 'erased', 'changed their name'],
    ])
    const about = records.filter(({ personal }) => personal?.some(({ of }) => of === person.id))
    const others = about.filter(({ entry }) => entry.user_id !== person.id)
    expect(others.map(({ entry }) => [entry.user_name, entry.message])).toEqual([
      ['Alice Tester', 'added an erased user to group Bidders'],
      ['Alice Tester', 'added an erased user to this workspace'],
      [expect.any(String), 'removed an erased user from this workspace'],
    ])
  })

  it('blanks their changes to themselves and records the erasure', async () => {
    const person = await visitor()
    await erase(person)
    const lines = await world.olivia.call(api.audit.exportOrganization, {})
    const entries = lines.flatMap((line) => (line.type === 'record' ? [line.entry] : []))
    const own = entries.filter((entry) => entry.subject_type === 'User' && entry.subject_id === person.id)
    const blank = (...sides: string[]) => Object.fromEntries(sides.map((side) => [side, 'erased']))
    expect(own.map(({ message, changes }) => [message, changes?.['last_name']])).toEqual([
      ['created the user an erased user', blank('after')],
      ['updated their account', blank('before', 'after')],
      ['deleted the user an erased user', blank('before')],
      [`erased the personal data of user ${person.id}`, undefined],
    ])
  })

  it('I6: removes their name from the activities and the accounts', async () => {
    const person = await visitor()
    await erase(person)
    const { events } = await world.alice.call(api.activities.list, { params: { workspace_id: room.workspace_id } })
    expect(JSON.stringify(events)).not.toContain(`Zoe${serial}`)
    expect(events.find((event) => event.user_id === person.id)?.user_name).toBe('Erased user')
    const row = service.services.db.selectFrom('users').selectAll().where('id', '=', person.id)
    expect(await row.executeTakeFirst()).toMatchObject({
      email: `erased-${person.id}@erased.invalid`,
      first_name: 'Erased',
      last_name: 'user',
    })
  })

  it('removes their addresses from keys, downloads, sign-in codes and mails', async () => {
    const { db } = service.services
    const person = await visitor()
    const { id } = await person.call(api.apiKeys.create, { body: { name: 'Script of Zoe', scopes: ['files:read'] } })
    await world.olivia.call(api.signInCodes.create, { body: { email: person.email } })
    const download = { workspace_id: room.workspace_id, user_id: person.id, folder_ids: [], file_ids: [], ip: IP }
    await db
      .insertInto('downloads')
      .values({ ...download, expires_at: new Date(Date.now() + 60_000) })
      .execute()
    await erase(person)
    const key = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
    expect(key).toMatchObject({ name: 'erased', last_used_ip: null })
    const zips = await db.selectFrom('downloads').selectAll().where('user_id', '=', person.id).execute()
    expect(zips.map(({ ip, expires_at }) => [ip, new Date(expires_at) <= new Date()])).toEqual([['', true]])
    for (const table of ['sign_in_addresses', 'sign_in_codes'] as const) {
      expect(await db.selectFrom(table).select('email').where('email', '=', person.email).execute()).toEqual([])
    }
    expect(await db.selectFrom('sessions').selectAll().where('user_id', '=', person.id).execute()).toEqual([])
    expect(JSON.stringify(await db.selectFrom('jobs').selectAll().execute())).not.toContain(person.email)
  })

  it('I6: removes the addresses they asked for, and their own address where others asked for it', async () => {
    const { db } = service.services
    const [person, other] = [await visitor(), await visitor()]
    const kinds = ['mail', 'email_code', 'expert_mail']
    const asked = { workspace_id: 1, user_id: person.id, questions: [], reason: 'passed' }
    const refused = { kind: 'expert_mail', payload: JSON.stringify(asked), error: `550 <${person.email}> is unknown` }
    await db.insertInto('jobs').values(refused).execute()
    const wanted = [`first-wish${serial}@example.com`, `second-wish${serial}@example.com`]
    for (const email of wanted) await person.call(api.users.updateMe, { body: { user: { email } } })
    await other.call(api.users.updateMe, { body: { user: { email: person.email } } })
    const kept = async () =>
      JSON.stringify([
        await db.selectFrom('mail_budgets').selectAll().execute(),
        await db.selectFrom('jobs').select(['payload', 'error']).where('kind', 'in', kinds).execute(),
        await db.selectFrom('email_changes').selectAll().where('user_id', '=', person.id).execute(),
      ])
    for (const email of wanted) expect(await kept()).toContain(email.split('@')[0])
    expect(await kept()).toContain(`confirm to ${person.email}`)
    await other.call(api.users.cancelEmailChange, {})
    await db
      .deleteFrom('jobs')
      .where(sql<boolean>`payload->>'user_id' = ${String(other.id)}`)
      .execute()
    await db
      .deleteFrom('jobs')
      .where(sql<boolean>`payload->>'to' = ${other.email}`)
      .execute()
    await erase(person)
    for (const email of [...wanted, person.email]) expect(await kept()).not.toContain(email)
  })

  it('is possible after the deletion, and can be repeated', async () => {
    const person = await visitor()
    await world.olivia.call(api.users.remove, { query: { user: { id: person.id } } })
    expect((await roomLines()).join('\n')).toContain(person.email)
    await erase(person)
    await erase(person)
    expect((await roomLines()).join('\n')).not.toContain(person.email)
    const params = { query: { user: { id: 999_999 }, erase: true } }
    expect(await world.olivia.statusOf(api.users.remove, params)).toBe(404)
    expect(await world.alice.statusOf(api.users.remove, { query: { user: { id: person.id }, erase: true } })).toBe(403)
  })

  it('covers entries not yet chained and later ones', async () => {
    const { db, auditSigner: signer, vault, clock } = service.services
    const person = await visitor()
    await erase(person)
    await chainAll(db, { signer, vault }, clock)
    const rows = await db.selectFrom('audit_records').select(['entry', 'personal']).execute()
    const sealedOf = rows.flatMap(({ personal }) => JSON.parse(personal ?? '[]') as { of: number }[])
    expect(sealedOf.filter(({ of }) => of === person.id)).toEqual([])
    expect(JSON.stringify(rows)).not.toContain(person.email)
  })

  it('does not affect other users', async () => {
    await erase(await visitor())
    const text = (await roomLines()).join('\n')
    for (const known of ['Alice Tester', 'alice@example.com', 'added Bob Tester to group Bidders']) {
      expect(text).toContain(known)
    }
  })
})

describe('personal data in the trail', () => {
  it('is not readable in the database', async () => {
    await visitor()
    await roomLines()
    const { db } = service.services
    const rows = await db.selectFrom('audit_records').selectAll().execute()
    expect(rows.length).toBeGreaterThan(5)
    for (const personal of ['Alice Tester', 'alice@example.com', IP]) {
      expect(JSON.stringify(rows)).not.toContain(personal)
    }
    await organizationLines()
    expect(await db.selectFrom('audit_inbox').selectAll().execute()).toEqual([])
  })

  it('cannot be replaced by other words where it was erased', async () => {
    const person = await visitor()
    await erase(person)
    const lines = await roomLines()
    const shown = `"user_id":${person.id},"user_name":"erased"`
    const at = lines.findIndex((line) => line.includes(shown))
    const forged = lines.with(at, lines[at]?.replace(shown, `"user_id":${person.id},"user_name":"Mallory"`) ?? '')
    await expect(verifyTrail(forged)).rejects.toThrow('shows something where a person was erased.')
  })

  it('cannot be shown under another name than was recorded', async () => {
    const lines = await roomLines()
    const at = lines.findIndex((line) => line.includes('Alice Tester'))
    await expect(verifyTrail(lines.with(at, lines[at]?.replace('Alice Tester', 'Wendy Tester') ?? ''))).rejects.toThrow(
      'is not as it was written.',
    )
  })

  it('ends an export when it was tampered with', async () => {
    const { db, auditSigner: signer, vault, clock } = service.services
    const other = await createRoom(world)
    const path = `/api/v1/workspaces/${other.workspace_id}/audit`
    await linesOf(path, world.alice)
    await chainAll(db, { signer, vault }, clock)
    await sql`alter table audit_records disable trigger user`.execute(db)
    await sql`update audit_records set personal = replace(personal, '"sealed":"', '"sealed":"AAAA')
      where workspace_id = ${other.workspace_id}`.execute(db)
    await sql`alter table audit_records enable trigger user`.execute(db)
    const text = world.alice.fetch(path).then((response) => response.text())
    expect(await text.catch(() => 'broken off')).not.toContain('"type":"head"')
  })

  it('from before there were keys stays unchanged and verifies', async () => {
    const { db } = service.services
    const old = {
      user_id: 1,
      user_name: 'Ann',
      user_email: 'ann@example.com',
      personal_key_id: null,
      ip: '192.0.2.1',
      request_id: null,
      verb: 'viewed',
      message: 'viewed this workspace',
      subject_type: 'Workspace',
      subject_id: room.workspace_id,
      changes: null,
      refusal: null,
    }
    await db
      .insertInto('audit_inbox')
      .values({ workspace_id: room.workspace_id, entry: JSON.stringify(old) })
      .execute()
    const lines = await roomLines()
    await verifyTrail(lines)
    const line = lines.find((each) => each.includes('ann@example.com')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ type: 'record', entry: old })
    expect(line).not.toContain('"personal":')
  })
})
