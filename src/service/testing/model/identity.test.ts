import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestOf } from '../../../client/request.ts'
import type { AnyEndpoint, Reply, CallParts } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { hashOfCode } from '../../store/people/email-changes.ts'
import type { Client } from '../client.ts'
import { takeMails } from '../jobs.ts'
import { startTestService, type TestService } from '../start-service.ts'
import { createWorld, type World } from '../world.ts'
import { type Act, faultsOf, holderOf, type IdentityModel, judge, type Outcome, pendingOf } from './identity-model.ts'

// Several people concurrently request, prove, lose and are invited to addresses through HTTP, compared with a model. A
// short run with a fixed seed is part of `npm test`; `npm run test:model -- --runs 200 --seed 7` runs longer.

const { MODEL_RUNS: runs, MODEL_SEED: seed, MODEL_PATH: path, MODEL_ONLY: only } = process.env
const MINUTE = 60_000

type Speaker = Pick<Client, 'fetch'>

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

/** A choice of the generator, which only a model turns into an act. */
type Choice =
  | { what: 'ask' | 'confirm' | 'resend' | 'cancel' | 'sign in' | 'invite' | 'create'; who: number; which: number }
  | { what: 'deliver' }
  | { what: 'wait'; minutes: number }

const act = fc.record({
  what: fc.constantFrom(
    ...([
      'ask',
      'ask',
      'ask',
      'confirm',
      'confirm',
      'confirm',
      'resend',
      'cancel',
      'sign in',
      'invite',
      'create',
    ] as const),
  ),
  who: fc.nat(99),
  which: fc.nat(99),
})
const commands = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.tuple(act) },
    { weight: 4, arbitrary: fc.array(act, { minLength: 2, maxLength: 4 }) },
    { weight: 4, arbitrary: fc.constant<Choice[]>([{ what: 'deliver' }]) },
    { weight: 1, arbitrary: fc.constantFrom(11, 25 * 60).map((minutes): Choice[] => [{ what: 'wait', minutes }]) },
  ),
  { minLength: 30, maxLength: 50 },
)

let serial = 0

/** Starts a run with a new set of people, unknown to those of other runs. */
async function startRun() {
  const run = ++serial
  const people = new Map<number, Speaker>()
  const model: IdentityModel = { now: Date.now(), accounts: [] }
  const addresses = ['one', 'two', 'three'].map((name) => `${name}-${run}@example.com`)

  async function learn(id: number): Promise<void> {
    if (people.has(id)) return
    const { body } = await request(world.olivia, api.organization.listMembers, {})
    const { memberships } = body as unknown as Reply<typeof api.organization.listMembers>
    const found = memberships.find((each) => each.id === id)
    if (found) people.set(id, service.as(found))
  }

  async function request(person: Speaker, endpoint: AnyEndpoint, call: CallParts) {
    const { path: to, init } = requestOf(endpoint, call)
    const response = await person.fetch(to, init, model.now)
    return { status: response.status, body: JSON.parse(await response.text()) as { id: number } }
  }

  const personOf = (user: number) => {
    const person = people.get(user)
    if (!person) throw new Error(`nobody speaks for user ${user}`)
    return person
  }

  async function send(chosen: Act): Promise<Outcome> {
    switch (chosen.kind) {
      case 'ask':
        return outcome(personOf(chosen.user), api.users.updateMe, { body: { user: { email: chosen.email } } })
      case 'resend':
        return outcome(personOf(chosen.user), api.users.resendEmailCode, {})
      case 'cancel':
        return outcome(personOf(chosen.user), api.users.cancelEmailChange, {})
      case 'confirm':
        return outcome(personOf(chosen.user), api.users.confirmEmail, { body: { code: chosen.code } })
      case 'sign in':
        return signIn(chosen.user)
      case 'invite': {
        const body = { workspace_id: world.workspace_id, email: chosen.email }
        return made(world.alice, api.groups.addMember, { params: { id: world.group_id }, body })
      }
      case 'create': {
        const user = { email: chosen.email, first_name: '', last_name: '' }
        return made(world.olivia, api.users.create, { body: { user } })
      }
    }
  }

  const outcome = async (person: Speaker, endpoint: AnyEndpoint, call: CallParts) => {
    const { status } = await request(person, endpoint, call)
    return { status }
  }

  async function made(person: Speaker, endpoint: AnyEndpoint, call: CallParts): Promise<Outcome> {
    const { status, body } = await request(person, endpoint, call)
    return status === 201 ? { status, id: body.id } : { status }
  }

  /** Signs in as the proxy does, with the current address of the account. */
  async function signIn(user: number): Promise<Outcome> {
    const account = model.accounts.find(({ id }) => id === user)
    const { admin } = service
    const code = await request(admin, api.signInCodes.create, { body: { email: account?.email } })
    const body = { email: account?.email, code: (code.body as unknown as { code: string }).code }
    await request(admin, api.signInCodes.redeem, { body })
    return outcome(personOf(user), api.users.signIn, {})
  }

  /** Sends the due mails, and gives the model's accounts the codes in them. */
  async function deliver(): Promise<void> {
    const mails = await takeMails(service)
    const { rows } = await sql<{ organization_id: number; user_id: number; email: string; code_hash: Buffer | null }>`
      select organization_id, user_id, email, code_hash from email_changes`.execute(service.services.db)
    for (const { to, text } of mails) {
      const digits = /^ {4}(\d{6})$/m.exec(text)?.[1]
      if (digits === undefined) continue
      const owner = rows.find(
        ({ email, code_hash, ...row }) =>
          email === to && code_hash && hashOfCode(service.services.vault, { ...row, email }, digits).equals(code_hash),
      )
      const account = model.accounts.find(({ id }) => id === owner?.user_id)
      // A code that a later mail replaced has no owner.
      if (!account?.pending) continue
      expect(holderOf(model, to), 'an address in use gets no code').toBeUndefined()
      account.pending.code = { digits, at: model.now, attempts: 0 }
    }
  }

  function resolve({ what, who, which }: Extract<Choice, { who: number }>): Act {
    const account = model.accounts[who % model.accounts.length]!
    const [user, all] = [account.id, [...addresses, ...model.accounts.map(({ email }) => email)]]
    const plain = all[which % all.length]!
    const email = which % 5 === 0 ? plain.toUpperCase() : plain
    if (what === 'ask') return { kind: 'ask', user, email }
    if (what === 'invite' || what === 'create') return { kind: what, email }
    if (what !== 'confirm') return { kind: what, user }
    const codes = model.accounts.flatMap(({ pending }) => pending?.code?.digits ?? [])
    const code = which % 3 === 0 ? codes[who % codes.length] : account.pending?.code?.digits
    return { kind: 'confirm', user, code: code ?? '000000' }
  }

  /** Sends the acts concurrently. The outcome must be that of some order of them. */
  async function race(acts: Act[]): Promise<void> {
    await service.services.db.deleteFrom('mail_budgets').execute()
    const outcomes = await Promise.all(acts.map(send))
    for (const { id } of outcomes) if (id !== undefined) await learn(id)
    const orders = ordersOf(
      structuredClone(model),
      acts.map((each, at) => [each, outcomes[at]!] as const),
    )
    const seen = await observe()
    const fitting = orders.find((each) => JSON.stringify(expectedOf(each)) === JSON.stringify(seen))
    if (!fitting) {
      const wanted = orders[0] ? expectedOf(orders[0]) : 'an order of these outcomes'
      expect({ acts, outcomes, before: model.accounts, seen }).toMatchObject({ seen: wanted })
      return
    }
    Object.assign(model, fitting)
    expect(faultsOf(model)).toEqual([])
  }

  async function observe() {
    const call = { params: { id: world.group_id }, query: { workspace_id: world.workspace_id } }
    const { body } = await request(world.alice, api.groups.listMembers, call)
    const members = body as unknown as Reply<typeof api.groups.listMembers>
    const seen = [...people].map(async ([id, person]) => {
      const me = (await request(person, api.users.me, {})).body as Reply<typeof api.users.me>
      const { email, pending_email, status } = me
      return {
        id,
        email,
        pending_email,
        status,
        member: members.some((each) => each.id === id && each.email === email),
      }
    })
    return (await Promise.all(seen)).toSorted((a, b) => a.id - b.id)
  }

  for (const name of ['ann', 'ben', 'cleo', 'dora']) {
    const outcome = await made(world.olivia, api.users.create, {
      body: { user: { email: `${name}-${run}@example.com`, first_name: '', last_name: '' } },
    })
    judge(model, { kind: 'create', email: `${name}-${run}@example.com` }, outcome.id)
    await learn(outcome.id ?? 0)
  }
  await deliver()
  return { model, race, resolve, deliver }
}

/** Keeps a sign-in only if it is alone: it takes several requests, and the address must not change meanwhile. */
const alone = (choices: Choice[]) => choices.filter(({ what }) => what !== 'sign in' || choices.length === 1)

const expectedOf = (model: IdentityModel) =>
  model.accounts
    .map((account) => ({
      id: account.id,
      email: account.email,
      pending_email: pendingOf(model, account)?.email ?? null,
      status: account.active ? 'active' : 'invited',
      member: account.member,
    }))
    .toSorted((a, b) => a.id - b.id)

/** The models after each order of the acts that gives every act its actual outcome. */
function ordersOf(model: IdentityModel, raced: (readonly [Act, Outcome])[]): IdentityModel[] {
  if (raced.length === 0) return [model]
  return raced.flatMap(([chosen, { status, id }], at) => {
    const after = structuredClone(model)
    const fits =
      JSON.stringify(judge(after, chosen, id)) === JSON.stringify({ status, ...(id !== undefined && { id }) })
    return fits ? ordersOf(after, raced.toSpliced(at, 1)) : []
  })
}

let done = 0

test.skipIf(only !== undefined && only !== 'identity')(
  'K4: an address belongs to one account at most, to the one that proved it, and invitations land there',
  async () => {
    const property = fc.asyncProperty(commands, async (chosen) => {
      service.setClock(undefined)
      const { model, race, resolve, deliver } = await startRun()
      for (const choices of chosen) {
        model.now += 1000
        service.setClock(new Date(model.now))
        const [first] = choices
        if (first?.what === 'wait') model.now += first.minutes * MINUTE
        else if (first?.what === 'deliver') await deliver()
        else await race(alone(choices).map((each) => resolve(each as Extract<Choice, { who: number }>)))
        done += choices.length
      }
      service.setClock(undefined)
      await takeMails(service)
    })
    const details = await fc.check(property, {
      numRuns: Number(runs ?? 2),
      seed: Number(seed ?? 1),
      ...(path !== undefined && { path }),
      endOnFailure: process.env['MODEL_SHRINK'] === undefined,
    })
    if (details.failed) {
      const replay = `npm run test:model -- --only identity --seed ${details.seed} --path ${details.counterexamplePath}`
      throw new Error(`Replay: ${replay}`, { cause: details.errorInstance })
    }
    expect(done).toBeGreaterThan(0)
  },
  3_600_000,
)
