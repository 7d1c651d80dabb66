import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { id, invitingWords, page, pagination, perPage } from '../../fields.ts'
import { groupInfo } from '../groups.ts'

const params = { id: id() }
const workspace_id = id()

/** Someone who gets into the workspace with the first of the groups that is published. */
export const waitingPerson = z.object({
  /** Without a name while the person is a stranger to the caller. */
  user: z.object({ id: id(), first_name: z.string(), last_name: z.string(), email: z.string() }),
  groups: z.array(z.object({ id: id(), name: z.string() })),
})

export const draftGroups = {
  listWaiting: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/waiting_people',
    summary: 'People who wait in draft groups and are not in the workspace, as they were added',
    scope: 'groups:read',
    params,
    query: {
      /** Part of the name, address or a group of a person. */
      q: z.optional(z.string().check(z.maxLength(255))),
      page: page(),
      per_page: perPage(25),
    },
    success: 200,
    reply: z.object({ pagination: pagination(), people: z.array(waitingPerson) }),
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/groups/{id}/draft',
    summary: 'Make a group a draft, if none of its members but workspace admins has come in yet',
    scope: 'groups:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: groupInfo,
  }),
  publish: endpoint({
    method: 'POST',
    path: '/groups/{id}/publish',
    summary: 'Publish a draft group: its members get in, and its rights begin to apply to them',
    scope: 'groups:write',
    params,
    body: {
      workspace_id,
      /** Says who would see what, and changes nothing. */
      dry_run: z._default(z.boolean(), false),
      /** Invites those of the people who are not invited yet, at most 100. */
      invitation: z.optional(z.object({ message: invitingWords() })),
    },
    success: 200,
    reply: z.object({
      /** Folders and files that the rights of the group show. Draft folders do not count. */
      folders: z.int(),
      files: z.int(),
      people: z.int(),
      /** Those of the people who were in no other group of the workspace. */
      newcomers: z.int(),
      /** Those who are not invited yet, also because their mailbox gets no more mails this hour. */
      uninvited: z.int(),
      invited: z.int(),
    }),
  }),
}
