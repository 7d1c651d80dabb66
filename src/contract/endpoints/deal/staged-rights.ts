import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { id, sha256Hex, timestamp } from '../../fields.ts'
import { FLAGS, foreseenRights, rightsEffect, stagedChange } from '../permissions.ts'

/** Folders and groups, in pairs, for which a workspace may have staged rights. */
export const MOST_STAGED = 2000
/** Changes that one call may stage. */
export const MOST_STAGED_AT_ONCE = 100

const params = { id: id() }

/** What is staged for a group on a folder and everything below it, beside its rights there now. */
const staged = z.object({
  ...rightsEffect.shape,
  outline: z.string(),
  /** Those that are staged on this folder itself. */
  flags: z.array(z.enum(FLAGS)),
  /** The folder is a draft or in one: its rights begin to apply once it is published too. */
  in_draft: z.boolean(),
  staged_by: z.object({ id: id(), name: z.string() }),
  staged_at: timestamp(),
})

export const stagedRights = {
  list: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/staged_rights',
    summary: 'Changes of rights that are staged and change nothing yet; folders come before those inside them',
    scope: 'permissions:read',
    params,
    success: 200,
    reply: z.object({ changes: z.array(staged), digest: z.string() }),
  }),
  stage: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/staged_rights',
    summary:
      'Stage changes of rights, to publish them together. Replaces what they cover of those that were staged before',
    scope: 'permissions:write',
    params,
    body: { changes: z.array(stagedChange).check(z.minLength(1), z.maxLength(MOST_STAGED_AT_ONCE)) },
    success: 204,
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/workspaces/{id}/staged_rights',
    summary: 'Discard all staged rights, or those of one group on one folder',
    scope: 'permissions:write',
    params,
    query: { folder_id: z.optional(id()), group_id: z.optional(id()) },
    success: 204,
  }),
  foresee: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/staged_rights/foresee',
    summary: 'Who will gain and lose which rights once the staged ones are published',
    scope: 'permissions:read',
    params,
    success: 200,
    reply: foreseenRights,
  }),
  publish: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/staged_rights/publish',
    summary: 'Publish the staged rights together, in one transaction: they begin to apply',
    scope: 'permissions:write',
    params,
    body: {
      /** That of the list that the caller has read: refused if something else is staged by now. */
      digest: z.optional(sha256Hex()),
    },
    success: 200,
    reply: z.object({ effects: z.array(rightsEffect) }),
  }),
}
