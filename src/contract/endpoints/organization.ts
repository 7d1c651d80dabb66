import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, line, paragraph, timestamp } from '../fields.ts'
import { user } from './users.ts'

export const organizationInfo = z.object({
  id: id(),
  name: z.string(),
  description: z.string(),
  location: z.string(),
  billing_email: z.string(),
  url: z.string(),
  support_number: z.string(),
  support_email: z.string(),
  support_website: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export const supportInformation = z.object({
  support_number: z.string(),
  support_email: z.string(),
  support_website: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/** Every user of the organization, under the two names that clients read (decisions, section 1). */
const memberships = z.object({ memberships: z.array(user), users: z.array(user) })

export const organization = {
  get: endpoint({
    method: 'GET',
    path: '/organization',
    summary: 'The organization of the caller',
    scope: 'organization:read',
    success: 200,
    reply: organizationInfo,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/organization',
    summary: 'Update the organization',
    scope: 'organization:write',
    body: {
      name: z.optional(line()),
      description: z.optional(paragraph()),
      location: z.optional(line()),
      billing_email: z.optional(line(254)),
      url: z.optional(line(2000)),
    },
    success: 200,
    reply: organizationInfo,
  }),
  updateSupportInformation: endpoint({
    method: 'PUT',
    path: '/organization/support_information',
    summary: 'Update the support information',
    scope: 'organization:write',
    body: {
      phone_number: z.optional(line()),
      email: z.optional(line(254)),
      website: z.optional(line(2000)),
    },
    success: 200,
    reply: supportInformation,
  }),
  listMembers: endpoint({
    method: 'GET',
    path: '/organization/memberships',
    summary: 'Users of the organization, and whether each is an organization admin',
    scope: 'organization:read',
    query: { email: z.optional(line()) },
    success: 200,
    reply: memberships,
  }),
  addAdmin: endpoint({
    method: 'POST',
    path: '/organization/memberships',
    summary: 'Make a user an organization admin',
    scope: 'organization:write',
    body: { user_id: id() },
    success: 201,
    reply: z.object({ user_id: id(), created_at: timestamp() }),
  }),
  removeAdmin: endpoint({
    method: 'DELETE',
    path: '/organization/memberships',
    summary: 'Take the organization admin role from a user',
    scope: 'organization:write',
    query: { user_id: id() },
    success: 204,
  }),
}
