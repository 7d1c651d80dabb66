import fc from 'fast-check'
import { requestOf } from '../../../client/request.ts'
import type { AnyEndpoint, Reply, CallParts } from '../../../contract/endpoint.ts'
import type { Bytes } from '../client.ts'
import {
  fileOf,
  folderOf,
  isAdmin,
  isMember,
  isVisible,
  managesFiles,
  type Model,
  type ModelFile,
  type ModelFolder,
  rightsOf,
} from './model.ts'
import type { Run } from './run.ts'

export interface Answer<Body = unknown> {
  status: number
  /** The reply of a request that succeeded; a refused one has an error instead. */
  body: Body
}

/** One request of one person, and its effect according to the rules. */
export interface Operation {
  user: number
  endpoint: AnyEndpoint
  call: CallParts
  content?: Bytes
  /** Set if one request is not enough. */
  send?(run: Run): Promise<Answer>
  /**
   * Changes the model. `body` is the service's reply, for ids that only it knows; empty if it refused.
   * @returns what the reply must contain
   * @throws Refusal before anything is changed
   */
  apply(model: Model, body: unknown): object | void
}

/** A choice of the generator, which only a model turns into an operation. */
export interface Plan {
  /** Undefined if the model has no suitable object. */
  resolve(model: Model): Operation | undefined
}

export class Refusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

export function send(run: Run, operation: Operation): Promise<Answer> {
  return operation.send?.(run) ?? request(run, operation.user, operation.endpoint, operation.call, operation.content)
}

export async function request<E extends AnyEndpoint>(
  run: Run,
  user: number,
  endpoint: E,
  call: CallParts,
  content?: Bytes,
): Promise<Answer<Reply<E>>> {
  const { path, init } = requestOf(endpoint, call, content)
  const response = await run.clientOf(user).fetch(path, init, run.now())
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

/** The answer according to the rules; changes the model if they allow the operation. */
export function judge(model: Model, operation: Operation, { body }: Answer): { status: number; reply: object } {
  try {
    const reply = operation.apply(model, body) ?? {}
    return { status: operation.endpoint.success, reply }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { method } = operation.endpoint
    if (method !== 'GET' && operation.user > 0) model.refusals.push(`${operation.user} ${error.status}`)
    return { status: error.status, reply: {} }
  }
}

export function describe({ user, endpoint, call, content }: Operation): string {
  return `user ${user}: ${endpoint.method} ${endpoint.path} ${JSON.stringify(call)}${content === undefined ? '' : ` ${Buffer.from(content).toString('latin1').slice(0, 20)}`}`
}

// Checks, in the words of contract/README.md: an object the user may not see is 404; one they may see but not change is
// 403.

export function demand(condition: unknown, status: number): asserts condition {
  if (!condition) throw new Refusal(status)
}

export function enterWorkspace(model: Model, user: number): void {
  demand(isMember(model, user), 404)
}

export function administer(model: Model, user: number): void {
  enterWorkspace(model, user)
  demand(isAdmin(model, user), 403)
}

export function enterFolder(model: Model, user: number, id: number): ModelFolder {
  enterWorkspace(model, user)
  const folder = folderOf(model, id)
  demand(folder && (id === 0 || isVisible(model, user, folder)), 404)
  return folder
}

export function openForUpload(model: Model, user: number, id: number): ModelFolder {
  const folder = enterFolder(model, user, id)
  demand(rightsOf(model, user, folder).upload, 403)
  return folder
}

export function manageFolder(model: Model, user: number, id: number): ModelFolder {
  const folder = enterFolder(model, user, id)
  demand(isAdmin(model, user), 403)
  return folder
}

export function readFile(model: Model, user: number, id: number): { file: ModelFile; folder: ModelFolder } {
  enterWorkspace(model, user)
  const file = fileOf(model, id)
  const folder = file && folderOf(model, file.folder)
  demand(folder && rightsOf(model, user, folder).view, 404)
  return { file, folder }
}

export function manageFile(model: Model, user: number, id: number): { file: ModelFile; folder: ModelFolder } {
  const found = readFile(model, user, id)
  demand(managesFiles(model, user, found.folder), 403)
  return found
}

// Choices

/** Often a small number, so that several people choose the same object. */
export const place = fc.oneof(fc.nat(999), fc.nat(29))

export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]

/** Mostly a workspace admin, because most acts of other users are refused. */
export const someone = fc.record({ admin: fc.constantFrom(true, true, false), at: place })
export type Someone = typeof someone extends fc.Arbitrary<infer S> ? S : never
/** Mostly not restricted to admins. */
export const anyone = fc.record({ admin: fc.constantFrom(true, false, false, false), at: place })

export function userOf(model: Model, { admin, at }: Someone): number {
  const wanted = model.people.filter(({ id }) => !admin || isAdmin(model, id))
  return pick(wanted, at)?.id ?? 0
}

/** Mostly a live folder, sometimes one in the trash. With `root` false, rarely the root. */
export function pickFolder(model: Model, at: number, { root = true } = {}): number {
  const { focus } = model
  const all = Object.values(model.folders).filter(({ id }) =>
    focus ? focus.folders.includes(id) : id > 0 || (id === 0 && (root || at % 10 === 8)),
  )
  const live = all.filter(({ deletion }) => deletion === undefined)
  const ids = (at % 10 === 9 ? all : live).map(({ id }) => id)
  return pick(ids, Math.floor(at / 10)) ?? 0
}

export function pickFile(model: Model, at: number): number | undefined {
  const { focus } = model
  const all = Object.values(model.files).filter(({ id }) => (focus ? focus.files.includes(id) : id > 0))
  const live = all.filter(({ deletion }) => deletion === undefined)
  return pick(at % 10 === 9 || live.length === 0 ? all : live, Math.floor(at / 10))?.id
}

export function plan<T>(
  name: string,
  choices: fc.Arbitrary<T>,
  resolve: (model: Model, choice: T) => Operation | undefined,
): fc.Arbitrary<Plan> {
  return choices.map((choice) => ({
    resolve: (model: Model) => resolve(model, choice),
    toString: () => `${name} ${JSON.stringify(choice)}`,
  }))
}
