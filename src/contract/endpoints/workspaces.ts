import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { saying } from '../field-rules.ts'
import { email, id, label, line, paragraph, personName, timestamp, timeZoneOfDays } from '../fields.ts'
import { workspaceSource } from './deal/templates.ts'
import { newFile, outlined } from './files.ts'
import { folderContent } from './folders.ts'

/** Whether everyone has the same numbers of folders and files, or they count only what the reader may see. */
export const NUMBERINGS = ['fixed', 'per_reader'] as const
export type Numbering = (typeof NUMBERINGS)[number]

/** The branding that the people in a workspace see; null where nothing is set. */
export const look = z.object({
  display_name: z.nullable(z.string()),
  /** `#rrggbb` */
  accent_light: z.nullable(z.string()),
  accent_dark: z.nullable(z.string()),
  /** SHA-256 of the logo for light and for dark backgrounds. */
  logo_light: z.nullable(z.string()),
  logo_dark: z.nullable(z.string()),
})

export const workspace = z.object({
  id: id(),
  name: z.string(),
  team_id: id(),
  /** Additive: the caller's roles in the workspace. */
  admin: z.boolean(),
  team_member: z.boolean(),
  /** Additive: nothing of it is served until the caller accepts its terms. */
  terms_await: z.boolean(),
  /** Additive: null for callers who are not its admins. */
  numbering: z.nullable(z.enum(NUMBERINGS)),
  /** Additive: whether reading times of pages are recorded. */
  measures_reading: z.boolean(),
  /** Additive: for how many days they are kept; null for callers who are not its admins. */
  reading_kept_days: z.nullable(z.int()),
  /** Additive: what the team allows in its workspaces; null for callers who are not its admins. */
  team_rules: z.nullable(
    z.object({
      drm_enabled: z.boolean(),
      watermarking: z.boolean(),
      page_pictures: z.boolean(),
      suppress_emails: z.boolean(),
    }),
  ),
  /** Additive: null where neither the workspace nor its organization has a branding. */
  look: z.nullable(look),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/** Added without a mail, invited by mail, or come in at least once. */
export const INVITATION_STATES = ['not_invited', 'invited', 'arrived'] as const

export const workspaceMember = z.object({
  id: id(),
  workspace_id: id(),
  user: z.object({
    id: id(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    time_zone: z.string(),
    /** Additive. */
    company: z.string(),
    title: z.string(),
  }),
  groups: z.array(z.object({ id: id(), name: z.string() })),
  admin: z.boolean(),
  team_member: z.boolean(),
  status: z.enum(['invited', 'active']),
  /** Additive: how far the member has come in this workspace; `status` is about the account. */
  invitation_state: z.enum(INVITATION_STATES),
  /** Additive: the mail server refused the last mail to the member for good. */
  mail_refused: z.boolean(),
  /** Additive: name in marks until an admin accepts the current one; "": only the e-mail; null: the current name. */
  marked_name: z.nullable(z.string()),
  /** Additive: when the name in marks began to differ from the current name. */
  name_changed_at: z.nullable(timestamp()),
  joined_at: z.nullable(timestamp()),
  last_active_at: z.nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export const apiAccess = z.object({
  workspace_id: id(),
  enabled: z.boolean(),
  enabled_at: z.nullable(timestamp()),
  enabled_by_id: z.nullable(id()),
  updated_at: z.nullable(timestamp()),
})

/** A folder or file of the index. Rows come in any order. */
export const indexRow = z.object({
  kind: z.enum(['folder', 'file']),
  id: id(),
  outline: z.string(),
  /** Name of a folder, title of a file; without a number of another index, and one that `outline` says. */
  name: z.string(),
  /** Readable path of the folder that it is in; "/" at the top. */
  path: z.string(),
  /** Bytes, in decimal; null for a folder. */
  file_size: z.nullable(z.string()),
  /** Null for a folder. */
  pages: z.nullable(z.int()),
  /** Null for a folder that the caller only passes through. */
  updated_at: z.nullable(timestamp()),
})

const share = z.enum(['none', 'some', 'all'])

/** Additive: the landing page of a workspace, as its reader sees it. */
export const welcome = z.object({
  /** One line about the workspace, also in invitations. */
  description: z.string(),
  /** What is expected of the people who are invited, also in invitations. */
  expectation: z.string(),
  text: z.string(),
  /** A Workspace Admin. */
  contact: z.nullable(
    z.object({
      user_id: id(),
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      company: z.string(),
      title: z.string(),
    }),
  ),
  /** How to reach the contact: a telephone number, hours. */
  contact_note: z.string(),
  /** Additive: further people to contact, as typed. */
  contacts: z.array(z.object({ name: z.string(), role: z.string(), email: z.string(), phone: z.string() })),
  /** Names of the caller's groups, without All Members. */
  groups: z.array(z.string()),
  /** The end of the visit before the present one, which began after an hour without the caller; null on the first. */
  previous_visit_at: z.nullable(timestamp()),
  /** The first day on which no group grants the caller anything, or null without an end. */
  access_ends_at: z.nullable(z.string()),
  /** Null for workspace admins, who are exempt. */
  protection: z.nullable(
    z.object({
      /** Whether the caller's groups grant anything. */
      documents: z.boolean(),
      /** How many of the groups that grant view put the reader's mark on pages. */
      marked: share,
      downloads: z.boolean(),
      /** How many of the groups that grant download deliver sealed copies. */
      sealed: share,
    }),
  ),
  /**
   * Additive: the documents that the caller may view, and of them those that the caller may download and has viewed. Null for
   * admins, for a group, and where there are more than 20,000.
   */
  reading: z.nullable(z.object({ viewable: z.int(), downloadable: z.int(), opened: z.int() })),
  /** Additive: the terms that the caller has accepted. */
  terms: z.array(z.object({ title: z.string(), version: z.int(), accepted_at: timestamp() })),
  /** From when on files are new: the previous visit, at most 90 days ago; on the first visit 30 days ago. */
  new_since: timestamp(),
  /** Added or changed by others since then, newest first, at most 12. */
  new_files: z.array(
    z.extend(newFile, {
      ...outlined(),
      changed_at: timestamp(),
      /** The caller has not viewed it since. */
      unread: z.boolean(),
    }),
  ),
  /** Of the last 500 additions and changes. A flag for more of them would count what is hidden from the caller. */
  new_files_count: z.int(),
})

const contactPerson = z.object({
  name: personName().check(z.minLength(1, saying('not_empty'))),
  role: z._default(line(), ''),
  email: z._default(z.union([z.literal(''), email()]), ''),
  phone: z._default(line(60), ''),
})

const params = { id: id() }

export const workspaces = {
  create: endpoint({
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace in a team',
    scope: 'workspaces:write',
    body: { workspace: z.object({ name: label(), team_id: id(), source: z.optional(workspaceSource) }) },
    success: 201,
    reply: workspace,
  }),
  list: endpoint({
    method: 'GET',
    path: '/workspaces',
    summary: 'Workspaces of a team that the caller is a member of',
    scope: 'workspaces:read',
    query: { team_id: id() },
    success: 200,
    reply: z.object({ workspaces: z.array(workspace) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/workspaces/{id}',
    summary: 'One workspace',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: workspace,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}',
    summary: 'Rename a workspace, number its folders and files in another way, or measure reading or not',
    scope: 'workspaces:write',
    params,
    body: {
      workspace: z.object({
        name: z.optional(label()),
        numbering: z.optional(z.enum(NUMBERINGS)),
        measures_reading: z.optional(z.boolean()),
        reading_kept_days: z.optional(z.int().check(z.minimum(1), z.maximum(3650))),
      }),
    },
    success: 200,
    reply: workspace,
  }),
  getWelcome: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/welcome',
    summary: 'The landing page of a workspace: what it is about, what is new, and what binds the caller',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: welcome,
  }),
  /** Additive. */
  viewWelcomeAs: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/welcome/view_as',
    summary: 'The landing page of a workspace as a group or a person has it',
    scope: 'permissions:read',
    params,
    query: { group_id: z.optional(id()), user_id: z.optional(id()) },
    success: 200,
    reply: welcome,
  }),
  updateWelcome: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/welcome',
    summary: 'Set the texts of the landing page and of invitations',
    scope: 'workspaces:write',
    params,
    body: {
      welcome: z.object({
        description: z.optional(paragraph(500)),
        expectation: z.optional(paragraph(2000)),
        text: z.optional(paragraph()),
        contact_user_id: z.optional(z.nullable(id())),
        contact_note: z.optional(line()),
        contacts: z.optional(z.array(contactPerson).check(z.maxLength(10))),
      }),
    },
    success: 200,
    reply: welcome,
  }),
  /** Additive: the caller's own mark, which nobody else sees and no record has. */
  setFavourite: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/favourite',
    summary: 'Mark a workspace as a favourite of the caller, or not',
    params,
    body: { favourite: z.boolean() },
    success: 204,
  }),
  listMembers: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/memberships',
    summary: 'Members of a workspace with their groups',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: z.array(workspaceMember),
  }),
  /** Additive: marks show a changed name only after another user, an admin of the workspace, accepts it. */
  acceptName: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/memberships/{user_id}/accept_name',
    summary: 'Let marks show the present name of a member, given as the admin saw it',
    scope: 'users:write',
    params: { ...params, user_id: id() },
    body: { first_name: line(), last_name: line() },
    success: 200,
    reply: workspaceMember,
  }),
  getApiAccess: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/api_access',
    summary: 'Whether personal API keys work in the workspace',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: apiAccess,
  }),
  enableApiAccess: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/api_access/enable',
    summary: 'Let personal API keys into the workspace',
    scope: 'workspaces:write',
    params,
    success: 201,
    reply: apiAccess,
  }),
  disableApiAccess: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/api_access/disable',
    summary: 'Shut personal API keys out of the workspace',
    scope: 'workspaces:write',
    params,
    success: 201,
    reply: apiAccess,
  }),
  listApiAccessMembers: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/api_access/members',
    summary: 'Members with personal API keys',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: z.object({
      members: z.array(
        z.object({
          user_id: id(),
          first_name: z.string(),
          last_name: z.string(),
          email: z.string(),
          active_api_keys: z.int(),
          last_used_at: z.nullable(timestamp()),
        }),
      ),
    }),
  }),
  /** Additive (decisions, section 4): the start of every user who is not a workspace admin. */
  home: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/home',
    summary: 'Top of the workspace: only what the caller can reach',
    scope: 'folders:read',
    params,
    success: 200,
    reply: folderContent,
  }),
  /** Additive. */
  listIndex: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/index',
    summary: 'All folders and files that the caller can see, with their numbers, as JSON lines',
    scope: 'files:read',
    params,
    success: 200,
    reply: z.array(indexRow),
    jsonLines: true,
  }),
  /** Additive. */
  printIndex: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/index/pdf',
    summary: 'The same index as a PDF with links: pieces of it in base64, as JSON lines',
    scope: 'files:read',
    params,
    query: { language: z._default(z.enum(['en', 'de']), 'en'), time_zone: timeZoneOfDays() },
    success: 200,
    reply: z.array(z.string()),
    jsonLines: true,
  }),
}
