import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { email, id, label, timestamp } from '../fields.ts'
import { user } from './users.ts'
import { PDF_DELIVERIES, watermark } from './watermarks.ts'

export const team = z.object({
  id: id(),
  name: z.string(),
  team_owner_id: id(),
  creator_id: id(),
  allowed_workspaces: z.int(),
  allowed_admins: z.int(),
  drm_enabled: z.boolean(),
  watermarking: z.boolean(),
  /** Additive: whether groups may deliver PDFs as pictures of their pages. */
  page_pictures: z.boolean(),
  /** Additive: default of new groups. */
  pdf_delivery: z.enum(PDF_DELIVERIES),
  suppress_emails: z.boolean(),
  /** Additive: whether the caller is the owner or a member; both are false for an organization admin from outside. */
  owner: z.boolean(),
  member: z.boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export const teamUsage = z.object({
  workspaces: z.int(),
  allowed_workspaces: z.int(),
  /** Every version of every file of these workspaces, also of those in the trash, and how large they are together. */
  file_versions: z.int(),
  bytes: z.int(),
  /** Additive: of those that the caller administers, without the trash: its files; and what all of its versions take. */
  administered: z.array(z.object({ workspace_id: id(), documents: z.int(), bytes: z.int() })),
})

export const teamMembership = z.object({ user, created_at: timestamp(), updated_at: timestamp() })

/** Of workspaces in a team and of admins in a workspace. */
export const MAX_ALLOWED = 100_000

const limit = () => z.int().check(z.minimum(0), z.maximum(MAX_ALLOWED))

const settings = {
  allowed_workspaces: z.optional(limit()),
  allowed_admins: z.optional(limit()),
  drm_enabled: z.optional(z.boolean()),
  watermarking: z.optional(z.boolean()),
  page_pictures: z.optional(z.boolean()),
  pdf_delivery: z.optional(z.enum(PDF_DELIVERIES)),
  suppress_emails: z.optional(z.boolean()),
}

export const teams = {
  list: endpoint({
    method: 'GET',
    path: '/teams',
    summary: 'Teams of the organization that the caller may see',
    scope: 'teams:read',
    success: 200,
    reply: z.array(team),
  }),
  create: endpoint({
    method: 'POST',
    path: '/teams',
    summary: 'Create a team; the caller becomes its owner',
    scope: 'teams:write',
    body: {
      team: z.object({ name: label(), ...settings, suppress_emails: z._default(z.boolean(), true) }),
    },
    success: 201,
    reply: team,
  }),
  get: endpoint({
    method: 'GET',
    path: '/teams/{id}',
    summary: 'One team',
    scope: 'teams:read',
    params: { id: id() },
    success: 200,
    reply: team,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/teams/{id}',
    summary: 'Update a team or hand it to a new owner',
    scope: 'teams:write',
    params: { id: id() },
    body: { team: z.object({ name: z.optional(label()), team_owner_id: z.optional(id()), ...settings }) },
    success: 200,
    reply: team,
  }),
  listMembers: endpoint({
    method: 'GET',
    path: '/teams/{id}/memberships',
    summary: 'Members of a team',
    scope: 'teams:read',
    params: { id: id() },
    success: 200,
    reply: z.object({ memberships: z.array(teamMembership) }),
  }),
  addMember: endpoint({
    method: 'POST',
    path: '/teams/{id}/memberships',
    summary: 'Add a member to a team, by id or e-mail',
    scope: 'teams:write',
    params: { id: id() },
    body: { user_id: z.optional(id()), email: z.optional(email()) },
    success: 201,
    reply: teamMembership,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/teams/{id}/memberships',
    summary: 'Remove a member from a team',
    scope: 'teams:write',
    params: { id: id() },
    query: { user_id: id() },
    success: 204,
  }),
  listWatermarkSettings: endpoint({
    method: 'GET',
    path: '/teams/{id}/watermark_settings',
    summary: 'Custom watermarks of a team',
    scope: 'watermarks:read',
    params: { id: id() },
    success: 200,
    reply: z.array(watermark),
  }),
  /** Additive. */
  usage: endpoint({
    method: 'GET',
    path: '/teams/{id}/usage',
    summary: 'How many workspaces a team has, and how much is stored in them',
    scope: 'teams:read',
    params: { id: id() },
    success: 200,
    reply: teamUsage,
  }),
}
