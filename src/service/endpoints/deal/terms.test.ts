import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NO_DRAFT } from '../../../contract/endpoints/deal/terms-pdf.ts'
import { api } from '../../../contract/index.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { acceptTerms, issueTerms } from '../../testing/deal/terms.ts'
import { addMember, createPerson, createWorld, type World } from '../../testing/world.ts'

const { terms } = api

let service: TestService
let world: World
let room: Room
let params: { id: number }
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.setClock(undefined)
  room = await createRoom(world)
  params = { id: room.workspace_id }
})

const issue = (more = {}) => issueTerms(world.alice, room.workspace_id, more)
const accept = (id: number, typed?: string) => acceptTerms(world.bob, room.workspace_id, id, typed)
const mine = () => world.bob.call(terms.mine, { params })
const enters = async () => (await world.bob.statusOf(api.workspaces.home, { params })) === 200
const answers = () => world.alice.call(terms.listAnswers, { params })
const reasonOf = async (terms_id: number, body = {}) =>
  (
    await world.bob.refused(terms.accept, {
      params: { ...params, terms_id },
      body: { has_read: true, may_accept: true, ...body },
    })
  ).reason

describe('terms of a workspace', () => {
  it('bind nobody while they are a draft', async () => {
    const body = { title: 'Terms', text: 'Quiet.' }
    const draft = await world.alice.call(terms.saveDraft, { params, body })
    expect(draft).toMatchObject({ ...body, group_id: null, updated_by_id: world.alice.id })
    expect(draft.sha256).toBe(createHash('sha256').update('Quiet.').digest('hex'))
    expect(await enters()).toBe(true)
    expect((await mine()).terms).toEqual([])
  })

  it('are issued as the admin has read them, and never another draft', async () => {
    const body = { title: 'Terms', text: 'Quiet.' }
    const { sha256 } = await world.alice.call(terms.saveDraft, { params, body })
    await world.alice.call(terms.saveDraft, { params, body: { ...body, text: 'Loud.' } })
    const { reason } = await world.alice.refused(terms.issue, { params, body: { sha256 } })
    expect(reason).toBe('terms_draft_changed')
    expect((await world.alice.call(terms.getDraft, { params })).draft?.text).toBe('Loud.')
    await issue({ text: 'Loud.' })
    expect((await world.alice.call(terms.getDraft, { params })).draft).toBeNull()
  })

  it.each([
    ['title', { title: 'Other terms' }],
    ['switch for the typed name', { asks_name: true }],
  ])('are issued with the %s that the admin has read', async (_, change) => {
    const read = { title: 'Terms', asks_name: false }
    const { sha256 } = await world.alice.call(terms.saveDraft, { params, body: { ...read, text: 'Quiet.' } })
    await world.alice.call(terms.saveDraft, { params, body: { ...read, ...change, text: 'Quiet.' } })
    const { reason } = await world.alice.refused(terms.issue, { params, body: { ...read, sha256 } })
    expect(reason).toBe('terms_draft_changed')
    const issued = await world.alice.call(terms.issue, { params, body: { ...read, ...change, sha256 } })
    expect(issued).toMatchObject(change)
  })

  it.each([
    ['title', { title: 'Other terms' }],
    ['text', { text: 'Loud.' }],
    ['switch for the typed name', { asks_name: true }],
  ])('are not overwritten or discarded where another admin has changed the %s of the draft', async (_, change) => {
    const body = { title: 'Terms', text: 'Quiet.' }
    const { digest } = await world.alice.call(terms.saveDraft, { params, body: { ...body, digest: NO_DRAFT } })
    const other = await world.alice.call(terms.saveDraft, { params, body: { ...body, ...change, digest } })
    expect(other).toMatchObject(change)
    const mine = { ...body, title: 'Mine' }
    for (const stale of [digest, NO_DRAFT]) {
      const saved = await world.alice.refused(terms.saveDraft, { params, body: { ...mine, digest: stale } })
      const discarded = await world.alice.refused(terms.removeDraft, { params, query: { digest: stale } })
      expect([saved.reason, discarded.reason]).toEqual(['terms_draft_changed', 'terms_draft_changed'])
    }
    expect((await world.alice.call(terms.getDraft, { params })).draft).toEqual(other)
    await world.alice.call(terms.saveDraft, { params, body: { ...mine, digest: other.digest } })
    expect(await world.alice.statusOf(terms.removeDraft, { params })).toBe(204)
    expect(await world.alice.statusOf(terms.saveDraft, { params, body: { ...mine, digest } })).toBe(409)
    expect((await world.alice.call(terms.getDraft, { params })).draft).toBeNull()
  })

  it('are written by one of several admins who have read the same draft', async () => {
    const body = { title: 'Terms', text: 'Quiet.' }
    const { digest } = await world.alice.call(terms.saveDraft, { params, body })
    const texts = ['One.', 'Two.', 'Three.', 'Four.']
    const statuses = await Promise.all(
      texts.map((text) => world.alice.statusOf(terms.saveDraft, { params, body: { ...body, text, digest } })),
    )
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409])
    const { draft } = await world.alice.call(terms.getDraft, { params })
    expect(draft?.text).toBe(texts[statuses.indexOf(200)])
  })

  it('are accepted with version, hash, time, address and typed name, once', async () => {
    const terms_id = await issue({ asks_name: true })
    expect(await reasonOf(terms_id)).toBe('invalid_field')
    expect(await reasonOf(terms_id, { has_read: false, typed_name: 'Bob' })).toBe('invalid_value')
    expect(await reasonOf(terms_id, { may_accept: false, typed_name: 'Bob' })).toBe('invalid_value')
    expect(await enters()).toBe(false)
    const now = new Date(Date.now() - 60_000)
    service.setClock(now)
    const { await: awaits } = await accept(terms_id, ' Bob T. Tester ')
    service.setClock(undefined)
    expect([awaits, await enters()]).toEqual([false, true])
    const [answer, ...others] = await answers()
    expect(others).toEqual([])
    expect(answer).toMatchObject({
      terms_id,
      version: 1,
      answer: 'accepted',
      in_force: true,
      user_name: 'Bob Tester',
      email: world.bob.email,
      typed_name: 'Bob T. Tester',
      sha256: createHash('sha256').update('Keep it secret.').digest('hex'),
      answered_at: now.toISOString(),
    })
    expect(answer?.address).toMatch(/^(::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)$/)
    expect(await reasonOf(terms_id, { typed_name: 'Bob' })).toBe('terms_answered')
    expect((await room.messages())[0]).toBe('accepted "Confidentiality terms", version 1')
  })

  it('that are declined are recorded once, keep the reader out, and can be accepted later', async () => {
    const terms_id = await issue()
    const decline = () => world.bob.call(terms.decline, { params: { ...params, terms_id } })
    await decline()
    expect((await decline()).terms[0]?.declined_at).not.toBeNull()
    expect(await enters()).toBe(false)
    expect((await answers()).map(({ answer }) => answer)).toEqual(['declined'])
    await accept(terms_id)
    expect(await enters()).toBe(true)
    expect((await answers()).map(({ answer }) => answer)).toEqual(['accepted', 'declined'])
    const [version] = await world.alice.call(terms.listVersions, { params })
    expect(version).toMatchObject({ accepted: 1, declined: 0, in_force: true })
  })

  it('ask again with a new version, and show what was accepted before', async () => {
    const first = await issue()
    await accept(first)
    const second = await issue({ text: 'Keep it secret.\n\nTell nobody.' })
    expect(await enters()).toBe(false)
    expect((await mine()).terms).toMatchObject([
      { id: second, version: 2, former: { version: 1, text: 'Keep it secret.' } },
    ])
    expect(await reasonOf(first)).toBe('terms_changed')
    await accept(second)
    expect(await enters()).toBe(true)
    const list = await answers()
    expect(list.map(({ version, in_force }) => [version, in_force])).toEqual([
      [2, true],
      [1, false],
    ])
  })

  it('bind nobody once withdrawn, and no earlier version returns', async () => {
    await issue()
    const second = await issue({ text: 'Other.' })
    const withdraw = { params: { ...params, terms_id: second } }
    expect(await world.alice.call(terms.withdraw, withdraw)).toMatchObject({ in_force: false })
    expect(await enters()).toBe(true)
    expect((await world.alice.refused(terms.withdraw, withdraw)).reason).toBe('terms_changed')
    expect(await issue()).toBeGreaterThan(second)
    expect((await world.alice.call(terms.listVersions, { params })).map(({ version }) => version)).toEqual([3, 2, 1])
    expect(await enters()).toBe(false)
  })

  it('are asked again of a member who was removed and added', async () => {
    await accept(await issue())
    const member = { params: { id: room.group_id }, query: { workspace_id: params.id, user_id: world.bob.id } }
    await world.alice.call(api.groups.removeMember, member)
    await addMember(world.alice, params.id, room.group_id, world.bob)
    expect(await enters()).toBe(false)
    expect((await answers()).map(({ answer }) => answer)).toEqual(['awaited', 'accepted'])
    const own = await world.bob.call(terms.mine, { params })
    expect(own).toMatchObject({ await: true, terms: [{ accepted_at: null }] })
  })

  it('list whose answer is awaited', async () => {
    for (const name of ['dora', 'emil']) {
      await addMember(world.alice, params.id, room.group_id, await createPerson(service, name))
    }
    await accept(await issue())
    const list = await answers()
    expect(list.map(({ user_name, answer }) => [user_name, answer])).toEqual([
      ['Dora Tester', 'awaited'],
      ['Emil Tester', 'awaited'],
      ['Bob Tester', 'accepted'],
    ])
    expect(list[0]).toMatchObject({ answered_at: null, address: '', in_force: true })
  })
})

describe('at the same moment', () => {
  it('K80: two admins issue one draft once, and each other draft as a version of its own', async () => {
    const body = { title: 'Terms', text: 'Quiet.' }
    const { sha256 } = await world.alice.call(terms.saveDraft, { params, body })
    const issueIt = () => world.alice.statusOf(terms.issue, { params, body: { sha256 } })
    expect((await Promise.all([issueIt(), issueIt(), issueIt()])).toSorted()).toEqual([201, 409, 409])
    const groups = [await room.group('Lenders'), await room.group('Advisers'), room.group_id]
    await Promise.all(groups.map((group_id) => issue({ group_id })))
    const versions = await world.alice.call(terms.listVersions, { params })
    expect(versions.map(({ version, in_force }) => [version, in_force])).toEqual(versions.map(() => [1, true]))
    expect(versions).toHaveLength(4)
  })

  it('K80: who accepts a version while the next one is issued does not enter by it', async () => {
    for (let round = 0; round < 8; round++) {
      const first = await issue({ text: `Version ${round}` })
      const body = { title: 'Terms', text: `Newer than ${round}` }
      const { sha256 } = await world.alice.call(terms.saveDraft, { params, body })
      const accepting = { params: { ...params, terms_id: first }, body: { has_read: true, may_accept: true } }
      const [accepted, issued] = await Promise.all([
        world.bob.statusOf(terms.accept, accepting),
        world.alice.statusOf(terms.issue, { params, body: { sha256 } }),
      ])
      expect([201, 409]).toContain(accepted)
      expect([issued, await enters(), (await mine()).await]).toEqual([201, false, true])
      const recorded = (await answers()).filter(({ terms_id, answer }) => terms_id === first && answer === 'accepted')
      expect(recorded).toHaveLength(accepted === 201 ? 1 : 0)
    }
  })

  it('K80: who answers twice is recorded once', async () => {
    const terms_id = await issue()
    const call = { params: { ...params, terms_id }, body: { has_read: true, may_accept: true } }
    const statuses = await Promise.all(Array.from({ length: 4 }, () => world.bob.statusOf(terms.accept, call)))
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409])
    expect(await answers()).toHaveLength(1)
  })
})

describe('view as', () => {
  const foresee = (query: { group_id?: number; user_id?: number }) => world.alice.call(terms.foresee, { params, query })

  it('tells an admin what awaits a group and a person, and still shows what they would see', async () => {
    const folder = await room.folder('Finance')
    await room.grant(folder, 'view')
    const id = await issue()
    const [ofGroup, ofBob] = [{ group_id: room.group_id }, { user_id: world.bob.id }]
    const awaits = { await: true, terms: [{ id, title: 'Confidentiality terms', version: 1 }] }
    expect([await foresee(ofGroup), await foresee(ofBob)]).toEqual([awaits, awaits])
    for (const who of [ofGroup, ofBob]) {
      const query = { workspace_id: params.id, ...who }
      const { immediate_subfolders } = await world.alice.call(api.permissions.viewAs, { params: { id: 0 }, query })
      expect(immediate_subfolders.map(({ name }) => name)).toEqual(['Finance'])
    }
    await accept(id)
    expect(await foresee(ofBob)).toEqual({ ...awaits, await: false })
    const own = await issue({ group_id: room.group_id, title: 'Own' })
    expect((await foresee(ofGroup)).terms).toEqual([{ id: own, title: 'Own', version: 1 }])
    expect(await foresee({ user_id: world.alice.id })).toEqual({ await: false, terms: [] })
    expect(await world.alice.statusOf(terms.foresee, { params })).toBe(422)
  })
})

describe('the invitation', () => {
  it('K80: says in the mail and on its page that terms await, and nothing about the room', async () => {
    const address = 'frida@example.com'
    const mailOf = async () => {
      const jobs = await service.services.db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
      return jobs.map(({ payload }) => payload as { to: string; text: string }).findLast(({ to }) => to === address)
    }
    const body = { workspace_id: params.id, email: address }
    const { id } = await world.alice.call(api.groups.addMember, { params: { id: room.group_id }, body })
    expect((await mailOf())?.text).not.toContain('Terms await')
    const welcome = { description: 'Sale of the quay', expectation: 'Bids by May' }
    await world.alice.call(api.workspaces.updateWelcome, { params, body: { welcome } })
    const remind = () => world.alice.call(api.users.remind, { params: { id }, body: { workspace_id: params.id } })
    await remind()
    expect((await mailOf())?.text).toMatch(/Sale of the quay[^]*Bids by May/)
    await issue()
    await remind()
    expect((await mailOf())?.text).toContain('Terms await your answer')
    expect((await mailOf())?.text).not.toMatch(/Sale of the quay|Bids by May/)
  })
})

describe('terms of a group', () => {
  it('replace those of the workspace for its members', async () => {
    const ofRoom = await issue()
    const ofGroup = await issue({ group_id: room.group_id, title: 'Of bidders' })
    expect((await mine()).terms).toMatchObject([{ id: ofGroup, group_name: 'Bidders' }])
    expect(await reasonOf(ofRoom)).toBe('terms_changed')
    await accept(ofGroup)
    expect(await enters()).toBe(true)
    await world.alice.call(terms.withdraw, { params: { ...params, terms_id: ofGroup } })
    expect(await enters()).toBe(false)
  })

  it('are accepted for each group with terms of its own', async () => {
    const ofGroup = await issue({ group_id: room.group_id })
    await accept(ofGroup)
    const other = await issue({ group_id: await room.group('Lenders') })
    expect((await mine()).terms.map(({ id }) => id)).toEqual([other, ofGroup])
    expect(await enters()).toBe(false)
    await accept(other)
    expect(await enters()).toBe(true)
  })

  it('bind no member of other groups, and end with the access of the group', async () => {
    const dora = await createPerson(service, 'dora2')
    const { id } = await world.alice.call(api.groups.create, {
      body: { group: { name: 'Others', workspace_id: params.id } },
    })
    await addMember(world.alice, params.id, id, dora)
    await issue({ group_id: room.group_id })
    expect(await dora.statusOf(api.workspaces.home, { params })).toBe(200)
    expect(await enters()).toBe(false)
    const ended = sql`update groups set expire_workspace_access_at = '2020-01-01' where id = ${room.group_id}`
    await ended.execute(service.services.db)
    expect(await enters()).toBe(true)
  })

  it('are refused for built-in groups', async () => {
    const groups = await world.alice.call(api.groups.list, { query: { workspace_id: params.id } })
    for (const { id } of groups.filter(({ kind }) => kind !== 'custom')) {
      const body = { group_id: id, title: 'Terms', text: 'Quiet.' }
      expect(await world.alice.statusOf(terms.saveDraft, { params, body })).toBe(422)
    }
  })
})

describe('the record', () => {
  it('cannot be changed in the database', async () => {
    await issue()
    const { db } = service.services
    await expect(sql`update terms_versions set text = 'Other'`.execute(db)).rejects.toThrow('never changes')
    await expect(sql`delete from terms_versions`.execute(db)).rejects.toThrow('never changes')
  })

  it('loses name, address and typed name of an erased user', async () => {
    const dora = await createPerson(service, 'dora3')
    await addMember(world.alice, params.id, room.group_id, dora)
    await acceptTerms(dora, params.id, await issue(), 'Dora Real')
    await world.olivia.call(api.users.remove, { query: { user: { id: dora.id }, erase: true } })
    const [answer] = (await answers()).filter(({ user_id }) => user_id === dora.id)
    expect(answer).toMatchObject({
      user_name: 'Erased user',
      email: '',
      typed_name: '',
      address: '',
      answer: 'accepted',
    })
  })

  it('is walked in pieces: everybody is listed once', async () => {
    await issue()
    const { organization_id } = await service.services.db
      .selectFrom('workspaces')
      .select('organization_id')
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow()
    await sql`
      with joined as (
        insert into users (organization_id, email, token_hash, token_sealed)
        select ${organization_id}, gen_random_uuid() || '@example.com', gen_random_uuid()::text::bytea, ''
        from generate_series(1, 1200) returning id
      ), inside as (
        insert into workspace_memberships (workspace_id, user_id, organization_id)
        select ${params.id}::int, id, ${organization_id}::int from joined
      )
      insert into terms_answers (workspace_id, terms_id, user_id, accepted, answered_at, ip, user_name, email, company,
        typed_name)
      select ${params.id}::int, t.id, j.id, false, now(), '', '', '', '', '' from joined j, terms_versions t
      where t.workspace_id = ${params.id} and j.id % 2 = 0`.execute(service.services.db)
    const list = await answers()
    expect(list.filter(({ answer }) => answer === 'awaited')).toHaveLength(601)
    expect(new Set(list.map(({ user_id }) => user_id)).size).toBe(1201)
  })
})
