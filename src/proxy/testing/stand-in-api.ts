import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import type * as z from 'zod/mini'
import type { user } from '../../contract/endpoints/users.ts'
import { HEADERS, verify } from '../../signing/signature.ts'

export type User = z.output<typeof user>
type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** What a user also reads of themselves. */
const OWN = { pending_email: null, company: '', title: '', profile_due: false, installation_admin: false }

export const keys = { key: 'k'.repeat(40), secret: 's'.repeat(64) }

interface StandInSession {
  user_id: number
  method: string
  user_agent: string
}

/** The state of the stand-in. */
interface Known {
  users: User[]
  /** Sessions keyed by id; a missing session has ended. */
  sessions: Map<number, StandInSession>
  /** The newest sign-in code of each address and browser; "" once used. */
  codes: Map<string, string>
  /** Addresses whose first proof replaces the token. */
  unproved: Set<string>
}

/** A real HTTP server in place of the service: it knows users, sessions and codes, and verifies signatures. */
export interface StandInApi extends Known {
  url: string
  /** Every request, in order. */
  seen: IncomingMessage[]
  sockets: Set<Socket>
  /** Replaces the answer to `GET /api/v1/…` (without the query). */
  on(target: string, answer: Answer): void
  close(): Promise<void>
}

export async function startStandInApi(clock: () => Date): Promise<StandInApi> {
  const users = [newUser(1, 'admin@rooms.test'), newUser(2, 'alice@rooms.test'), newUser(3, 'bob@rooms.test')]
  const known: Known = { users, sessions: new Map(), codes: new Map(), unproved: new Set() }
  const answers = new Map<string, Answer>()
  const seen: IncomingMessage[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, reply) => {
    seen.push(request)
    const path = new URL(request.url!, 'http://api').pathname
    const own = answers.get(`${request.method} ${path}`)
    if (own) return own(request, reply)
    void answer(known, clock(), request, reply)
  })
  server.on('connection', (socket) => sockets.add(socket).size && socket.on('close', () => sockets.delete(socket)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...known,
    seen,
    sockets,
    on: (target, answer) => void answers.set(target, answer),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function newUser(id: number, email: string): User {
  const token = String(id).repeat(40)
  return {
    id,
    email,
    first_name: email.split('@')[0]!,
    last_name: 'Example',
    time_zone: 'UTC',
    jti: token,
    user_token: token,
    status: 'invited',
    organization_admin: id === 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }
}

/** The user for whom a request is signed. */
export function signerOf(users: User[], { headers }: IncomingMessage): User | undefined {
  const token = String(headers[HEADERS.token])
  const isGenuine = verify({ ...keys, token }, String(headers[HEADERS.expires]), String(headers[HEADERS.signature]))
  return isGenuine && headers[HEADERS.key] === keys.key ? users.find((each) => each.user_token === token) : undefined
}

async function answer(known: Known, now: Date, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://api')
  const send = (status: number, body: unknown) =>
    reply.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
  if (pathname === '/readyz') return void send(200, { status: 'ready' })
  const caller = signerOf(known.users, request)
  if (!caller || Number(request.headers[HEADERS.expires]) <= now.getTime() / 1000 || isOver(known, caller, request)) {
    return void send(401, { error: { code: 401, message: 'wrong' } })
  }
  if (pathname === '/api/v1/organization/memberships') {
    const memberships = known.users.filter((each) => each.email === searchParams.get('email'))
    return void send(200, { memberships, users: memberships })
  }
  if (pathname.startsWith('/api/v1/user/sessions')) {
    const [status, body] = await answerSessions(known, caller, request)
    return void send(status, body)
  }
  if (pathname.startsWith('/api/v1/sign_in_codes')) {
    const [status, body] = await answerCodes(known, request)
    return void send(status, body)
  }
  if (pathname === '/api/v1/users/me/sign_in') caller.status = 'active'
  if (pathname.startsWith('/api/v1/users/me')) return void send(200, { ...caller, ...OWN })
  send(200, { signed_by: caller.email, headers: request.headers, url: request.url })
}

function isOver({ sessions }: Known, caller: User, { headers }: IncomingMessage): boolean {
  const named = headers['x-api-session']
  return named !== undefined && sessions.get(Number(named))?.user_id !== caller.id
}

async function answerSessions({ sessions }: Known, { id: user_id }: User, request: IncomingMessage) {
  if (request.method === 'POST') {
    const id = sessions.size + 1
    const begun = { user_id, ...((await json(request)) as Omit<StandInSession, 'user_id'>) }
    sessions.set(id, begun)
    const now = new Date().toISOString()
    return [201, { ...begun, id, ip: '127.0.0.1', current: false, created_at: now, last_seen_at: now }] as const
  }
  sessions.set(Number(request.url!.split('/').at(-1)), { user_id: 0, method: '', user_agent: '' })
  return [200, { status: 200, message: 'ended' }] as const
}

/** Codes without expiry and locks, which belong to the service. */
async function answerCodes({ codes, users, unproved }: Known, request: IncomingMessage) {
  const { email, code, browser } = (await json(request)) as { email: string; code?: string; browser?: string }
  if (request.url?.endsWith('/vouch')) {
    const user = users.find((each) => each.email === email)
    if (user && unproved.delete(email)) user.user_token = user.jti = 'f'.repeat(40)
    return [200, { status: 200, message: 'proved' }] as const
  }
  if (code === undefined) {
    const made = String(100_000 + codes.size)
    codes.set(`${email} ${browser}`, made)
    return [201, { code: made, retry_after: null }] as const
  }
  const outcome = codes.get(`${email} ${browser}`) === code ? 'right' : 'wrong'
  if (outcome === 'right') codes.set(`${email} ${browser}`, '')
  return [200, { outcome, retry_after: null, locked_now: false }] as const
}
