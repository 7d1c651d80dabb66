import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { date, id, line, page, perPage, timestamp } from './fields.ts'

export const activity = z.object({
  id: id(),
  user_id: id(),
  user_name: z.string(),
  workspace_id: id(),
  verb: z.string(),
  /** Reads on after the user's name. */
  message: z.string(),
  subject_type: z.nullable(z.string()),
  subject_id: z.nullable(id()),
  created_at: timestamp(),
})

export const activities = {
  list: endpoint({
    method: 'GET',
    path: '/activities/workspace/{workspace_id}',
    summary: 'What happened in a workspace, newest first; to a plain member only the own acts',
    scope: 'activities:read',
    params: { workspace_id: id() },
    query: {
      user_id: z.optional(id()),
      page: page(),
      per_page: perPage(100),
      /** Additive filters. */
      verb: z.optional(line()),
      subject_type: z.optional(line()),
      subject_id: z.optional(id()),
      /** First and last day, inclusive, UTC. */
      from: z.optional(date()),
      to: z.optional(date()),
    },
    success: 200,
    reply: z.object({
      pagination: z.object({ total_items: z.int(), total_pages: z.int(), page: z.int(), per_page: z.int() }),
      events: z.array(activity),
    }),
  }),
}
