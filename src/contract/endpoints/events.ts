import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id } from '../fields.ts'

/** Kinds of changes: `activities` alone means that a file was only viewed or downloaded. */
export const EVENT_KINDS = ['activities', 'files', 'permissions', 'members', 'workspace', 'questions'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** The longest duration of a stream; a client that continues opens another. */
export const FOLLOW_SECONDS = 900

export const workspaceEvent = z.object({
  kinds: z.array(z.enum(EVENT_KINDS)),
  /** The caller made all of these changes. */
  own: z.boolean(),
})

export const events = {
  follow: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/events',
    summary: 'That something has changed in a workspace, as server-sent events; never what',
    scope: 'activities:read',
    params: { id: id() },
    /** Seconds until the stream ends; 0 returns only the latest changes. */
    query: { seconds: z._default(z.int().check(z.minimum(0), z.maximum(FOLLOW_SECONDS)), FOLLOW_SECONDS) },
    success: 200,
    reply: z.array(workspaceEvent),
    eventStream: true,
  }),
}
