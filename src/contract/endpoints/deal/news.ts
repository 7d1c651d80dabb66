import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { id, timestamp } from '../../fields.ts'
import { newFile } from '../files.ts'
import { QUESTION_STATUSES } from './questions.ts'

/** Changes of the caller's access: a new group, more rights of a group, another end of its access. */
const ACCESS_NEWS = ['group', 'granted', 'end'] as const

const EXPERT_NEWS = ['asked', 'replied'] as const

/** One of `file`, `question` and `access`. */
export const newsItem = z.object({
  workspace_id: id(),
  at: timestamp(),
  unread: z.boolean(),
  /** Added or changed by others. */
  file: z.nullable(newFile),
  /** Answered; to workspace admins open. */
  question: z.nullable(
    z.object({
      id: z.string(),
      subject: z.string(),
      status: z.enum(QUESTION_STATUSES),
      /** Additive: it was passed to the caller as an expert, or an expert whom the caller asked has replied. */
      expert: z.nullable(z.enum(EXPERT_NEWS)),
    }),
  ),
  access: z.nullable(z.enum(ACCESS_NEWS)),
})

/** Of the lists of news. */
export const MOST_NEWS = 100

export const news = {
  list: endpoint({
    method: 'GET',
    path: '/users/me/news/items',
    summary: `The newest ${MOST_NEWS} news of the last 90 days, of one workspace or of the 12 that the current user visited last`,
    scope: 'files:read',
    query: { workspace_id: z.optional(id()) },
    success: 200,
    reply: z.object({ items: z.array(newsItem) }),
  }),
  /** The caller's own mark, which nobody else sees and no record has. */
  markRead: endpoint({
    method: 'PUT',
    path: '/users/me/news/read',
    summary: 'Mark news up to a time as read, of one workspace or of the 12 that the current user visited last',
    body: { until: z.iso.datetime({ offset: true }), workspace_id: z.optional(id()) },
    success: 204,
  }),
  /** Of the newest 500 files that others added or changed within 90 days, and that the caller may view. */
  listUnread: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/unread',
    summary: 'Files that others added or changed and the caller has not viewed since, and the folders above them',
    scope: 'files:read',
    params: { id: id() },
    success: 200,
    reply: z.object({ file_ids: z.array(id()), folder_ids: z.array(id()) }),
  }),
}
