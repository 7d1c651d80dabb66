import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { id, label, timestamp } from '../../fields.ts'

/** Templates that every installation has. */
export const SHIPPED_TEMPLATES = ['due_diligence', 'fundraising', 'board', 'litigation'] as const
export type ShippedTemplate = (typeof SHIPPED_TEMPLATES)[number]

/** Languages of the shipped templates. */
export const TEMPLATE_LANGUAGES = ['en', 'de'] as const
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number]

const language = () => z._default(z.enum(TEMPLATE_LANGUAGES), 'en')

/**
 * What a new workspace begins with; exactly one of `shipped`, `template_id` and `workspace_id`. Folders, groups with their
 * rights and protection, the numbering, whether reading times are measured and how long they are kept, and the texts of the
 * welcome page are taken over, and files if wished; people and the contact, drafts, dates, terms, questions with their
 * settings and API access are not.
 */
export const workspaceSource = z.object({
  shipped: z.optional(z.enum(SHIPPED_TEMPLATES)),
  /** Of a shipped template. */
  language: language(),
  /** A template of the team. */
  template_id: z.optional(id()),
  /** A workspace that the caller administers. */
  workspace_id: z.optional(id()),
  /**
   * Takes over the files in those folders, in their current versions. Only with `workspace_id`, of a workspace with at most
   * 5,000 such files, all of which have been read and none of which is infected or damaged.
   */
  files: z._default(z.boolean(), false),
  /** The folders at the top begin as drafts, of which groups see nothing until they are published. */
  drafts: z._default(z.boolean(), false),
})

export const template = z.object({
  /** Null for a shipped template. */
  id: z.nullable(id()),
  /** Null for a template of the team. */
  shipped: z.nullable(z.enum(SHIPPED_TEMPLATES)),
  /** "" for a shipped template: its name is said by the client. */
  name: z.string(),
  folders_count: z.int(),
  /** Names of the folders at the top, at most 100. */
  folders: z.array(z.string()),
  /** Names of its groups, without All Members and draft groups, at most 100. */
  groups: z.array(z.string()),
  /** Null for a shipped template, and for an erased user. */
  created_by: z.nullable(z.string()),
  created_at: z.nullable(timestamp()),
})

export const templates = {
  list: endpoint({
    method: 'GET',
    path: '/teams/{id}/templates',
    summary: 'Templates for the workspaces of a team: those shipped, then its own by name',
    scope: 'teams:read',
    params: { id: id() },
    query: { language: language() },
    success: 200,
    reply: z.object({ templates: z.array(template) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/templates',
    summary: 'Save the folders, groups, rights and texts of a workspace as a template of its team',
    scope: 'workspaces:write',
    params: { id: id() },
    body: { template: z.object({ name: label() }) },
    success: 201,
    reply: template,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/teams/{id}/templates/{template_id}',
    summary: 'Delete a template of a team',
    scope: 'teams:write',
    params: { id: id(), template_id: id() },
    success: 204,
  }),
}
