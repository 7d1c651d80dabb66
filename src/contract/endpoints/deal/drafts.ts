import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { fileName, id, invitingWords, sha256Hex, timestamp } from '../../fields.ts'
import { outlined } from '../files.ts'
import { folderMeta, numberedPath } from '../folders.ts'

/** Drafts that a workspace may have. */
export const MOST_DRAFTS = 100
/** Drafts are planned to be published at most this far ahead. */
export const MOST_PLANNED_DAYS = 366

const params = { id: id() }
const workspace_id = id()

/** The rights that a group will have on a draft folder, and whether it will have others on a folder below. */
export const draftRights = z.object({
  group_id: id(),
  view: z.boolean(),
  download: z.boolean(),
  upload: z.boolean(),
  differs_below: z.boolean(),
})

export const draft = z.object({
  folder_id: id(),
  name: z.string(),
  /** Readable path: "/Finance/2025". */
  path: z.string(),
  numbered_path: numberedPath(),
  ...outlined(),
  created_at: timestamp(),
  /** Folders below it, without itself. */
  folders_count: z.int(),
  /** Files in it and below it. */
  files_count: z.int(),
  /** It is in another draft, which hides it until that is published too. */
  in_draft: z.boolean(),
  /** Groups that will have any right on it or below it. */
  rights: z.array(draftRights),
})

const folder_ids = z.array(id()).check(z.minLength(1), z.maxLength(MOST_DRAFTS))
/** Invites those of the people who are not invited yet, at most 100; personal keys need `groups:write` for it. */
const invitation = z.optional(z.object({ message: invitingWords() }))

export const schedulePlan = z.object({
  /** Those that are drafts still. */
  folder_ids: z.array(id()),
  opens_at: timestamp(),
  invitation: z.nullable(z.object({ message: z.string() })),
  planned_by: z.object({ id: id(), name: z.string() }),
  planned_at: timestamp(),
  /** Why nothing was published at that time; null while the plan awaits it. */
  problem: z.nullable(z.enum(['planner_no_admin', 'key_ended', 'no_draft_left', 'failed'])),
})
const schedule = z.nullable(schedulePlan)

export const drafts = {
  list: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/drafts',
    summary: 'Draft folders, with the rights that groups will have once they are published',
    scope: 'folders:read',
    params,
    success: 200,
    reply: z.object({
      drafts: z.array(draft),
      /** Groups with rights on the drafts; drafts and those whose access has ended count nobody. */
      groups: z.array(z.object({ id: id(), name: z.string(), is_draft: z.boolean(), members_count: z.int() })),
      schedule,
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/drafts',
    summary: 'Create a folder as a draft: only workspace admins see it and everything below it',
    scope: 'folders:write',
    body: { workspace_id, name: fileName(), parent_id: z._default(id(), 0) },
    success: 201,
    reply: folderMeta,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/folders/{id}/draft',
    summary: 'Make a folder a draft, if no member has read a file in it yet',
    scope: 'folders:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: folderMeta,
  }),
  publish: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/drafts/publish',
    summary: 'Publish draft folders together: the rights set on them begin to apply, and their files are news',
    scope: 'folders:write',
    params,
    body: {
      folder_ids,
      /** Says what would become visible, and changes nothing. */
      dry_run: z._default(z.boolean(), false),
      /** The `digest` of the staged rights to publish with them; personal keys need `permissions:write` for it. */
      staged_rights: z.optional(sha256Hex()),
      invitation,
    },
    success: 200,
    reply: z.object({
      /** Folders and files that are in no draft any more. */
      folders: z.int(),
      files: z.int(),
      /** People and groups that see any of them. */
      people: z.int(),
      groups: z.int(),
      /** Those of the people who are not invited yet, also because their mailbox gets no more mails this hour. */
      uninvited: z.int(),
      invited: z.int(),
    }),
  }),
  getSchedule: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/drafts/schedule',
    summary: 'The plan to publish drafts, of which only workspace admins know',
    scope: 'folders:read',
    params,
    success: 200,
    reply: z.object({ schedule }),
  }),
  setSchedule: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/drafts/schedule',
    summary: 'Plan to publish draft folders together at a time, within a year. Replaces the plan that a workspace has',
    scope: 'folders:write',
    params,
    body: { folder_ids, opens_at: z.iso.datetime({ offset: true }), invitation },
    success: 200,
    reply: z.object({ schedule }),
  }),
  removeSchedule: endpoint({
    method: 'DELETE',
    path: '/workspaces/{id}/drafts/schedule',
    summary: 'Cancel the plan to publish drafts',
    scope: 'folders:write',
    params,
    success: 204,
  }),
}
