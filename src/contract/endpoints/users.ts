import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { date, email, id, invitingWords, mailedCode, personName, timestamp, timeZone } from '../fields.ts'

/** `jti` is the older name of `user_token`; both are sent. They are "" except for the user and organization admins. */
export const user = z.object({
  id: id(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  time_zone: z.string(),
  jti: z.string(),
  user_token: z.string(),
  status: z.enum(['invited', 'active']),
  organization_admin: z.boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export const currentUser = z.extend(user, {
  /** Additive: an address that becomes `email` once its mailed code is confirmed; null without one. */
  pending_email: z.nullable(z.string()),
  /** Additive, like `title`: shown to the admins of the user's workspaces. */
  company: z.string(),
  title: z.string(),
  /** Additive: from the first sign-in until the user has set any of name, company and title. */
  profile_due: z.boolean(),
  /** Additive: an organization admin of the first organization, who may read `/system`. */
  installation_admin: z.boolean(),
})

/** Reply of removals that have no object to return (decisions, section 9). */
export const statusMessage = z.object({ status: z.int(), message: z.string() })

export const enterableWorkspace = z.object({
  id: id(),
  name: z.string(),
  team_id: id(),
  team_name: z.string(),
  admin: z.boolean(),
  team_member: z.boolean(),
  /** Additive: nothing of it is served until the caller accepts its terms. */
  terms_await: z.boolean(),
  /** null for callers who may not see the members. */
  members: z.nullable(z.int()),
  /** Last activity of any user for a workspace admin; otherwise the caller's own. */
  last_activity_at: z.nullable(timestamp()),
  /** Marked by the caller, for whom alone it is first. */
  favourite: z.boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/** An end within the next 30 days: of a group's access, or of the period in which its sealed copies open. */
export const expiration = z.object({
  workspace_id: id(),
  workspace_name: z.string(),
  group_id: id(),
  group_name: z.string(),
  kind: z.enum(['access', 'drm']),
  /** The first day without access, or the last day of DRM, as set in the group. */
  date: date(),
})

const some = z.object({
  count: z.int(),
  /** Of the first two. */
  names: z.array(z.string()),
})

/** A workspace as the first page of the dashboard tells of it. */
export const workspaceNews = z.object({
  workspace_id: id(),
  /** From when on files are new: the last visit, at most 90 days ago; before the first visit 30 days ago. */
  new_since: timestamp(),
  /** Files that others added or changed since then. */
  new_files: z.int(),
  /** Files that others added or changed in the last 90 days and that the caller has neither viewed nor marked as read since. */
  unread_files: z.int(),
  /** Answers that the caller may read, and questions passed to them; to workspace admins open questions and replies of experts. Also of the last 90 days, as what follows. */
  unread_questions: z.int(),
  /** Additive: those of them that were passed to the caller as an expert. */
  unread_passed: z.int(),
  /** Kinds of changes of the caller's own access. */
  unread_access: z.int(),
  /**
   * What a workspace admin should look at; null for other members. `changed_names` are of other people whose watermarks
   * do not show their present name until an admin accepts it.
   */
  to_do: z.nullable(
    z.object({
      failed_files: some,
      awaited_members: some,
      changed_names: some,
      /** Additive, like those below. Questions that the caller is to answer or approve; those that are overdue are only here. */
      overdue_questions: some,
      to_approve: some,
      to_answer: some,
      /** Drafts that were not published at the planned time. */
      failed_drafts: some,
      /** Drafts that no plan is to publish. */
      unplanned_drafts: some,
      /** Draft groups in which people wait. */
      awaited_groups: some,
    }),
  ),
})

export const users = {
  create: endpoint({
    method: 'POST',
    path: '/users',
    summary: 'Create a user of the organization',
    scope: 'users:write',
    body: {
      user: z.object({
        email: email(),
        first_name: personName(),
        last_name: personName(),
        time_zone: z.optional(timeZone()),
      }),
    },
    success: 201,
    reply: user,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users',
    summary: 'Delete a user of the organization',
    scope: 'users:write',
    /** `erase` (additive) also erases name and e-mail from the record, even for a user deleted earlier. */
    query: { user: z.object({ id: id() }), erase: z.optional(z.boolean()) },
    success: 200,
    reply: statusMessage,
  }),
  me: endpoint({
    method: 'GET',
    path: '/users/me',
    summary: 'The current user',
    scope: 'any',
    success: 200,
    reply: currentUser,
  }),
  updateMe: endpoint({
    method: 'PUT',
    path: '/users/me',
    summary: 'Update the current user; a new e-mail counts once the code mailed to it was confirmed',
    body: {
      user: z.object({
        email: z.optional(email()),
        first_name: z.optional(personName()),
        last_name: z.optional(personName()),
        time_zone: z.optional(timeZone()),
        /** Additive. */
        company: z.optional(personName()),
        title: z.optional(personName()),
      }),
    },
    success: 200,
    reply: currentUser,
  }),
  /** Additive, like all endpoints of an e-mail change: turns `pending_email` into `email`. */
  confirmEmail: endpoint({
    method: 'POST',
    path: '/users/me/email_change/confirm',
    summary: 'Confirm the new e-mail with the code that was mailed to it; ends all other sessions',
    body: { code: mailedCode() },
    success: 200,
    reply: currentUser,
  }),
  resendEmailCode: endpoint({
    method: 'POST',
    path: '/users/me/email_change/resend',
    summary: 'Mail another code to the new e-mail, in place of the former one',
    success: 200,
    reply: currentUser,
  }),
  cancelEmailChange: endpoint({
    method: 'DELETE',
    path: '/users/me/email_change',
    summary: 'Keep the present e-mail',
    success: 200,
    reply: currentUser,
  }),
  remind: endpoint({
    method: 'POST',
    path: '/users/{id}/remind',
    summary: 'Mail the invitation again',
    scope: 'users:write',
    params: { id: id() },
    body: { workspace_id: z.optional(id()), message: invitingWords() },
    success: 201,
    reply: user,
  }),
  /** Additive: reports a sign-in at the dashboard; an invited user with a proved address becomes active. */
  signIn: endpoint({
    method: 'POST',
    path: '/users/me/sign_in',
    summary: 'Mark the current user as active, whose e-mail was proved',
    success: 200,
    reply: currentUser,
  }),
  /** Additive: every workspace that the current user can enter, in any team. */
  workspaces: endpoint({
    method: 'GET',
    path: '/users/me/workspaces',
    summary: 'Workspaces the current user is a member of',
    scope: 'workspaces:read',
    success: 200,
    reply: z.object({ workspaces: z.array(enterableWorkspace) }),
  }),
  /** Additive: expirations of every group for a workspace admin, otherwise of the caller's own groups. */
  expirations: endpoint({
    method: 'GET',
    path: '/users/me/expirations',
    summary: 'What ends within the next 30 days in the workspaces of the current user, soonest first',
    scope: 'groups:read',
    success: 200,
    reply: z.object({ expirations: z.array(expiration) }),
  }),
  /** Additive: counts are of the last 500 additions and changes of each workspace. */
  news: endpoint({
    method: 'GET',
    path: '/users/me/news',
    summary: 'News of the 12 workspaces that the current user visited last',
    scope: 'files:read',
    success: 200,
    reply: z.object({ workspaces: z.array(workspaceNews) }),
  }),
}
