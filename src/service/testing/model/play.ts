import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { verifyTrail } from '../../audit/verify.ts'
import { api } from '../../../contract/index.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { askedOf, bindIds, expected, observe, readTree } from './check.ts'
import { copyPlans } from './copy-operations.ts'
import { filePlans } from './file-operations.ts'
import { folderPlans } from './folder-operations.ts'
import { groupPlans } from './group-operations.ts'
import { fileOf, folderOf, groupOf, isMember, type Model, type ModelAct, protectionsOf, rightsOf } from './model.ts'
import { type Answer, describe, judge, type Operation, pick, type Plan, send } from './operations.ts'
import type { Run } from './run.ts'

/** Counts for the report of a campaign. */
export const tally = { runs: 0, done: 0, refused: 0, looks: 0, races: 0, raced: 0, kinds: new Map<string, number>() }

function count(operation: Operation, { status }: Answer): void {
  tally[status < 300 ? 'done' : 'refused'] += 1
  const kind = `${operation.endpoint.method} ${operation.endpoint.path} ${status}`
  tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1)
}

export type Command = fc.AsyncCommand<Model, Run>

const adminOf = (model: Model) => groupOf(model, 'workspace_admins').members[0] ?? 0

/** Runs one operation; its answer must be that of the rules. */
class Step implements Command {
  readonly plan: Plan

  constructor(plan: Plan) {
    this.plan = plan
  }

  check = (model: Readonly<Model>) => this.plan.resolve(model as Model) !== undefined

  async run(model: Model, run: Run): Promise<void> {
    const operation = this.plan.resolve(model)
    if (!operation) return
    const answer = await send(run, operation)
    count(operation, answer)
    const { status, reply } = judge(model, operation, answer)
    compareAnswer(operation, answer, { status, body: reply })
    if (!hasUnknownIds(model)) return
    if (!bindIds(model, await readTree(run, adminOf(model)))) throw new Error('what was copied has another shape')
  }

  toString = () => String(this.plan)
}

const hasUnknownIds = (model: Model) =>
  [...Object.keys(model.folders), ...Object.keys(model.files)].some((id) => Number(id) < 0)

/** Runs several operations at once; the outcome must be that of some order of them. */
class Race implements Command {
  readonly plans: readonly Plan[]
  /** Narrows the choice to two folders and one file, so that the operations collide. */
  readonly at: number | undefined

  constructor(plans: readonly Plan[], at: number | undefined) {
    this.plans = plans
    this.at = at
  }

  check = (model: Readonly<Model>) => this.resolve(model as Model).length > 0

  private resolve(model: Model): Operation[] {
    const narrowed = this.at === undefined ? model : { ...model, focus: focusAt(model, this.at) }
    return this.plans.flatMap((plan) => plan.resolve(narrowed) ?? [])
  }

  async run(model: Model, run: Run): Promise<void> {
    const operations = this.resolve(model)
    const answers = await Promise.all(operations.map((operation) => send(run, operation)))
    const raced = operations.map((operation, at) => ({ operation, answer: answers[at] as Answer }))
    for (const { operation, answer } of raced) count(operation, answer)
    tally.races += 1
    tally.raced += raced.length

    const { body: root } = await run.asAdmin(api.groups.list, { query: { workspace_id: run.workspace_id } })
    const groups = (root as Reply<typeof api.groups.list>).map(({ id }) => id)
    const { body: members } = await run.asAdmin(api.workspaces.listMembers, { params: { id: run.workspace_id } })
    const admins = (members as Reply<typeof api.workspaces.listMembers>).filter(({ admin }) => admin)
    const admin = admins[0]?.user.id ?? 0
    const tree = await readTree(run, admin)
    const known = askedOf(model)
    const asked = { ...known, admin, groups: [...new Set([...known.groups, ...groups])] }
    const seen = await observe(run, asked)
    tally.looks += 1

    const orders = findOrders(model, raced)
    const told = seen[`${admin} activities`] as string[]
    const fitting = orders.find((after) => {
      takeOverNames(after, model.acts.length, told)
      return bindIds(after, tree) && isDeepStrictEqual(expected(after, asked), seen)
    })
    const what = raced.map(({ operation, answer }) => `${answer.status} ${describe(operation)}`)
    if (!fitting && orders[0]) compareSeen({ what, seen }, { what, seen: expected(orders[0], asked) })
    if (!fitting) throw new Error(`no order gives these answers:\n${what.join('\n')}`)
    Object.assign(model, fitting)
  }

  toString = () => `at once at ${this.at ?? 'any place'} (${this.plans.map(String).join(' | ')})`
}

/**
 * An activity uses the names from when its act began to wait for another: `renamed the file "a" to "c"`, though it was
 * "b" by then. The model takes over the service's sentence if only names differ.
 */
function takeOverNames(after: Model, from: number, told: readonly string[]): void {
  const left = [...told]
  const take = (isWanted: (sentence: string) => boolean) => {
    const at = left.findIndex(isWanted)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const sentenceOf = (act: ModelAct) => `${act.user} ${act.message}`
  const unsaid = after.acts.filter((act, at) => !take((one) => one === sentenceOf(act)) && at >= from)
  for (const act of unsaid) {
    const found = take((one) => withoutNames(one) === withoutNames(sentenceOf(act)))
    if (found !== undefined) act.message = found.slice(`${act.user} `.length)
  }
}

const withoutNames = (sentence: string) =>
  sentence.replaceAll(/"[^"]*"/g, '""').replace(/(file|folder|group): .*/, '$1: …')

function focusAt(model: Model, at: number): Model['focus'] {
  const folders = Object.values(model.folders).filter(({ deletion, id }) => deletion === undefined && id !== 0)
  const idOf = (one: { id: number } | undefined) => one?.id ?? 0
  return {
    folders: [idOf(pick(folders, at)), idOf(pick(folders, at * 7 + 1))],
    files: [idOf(pick(Object.values(model.files), at))],
  }
}

function compareAnswer(operation: Operation, { status, body }: Answer, wanted: Answer): void {
  expect({ operation: describe(operation), status, body }).toMatchObject(wanted)
}

/** Reports that no order fits, by comparing with the outcome of one order. */
function compareSeen(seen: object, wanted: object): void {
  expect(seen, 'no order of the operations brings this about').toEqual(wanted)
}

type Raced = { operation: Operation; answer: Answer }

/** The models after each order of the operations that gives every operation its actual status. */
function findOrders(model: Model, raced: readonly Raced[]): Model[] {
  if (raced.length === 0) return [model]
  return raced.flatMap((each, at) => {
    const after = structuredClone(model)
    const { status } = judge(after, each.operation, each.answer)
    return status === each.answer.status ? findOrders(after, raced.toSpliced(at, 1)) : []
  })
}

class NextDay implements Command {
  check = () => true

  async run(model: Model, run: Run): Promise<void> {
    model.today = new Date(Date.parse(model.today) + 86_400_000).toISOString().slice(0, 10)
    run.setToday(model.today)
    // Expiring URLs live for 15 minutes.
    run.urls = []
  }

  toString = () => 'a day passes'
}

class Look implements Command {
  check = () => true
  run = compare
  toString = () => 'everybody looks'
}

/** Compares everything that all people see, and the status of every expiring URL so far. */
export async function compare(model: Model, run: Run): Promise<void> {
  tally.looks += 1
  const asked = askedOf(model)
  expect(await observe(run, asked)).toEqual(expected(model, asked))
  for (const { user, file_id, marked, url } of run.urls) {
    const { status } = await fetch(run.service.url + new URL(url).pathname, { method: 'HEAD' })
    expect({ user, file_id, marked, status }).toEqual({
      user,
      file_id,
      marked,
      status: mayFetch(model, user, file_id, marked) ? 200 : 404,
    })
  }
}

function mayFetch(model: Model, user: number, fileId: number, marked: boolean): boolean {
  const file = fileOf(model, fileId)
  const folder = file && folderOf(model, file.folder)
  if (!folder || !isMember(model, user) || !rightsOf(model, user, folder).download) return false
  const { drm, watermark } = protectionsOf(model, user, folder)
  return !drm && (marked || !watermark)
}

/** I3: the chain verifies and has each act and each refused attempt once. */
export async function compareAudit(model: Model, run: Run): Promise<void> {
  const admin = run.clientOf(adminOf(model))
  const response = await admin.fetch(`/api/v1/workspaces/${run.workspace_id}/audit`, {}, run.now())
  const lines = (await response.text()).trimEnd().split('\n')
  await verifyTrail(lines)
  const entries = lines
    .map((line) => JSON.parse(line) as Reply<typeof api.audit.export>[number])
    .flatMap((line) => (line.type === 'record' ? [line.entry] : []))
  const acts = entries.filter(({ refusal }) => !refusal).map((entry) => `${entry.user_id} ${entry.message}`)
  const known = model.acts.map((act) => `${act.user} ${act.message}`)
  const plain = (sentences: string[]) => sentences.filter(isCompared).map(withoutNames).toSorted()
  expect(plain(acts)).toEqual(plain(known))
  const refused = entries.flatMap(({ user_id, refusal }) => {
    if (!refusal || refusal.method === 'GET' || refusal.path.includes('/info/batch')) return []
    return [`${user_id} ${refusal.status}`]
  })
  expect(refused.toSorted()).toEqual(model.refusals.toSorted())
}

/**
 * Leaves out rights, whose sentences follow from the changes, and begun uploads, because an upload that lost its race
 * began too.
 */
const isCompared = (message: string) =>
  !/^\d+ ((granted|revoked) (view|download|upload) access to |began to upload |exported the audit trail)/.test(message)

const plans = [...folderPlans, ...filePlans, ...groupPlans, ...copyPlans] as {
  arbitrary: fc.Arbitrary<Plan>
  weight: number
  alone?: boolean
}[]
const anyPlan = fc.oneof(...plans)
const racingPlan = fc.oneof(...plans.filter(({ alone }) => !alone))

/** Operations one after another. */
export const steps = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: anyPlan.map((plan): Command => new Step(plan)) },
    { weight: 1, arbitrary: fc.constant<Command>(new NextDay()) },
    { weight: 3, arbitrary: fc.constant<Command>(new Look()) },
  ),
  { minLength: 40, maxLength: 70 },
)

/** Operations, some of them at once. */
export const races = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: anyPlan.map((plan): Command => new Step(plan)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.array(racingPlan, { minLength: 2, maxLength: 4 }), fc.option(fc.nat(99), { nil: undefined, freq: 3 }))
        .map(([some, at]): Command => new Race(some, at)),
    },
  ),
  { minLength: 25, maxLength: 40 },
)
