import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { id, line } from '../../fields.ts'

/** How often a person gets mails of news. */
export const FREQUENCIES = ['at_once', 'daily', 'weekly', 'off'] as const
export type Frequency = (typeof FREQUENCIES)[number]

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The mails that a person chooses, and that the link in each ends. */
export const MAILS = ['news', 'weekly_report'] as const
export type Mails = (typeof MAILS)[number]

const frequency = () => z.enum(FREQUENCIES)

export const notificationSettings = z.object({
  /** For every workspace without one of its own. Daily unless the person chose otherwise. */
  frequency: frequency(),
  /** Of the mails. */
  language: z.enum(LANGUAGES),
  /** The mail server refused the last mail to the person for good. */
  mail_refused: z.boolean(),
  workspaces: z.array(
    z.object({
      workspace_id: id(),
      workspace_name: z.string(),
      /** Null: that of the person. */
      frequency: z.nullable(frequency()),
      /** The team suppresses mails, so that none is sent whatever the member chose. */
      suppressed: z.boolean(),
      /** Whether the person gets the weekly report; null where they are not a workspace admin. */
      weekly_report: z.nullable(z.boolean()),
    }),
  ),
})

const unsubscribing = z.object({
  workspace_name: z.string(),
  language: z.enum(LANGUAGES),
  mails: z.enum(MAILS),
  /** What holds for the person in this workspace now; of weekly reports `weekly` or `off`. */
  frequency: frequency(),
})

/** The signed token of a link; it names a person and a workspace, and nothing else can be done with it. */
const token = line(200)

export const notifications = {
  get: endpoint({
    method: 'GET',
    path: '/users/me/notifications',
    summary: 'Which mails of news the current user gets',
    success: 200,
    reply: notificationSettings,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/users/me/notifications',
    summary: 'Choose how often mails of news come, and their language',
    body: {
      notifications: z.object({ frequency: z.optional(frequency()), language: z.optional(z.enum(LANGUAGES)) }),
    },
    success: 200,
    reply: notificationSettings,
  }),
  setForWorkspace: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/notifications',
    summary: 'Choose how often mails of news come of one workspace; null for as often as of all',
    params: { id: id() },
    body: { frequency: z.nullable(frequency()) },
    success: 200,
    reply: notificationSettings,
  }),
  setWeeklyReport: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/weekly_report',
    summary: 'Choose whether the weekly report of a workspace is mailed to the caller, who administers it',
    params: { id: id() },
    body: { weekly_report: z.boolean() },
    success: 200,
    reply: notificationSettings,
  }),
  showUnsubscribe: endpoint({
    method: 'POST',
    path: '/notifications/unsubscribe/show',
    summary: 'What the link in a mail would end; only the proxy of the dashboard has a use for it',
    body: { token },
    success: 200,
    /** Null for a token that is wrong, and once the person has left. */
    reply: z.object({ unsubscribing: z.nullable(unsubscribing) }),
    reads: true,
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/notifications/unsubscribe',
    summary:
      'End the mails of news, or the weekly reports, of a workspace for a person by the link in one; only the proxy has a use for it',
    body: { token },
    success: 200,
    reply: z.object({ unsubscribing: z.nullable(unsubscribing) }),
  }),
}
