import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'

/** What may have changed: `activities` is the record alone, where somebody read something. */
export const EVENT_KINDS = ['activities', 'files', 'permissions', 'members', 'workspace'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** How long a stream lasts at most; whoever follows on begins another. */
export const FOLLOW_SECONDS = 900

export const workspaceEvent = z.object({
  kinds: z.array(z.enum(EVENT_KINDS)),
  /** All of it was done by the caller. */
  own: z.boolean(),
})

export const events = {
  follow: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/events',
    summary: 'That something has changed in a workspace, as server-sent events; never what',
    scope: 'activities:read',
    params: { id: id() },
    /** After so many seconds the stream ends; 0 tells what changed just now. */
    query: { seconds: z._default(z.int().check(z.minimum(0), z.maximum(FOLLOW_SECONDS)), FOLLOW_SECONDS) },
    success: 200,
    reply: z.array(workspaceEvent),
    eventStream: true,
  }),
}
