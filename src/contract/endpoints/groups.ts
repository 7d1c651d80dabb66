import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { date, email, id, invitingWords, label, timestamp } from '../fields.ts'
import { user } from './users.ts'
import { PDF_DELIVERIES } from './watermarks.ts'

/** How much text of the pages of a file a caller may use, from the strictest: nothing, marked hits, the text itself. */
export const TEXT_LAYERS = ['none', 'find', 'select'] as const
export type TextLayer = (typeof TEXT_LAYERS)[number]

/** What a group sets: a text layer, or `with_download`, which is `select` where a download hands out the text as well. */
export const TEXT_POLICIES = [...TEXT_LAYERS, 'with_download'] as const
export type TextPolicy = (typeof TEXT_POLICIES)[number]

export const groupInfo = z.object({
  id: id(),
  name: z.string(),
  workspace_id: id(),
  drm_enabled: z.boolean(),
  /** "YYYY-MM-DD", or null without an end. */
  drm_expires_after: z.nullable(z.string()),
  /** "true" or "false": declared as a string. */
  expire_workspace_access: z.enum(['true', 'false']),
  /** "YYYY-MM-DD", or null without an expiry. */
  expire_workspace_access_at: z.nullable(z.string()),
  watermarked: z.boolean(),
  /** Additive: in effect while `watermarked`; for a user in several groups the strictest counts. */
  pdf_delivery: z.enum(PDF_DELIVERIES),
  file_managing_abilities: z.boolean(),
  /** Additive: for a user in several groups that grant view the strictest counts. */
  text_layer: z.enum(TEXT_POLICIES),
  /** Additive: `custom`, or which of the three built-in groups this is. */
  kind: z.enum(['custom', 'all_members', 'team_admins', 'workspace_admins']),
  /** Additive: a draft, whose members have and see nothing through it until an admin publishes it. Only admins see drafts. */
  is_draft: z.boolean(),
  /** Additive: null for callers who may not see the members; of a draft, the people who wait for it. */
  members_count: z.nullable(z.int()),
  /** Additive: members who were added without a mail and have not come in; null like `members_count`. */
  uninvited_count: z.nullable(z.int()),
  /** Additive: the access expiry has passed, and the group grants nothing. */
  expired: z.boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/**
 * Whether an added member gets a mail, or why not: they were invited to the workspace before, the team suppresses mails, or
 * the mailbox gets no more mails this hour.
 */
export const INVITATIONS = ['sent', 'known', 'suppressed', 'too_many'] as const

const params = { id: id() }
const workspace_id = id()

export const groups = {
  create: endpoint({
    method: 'POST',
    path: '/groups',
    summary: 'Create a group',
    scope: 'groups:write',
    body: {
      group: z.object({
        name: label(),
        workspace_id,
        file_managing_abilities: z._default(z.boolean(), false),
        /** Additive: people who are added to a draft are not mailed and get in only once it is published. */
        is_draft: z._default(z.boolean(), false),
      }),
    },
    success: 201,
    reply: groupInfo,
  }),
  list: endpoint({
    method: 'GET',
    path: '/groups',
    summary: 'Groups of a workspace, newest first; to a plain member only the own ones',
    scope: 'groups:read',
    query: { workspace_id },
    success: 200,
    reply: z.array(groupInfo),
  }),
  get: endpoint({
    method: 'GET',
    path: '/groups/{id}',
    summary: 'One group',
    scope: 'groups:read',
    params,
    query: { workspace_id },
    success: 200,
    reply: groupInfo,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/groups/{id}',
    summary: 'Rename a group, switch its file-managing abilities or, additively, set its text layer',
    scope: 'groups:write',
    params,
    body: {
      workspace_id,
      group: z.object({
        name: z.optional(label()),
        file_managing_abilities: z.optional(z.boolean()),
        /** Additive. */
        text_layer: z.optional(z.enum(TEXT_POLICIES)),
      }),
    },
    success: 200,
    reply: groupInfo,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/groups/{id}',
    summary: 'Delete a group',
    scope: 'groups:write',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.object({ id: id(), name: z.string() }),
  }),
  setDrm: endpoint({
    method: 'PUT',
    path: '/groups/{id}/drm',
    summary: 'Switch DRM on, with or without a last day, or off',
    scope: 'groups:write',
    params,
    body: { workspace_id, group: z.object({ drm_enabled: z.boolean(), drm_expires_after: z.optional(date()) }) },
    success: 200,
    reply: groupInfo,
  }),
  removeDrmExpiration: endpoint({
    method: 'PUT',
    path: '/groups/{id}/disable_drm_expiration',
    summary: 'Remove the last day of DRM access',
    scope: 'groups:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: groupInfo,
  }),
  setWatermarking: endpoint({
    method: 'PUT',
    path: '/groups/{id}/watermarking',
    summary: 'Switch watermarking on or off; additively, choose how marked PDFs are delivered',
    scope: 'groups:write',
    params,
    body: {
      workspace_id,
      group: z.object({ watermarking: z.boolean(), pdf_delivery: z.optional(z.enum(PDF_DELIVERIES)) }),
    },
    success: 200,
    reply: groupInfo,
  }),
  setAccessExpiry: endpoint({
    method: 'PUT',
    path: '/groups/{id}/enable_expire_access',
    summary: 'Let the access of the group end on a date',
    scope: 'groups:write',
    params,
    body: {
      workspace_id,
      group: z.object({ expire_workspace_access_at: date() }),
      /** Additive: the caller takes back the removal of this date, and the activity says so. */
      undo: z.optional(z.boolean()),
    },
    success: 200,
    reply: groupInfo,
  }),
  removeAccessExpiry: endpoint({
    method: 'PUT',
    path: '/groups/{id}/disable_expire_access',
    summary: 'Remove the access expiry of the group',
    scope: 'groups:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: groupInfo,
  }),
  listMembers: endpoint({
    method: 'GET',
    path: '/groups/{id}/memberships',
    summary: 'Members of a group',
    scope: 'groups:read',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.array(user),
  }),
  addMember: endpoint({
    method: 'POST',
    path: '/groups/{id}/memberships',
    summary: 'Add a user to a group, by id or e-mail, inviting whoever is new',
    scope: 'groups:write',
    params,
    body: {
      /** Not marked as required in the description; defaults to the group's workspace. */
      workspace_id: z.optional(id()),
      user_id: z.optional(id()),
      email: z.optional(email()),
      send_email: z._default(z.boolean(), true),
      /** Additive: words of the inviter in the mail. */
      message: invitingWords(),
    },
    success: 201,
    /** The description gives this reply no schema: it is the added user with the ids of group and user. */
    reply: z.extend(user, {
      group_id: id(),
      user_id: id(),
      /** Additive: null where no mail was asked for, and for a draft. */
      invitation: z.nullable(z.enum(INVITATIONS)),
    }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/groups/{id}/invitations',
    summary: 'Invite the members of a group who were added without a mail, at most 100 at a time',
    scope: 'groups:write',
    params,
    body: { workspace_id, message: invitingWords() },
    success: 201,
    /** `left`: members who are still not invited, also because their mailbox gets no more mails this hour. */
    reply: z.object({ invited: z.int(), left: z.int() }),
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/groups/{id}/memberships',
    summary: 'Remove a user from a group',
    scope: 'groups:write',
    params,
    query: { workspace_id, user_id: id() },
    success: 204,
  }),
}
