import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { exchange, type Send } from '../../client/exchange.ts'
import { ApiFailure } from '../../client/failure.ts'
import { sign } from '../../signing/signature.ts'
import type { Product } from './stack.ts'

/** A call may take this long while something is broken. */
const PATIENCE_MS = 20_000

export interface Person {
  email: string
  id: number
  token: string
  /** Cookie of a person who uses the proxy, as browsers do; without it, the person signs requests directly. */
  cookie?: string
}

/** Whether the service refused the call, so that nothing happened. After any other error the outcome is unknown. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiFailure && error.code < 500

export interface Answer<E extends AnyEndpoint> {
  reply: Reply<E>
  requestId: string | undefined
}

export async function call<E extends AnyEndpoint>(
  stack: Product,
  person: Person,
  endpoint: E,
  parts: Call<E>,
  content?: Uint8Array<ArrayBuffer>,
): Promise<Answer<E>> {
  const send: Send = ({ path, init }) =>
    fetch((person.cookie ? stack.url : stack.apiUrl) + path, {
      ...init,
      headers: { ...init.headers, ...credentialsOf(stack, person) },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  const begun = performance.now()
  try {
    const { reply, headers } = await exchange(send, endpoint, parts, content)
    stack.observe?.(performance.now() - begun)
    return { reply, requestId: headers.get('x-request-id') ?? undefined }
  } catch (error) {
    stack.noteFailure?.(error)
    throw error
  }
}

function credentialsOf(stack: Product, person: Person): Record<string, string> {
  return person.cookie ? { cookie: person.cookie, 'sec-fetch-site': 'same-origin' } : signedAs(stack, person)
}

/** Returns the headers of a request that the person signs directly. */
export function signedAs({ credentials }: Product, { token }: Person): Record<string, string> {
  const { apiKey: key, apiSecret: secret } = credentials
  return { ...sign({ key, secret, token }, Math.floor(Date.now() / 1000) + 60) }
}

/**
 * Signs in with the mailed code.
 * @param address the person's apparent address, sent by a trusted proxy: sign-ins from one address are limited
 */
export async function signIn(stack: Product, person: Person, address: string): Promise<Person> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address }
  const post = (path: string, body: unknown, cookie = '') =>
    fetch(stack.url + path, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(body) })
  const asked = await post('/auth/code', { email: person.email })
  const code = await codeFor(stack, person.email)
  const response = await post('/auth/sign-in', { email: person.email, code }, cookieOf(asked))
  if (!response.ok) throw new Error(`${person.email} could not sign in: ${await response.text()}`)
  return { ...person, cookie: cookieOf(response) }
}

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')

async function codeFor({ dataDir }: Product, email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    const names = await readdir(outbox).catch(() => [])
    for (const name of names.filter((each) => each.endsWith('.eml'))) {
      const mail = await readFile(join(outbox, name), 'utf8')
      const code = mail.includes(`To: ${email}`) ? /^ {4}(\d{6})$/m.exec(mail)?.[1] : undefined
      if (code) return code
    }
    await sleep(100)
  }
  throw new Error(`no code came for ${email}`)
}

export interface Room {
  workspace_id: number
  admin: Person
  people: Person[]
  /** Damaged files whose bytes were restored. */
  healing: { id: number; sha256: string }[]
}

/** Creates a workspace whose admins are the acting people. Every second one uses the proxy, or all of them do. */
export async function createRoom(stack: Product, count: number, through: 'both' | 'proxy' = 'both'): Promise<Room> {
  const token = stack.credentials.adminToken
  const me = await call(stack, { email: '', id: 0, token }, api.users.me, {})
  const admin: Person = { email: me.reply.email, id: me.reply.id, token }
  const team = (
    await call(stack, admin, api.teams.create, { body: { team: { name: 'Faults', suppress_emails: false } } })
  ).reply
  const limits = { allowed_admins: count + 10 }
  await call(stack, admin, api.teams.update, { params: { id: team.id }, body: { team: limits } }).catch(() => undefined)
  const workspace = { name: 'Harbour', team_id: team.id }
  const workspace_id = (await call(stack, admin, api.workspaces.create, { body: { workspace } })).reply.id
  const groups = (await call(stack, admin, api.groups.list, { query: { workspace_id } })).reply
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
  const people: Person[] = []
  for (let at = 0; at < count; at++) {
    const user = { email: `person${at}@example.com`, first_name: `Person${at}`, last_name: 'Tester' }
    const { id, user_token } = (await call(stack, admin, api.users.create, { body: { user } })).reply
    const body = { workspace_id, user_id: id, send_email: false }
    await call(stack, admin, api.groups.addMember, { params: { id: admins }, body })
    const person = { email: user.email, id, token: user_token }
    const isDirect = through === 'both' && at % 2 === 0
    people.push(isDirect ? person : await signIn(stack, person, `10.0.0.${at + 1}`))
  }
  return { workspace_id, admin, people, healing: [] }
}
