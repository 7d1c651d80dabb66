import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, line, timestamp } from './fields.ts'
import { statusMessage } from './users.ts'

/** How somebody signed in at the dashboard: by a code from a mail, through the identity provider, by a click on the demo. */
export const signInMethods = ['code', 'oidc', 'demo'] as const

/** Additive section: where the current user is signed in at the dashboard. No endpoint here takes a scope. */
export const session = z.object({
  id: id(),
  method: z.enum(signInMethods),
  /** Where it was seen last. */
  ip: z.string(),
  /** As the browser named itself. */
  user_agent: z.string(),
  /** The session that the request itself came from. */
  current: z.boolean(),
  created_at: timestamp(),
  /** Noted once a minute. */
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
