import type { Api } from '../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../access/enter/organization.ts'
import type { AdministeredOrganization } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import type { Handlers } from '../http/context.ts'
import { recordForOrganization } from '../store/audit/audit.ts'
import { findInvitation } from '../store/people/invitations.ts'
import { createCode, redeemCode } from '../store/people/sign-in-codes.ts'
import { findUserByEmail, proveAddress } from '../store/people/users.ts'

export const signInCodes: Handlers<Api['signInCodes']> = {
  create: async ({ db, actor, services }, { body }) =>
    createCode(db, services.vault, administerOrganization(actor), body),

  redeem: async ({ db, actor, services }, { body }) => {
    const organization = administerOrganization(actor)
    const attempt = await redeemCode(db, services.vault, organization, body)
    if (attempt.outcome === 'right') await proveAddress(db, services.vault, organization, body.email)
    if (attempt.locked_now) await recordLock(db, organization, body.email)
    return attempt
  },

  vouch: async ({ db, actor, services }, { body }) => {
    await proveAddress(db, services.vault, administerOrganization(actor), body.email)
    return { status: 200, message: 'The address counts as proved.' }
  },

  invitation: async ({ db, actor }, { body }) => ({
    invitation: await findInvitation(db, administerOrganization(actor), body.token),
  }),
}

/** The actor is the affected user. An address without an account leaves no audit entry. */
async function recordLock(db: Db, organization: AdministeredOrganization, email: string): Promise<void> {
  const user = await findUserByEmail(db, organization, email)
  if (!user) return
  const as = enterOrganization({ ...organization.actor, ...user })
  await recordForOrganization(db, as, { act: 'user_locked', subject_id: user.id })
}
