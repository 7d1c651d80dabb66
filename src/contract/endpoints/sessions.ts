import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, line, timestamp } from '../fields.ts'
import { statusMessage } from './users.ts'

/** How a user signed in at the dashboard: by mailed code, through the identity provider, or by a click in the demo. */
export const signInMethods = ['code', 'oidc', 'demo'] as const

/** Additive section: the dashboard sessions of the current user. No endpoint here takes a scope. */
export const session = z.object({
  id: id(),
  method: z.enum(signInMethods),
  /** Address at `last_seen_at`. */
  ip: z.string(),
  user_agent: z.string(),
  /** Whether this request came from the session. */
  current: z.boolean(),
  created_at: timestamp(),
  /** Updated once a minute at most. */
  last_seen_at: timestamp(),
})

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/user/sessions',
    summary: 'Where the current user is signed in, seen last first',
    success: 200,
    reply: z.object({ sessions: z.array(session) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/user/sessions',
    summary: 'Begin a session of the dashboard; only its proxy has a use for it',
    body: { method: z.enum(signInMethods), user_agent: z.optional(line(500)) },
    success: 201,
    reply: session,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/user/sessions/{id}',
    summary: 'End a session of the current user',
    params: { id: id() },
    success: 200,
    reply: statusMessage,
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/user/sessions',
    summary: 'End the sessions of the current user, the one the request came from only when asked for',
    query: { current: z._default(z.boolean(), false) },
    success: 200,
    reply: statusMessage,
  }),
}
