import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type * as z from 'zod/mini'
import type { user } from '../../contract/users.ts'
import { HEADERS, verify } from '../../signing/signature.ts'

export type User = z.output<typeof user>
type Answer = (request: IncomingMessage, reply: ServerResponse) => void

export const keys = { key: 'k'.repeat(40), secret: 's'.repeat(64) }

/** A real HTTP server in the place of the service: it knows users and verifies signatures. */
export interface StandInApi {
  url: string
  users: User[]
  /** Every request, in order. */
  seen: IncomingMessage[]
  sockets: Set<Socket>
  /** Answers `GET /api/v1/…` (without the query) in a test's own way. */
  on(target: string, answer: Answer): void
  close(): Promise<void>
}

export async function startStandInApi(clock: () => Date): Promise<StandInApi> {
  const users = [newUser(1, 'admin@rooms.test'), newUser(2, 'alice@rooms.test'), newUser(3, 'bob@rooms.test')]
  const answers = new Map<string, Answer>()
  const seen: IncomingMessage[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, reply) => {
    seen.push(request)
    const path = new URL(request.url!, 'http://api').pathname
    const own = answers.get(`${request.method} ${path}`)
    if (own) return own(request, reply)
    answer(users, clock(), request, reply)
  })
  server.on('connection', (socket) => sockets.add(socket).size && socket.on('close', () => sockets.delete(socket)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    users,
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

/** The user whom a request is signed for. */
export function signerOf(users: User[], { headers }: IncomingMessage): User | undefined {
  const token = String(headers[HEADERS.token])
  const isGenuine = verify({ ...keys, token }, String(headers[HEADERS.expires]), String(headers[HEADERS.signature]))
  return isGenuine && headers[HEADERS.key] === keys.key ? users.find((each) => each.user_token === token) : undefined
}

function answer(users: User[], now: Date, request: IncomingMessage, reply: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://api')
  const send = (status: number, body: unknown) =>
    reply.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
  if (pathname === '/readyz') return void send(200, { status: 'ready' })
  const caller = signerOf(users, request)
  if (!caller || Number(request.headers[HEADERS.expires]) <= now.getTime() / 1000) {
    return void send(401, { error: { code: 401, message: 'wrong' } })
  }
  if (pathname === '/api/v1/organization/memberships') {
    const memberships = users.filter((each) => each.email === searchParams.get('email'))
    return void send(200, { memberships, users: memberships })
  }
  if (pathname === '/api/v1/users/me/sign_in') caller.status = 'active'
  if (pathname.startsWith('/api/v1/users/me')) return void send(200, caller)
  send(200, { signed_by: caller.email, headers: request.headers, url: request.url })
}
