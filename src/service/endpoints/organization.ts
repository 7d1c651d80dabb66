import type { Api } from '../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../access/enter/organization.ts'
import type { AdministeredOrganization } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import type { Handlers } from '../http/context.ts'
import { type Changes, changesBetween, naming, recordForOrganization } from '../store/audit/audit.ts'
import {
  deleteAdmin,
  getOrganization,
  insertAdmin,
  listUsers,
  lockOrganization,
  updateOrganization,
  updateSupportInformation,
} from '../store/teams/organization.ts'
import { lockUser, toUser, type UserRow } from '../store/people/users.ts'
import { mapInTurns } from '../base/turns.ts'

export const organization: Handlers<Api['organization']> = {
  get: ({ db, actor }) => getOrganization(db, enterOrganization(actor)),

  update: async ({ db, actor }, { body }) => {
    const organization = administerOrganization(actor)
    const changes = changesBetween(await lockOrganization(db, organization), body)
    await recordUpdate(db, organization, 'organization_updated', changes)
    return updateOrganization(db, organization, body)
  },

  updateSupportInformation: async ({ db, actor }, { body }) => {
    const organization = administerOrganization(actor)
    const support = {
      support_number: body.phone_number,
      support_email: body.email,
      support_website: body.website,
    }
    const changes = changesBetween(await lockOrganization(db, organization), support)
    await recordUpdate(db, organization, 'support_updated', changes)
    return updateSupportInformation(db, organization, support)
  },

  listMembers: async ({ db, actor, services }, { query }) => {
    const rows = await listUsers(db, administerOrganization(actor), query.email)
    const users = await mapInTurns(rows, (row) => toUser(services.vault, actor, row))
    return { memberships: users, users }
  },

  addAdmin: async ({ db, actor }, { body }) => {
    const organization = administerOrganization(actor)
    const user = await lockUser(db, organization, body.user_id)
    if (!user.organization_admin) await recordAdmin(db, organization, user, true)
    return insertAdmin(db, organization, user.id)
  },

  removeAdmin: async ({ db, actor }, { query }) => {
    const organization = administerOrganization(actor)
    const user = await deleteAdmin(db, organization, query.user_id)
    await recordAdmin(db, organization, user, false)
  },
}

async function recordUpdate(
  db: Db,
  organization: AdministeredOrganization,
  act: 'organization_updated' | 'support_updated',
  changes: Changes | undefined,
): Promise<void> {
  if (changes) await recordForOrganization(db, organization, { act, subject_id: organization.id, changes })
}

async function recordAdmin(db: Db, organization: AdministeredOrganization, user: UserRow, isAdmin: boolean) {
  await recordForOrganization(db, organization, {
    act: isAdmin ? 'organization_admin_added' : 'organization_admin_removed',
    ...naming(user),
    subject_id: user.id,
    changes: { organization_admin: { before: !isAdmin, after: isAdmin } },
  })
}
