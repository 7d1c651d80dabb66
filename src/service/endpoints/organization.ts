import type { Api } from '../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../access/enter.ts'
import type { Handlers } from '../http/context.ts'
import {
  deleteAdmin,
  getOrganization,
  insertAdmin,
  listUsers,
  updateOrganization,
  updateSupportInformation,
} from '../store/organization.ts'
import { toUser } from '../store/users.ts'

export const organization: Handlers<Api['organization']> = {
  get: ({ db, actor }) => getOrganization(db, enterOrganization(actor)),

  update: async ({ db, actor }, { body }) => updateOrganization(db, administerOrganization(actor), body),

  updateSupportInformation: async ({ db, actor }, { body }) =>
    updateSupportInformation(db, administerOrganization(actor), {
      support_number: body.phone_number,
      support_email: body.email,
      support_website: body.website,
    }),

  listMembers: async ({ db, actor, services }, { query }) => {
    const rows = await listUsers(db, administerOrganization(actor), query.email)
    const users = rows.map((row) => toUser(services.vault, actor, row))
    return { memberships: users, users }
  },

  addAdmin: async ({ db, actor }, { body }) => insertAdmin(db, administerOrganization(actor), body.user_id),

  removeAdmin: async ({ db, actor }, { query }) => deleteAdmin(db, administerOrganization(actor), query.user_id),
}
