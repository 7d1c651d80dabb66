import type { Api } from '../../contract/index.ts'
import { placeOf } from '../../wire/place-of.ts'
import { SIGN_IN_RATES } from '../../wire/rates/sign-in-rates.ts'
import { administerOrganization, enterOrganization } from '../access/enter/organization.ts'
import type { AdministeredOrganization } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import type { Context, Handlers } from '../http/context.ts'
import { recordForOrganization } from '../store/audit/audit.ts'
import { findInvitation } from '../store/people/invitations.ts'
import { takeFromBucket } from '../store/people/rate-buckets.ts'
import { createCode, redeemCode } from '../store/people/sign-in-codes.ts'
import { findUserByEmail, proveAddress } from '../store/people/users.ts'

export const signInCodes: Handlers<Api['signInCodes']> = {
  create: async (context, { body }) => {
    const { db, services } = context
    const organization = administerOrganization(context.actor)
    await limitClient(context, 'codesByClient')
    await limitClient(context, 'codesForAddress', body.email.toLowerCase())
    return createCode(db, services.vault, organization, body)
  },

  redeem: async (context, { body }) => {
    const { db, services } = context
    const organization = administerOrganization(context.actor)
    await limitClient(context, 'attemptsByClient')
    const attempt = await redeemCode(db, services.vault, organization, body)
    if (attempt.outcome === 'right') await proveAddress(db, services.vault, organization, body.email)
    if (attempt.locked_now) await recordLock(db, organization, body.email)
    return attempt
  },

  vouch: async ({ db, actor, services }, { body }) => {
    await proveAddress(db, services.vault, administerOrganization(actor), body.email)
    return { status: 200, message: 'The address counts as proved.' }
  },

  invitation: async (context, { body }) => {
    const organization = administerOrganization(context.actor)
    await limitClient(context, 'invitationsByClient')
    return { invitation: await findInvitation(context.db, organization, body.token) }
  },
}

type Limit = keyof typeof SIGN_IN_RATES

/**
 * Counts what clients do through all proxies of the dashboard together. Other callers are admins with an API key, whose
 * calls `RATE_LIMIT` counts. Each transaction takes the client's first, so that none waits for one that waits for it.
 * @param name what the limit is for, unless it is for the client
 * @throws ApiError 429
 */
async function limitClient({ db, actor, clientOfProxy }: Context, limit: Limit, name?: string): Promise<void> {
  const client = clientOfProxy()
  if (client === undefined) return
  await takeFromBucket(db, `${limit} ${actor.organization_id} ${name ?? placeOf(client)}`, SIGN_IN_RATES[limit])
}

/** The actor is the affected user. An address without an account leaves no audit entry. */
async function recordLock(db: Db, organization: AdministeredOrganization, email: string): Promise<void> {
  const user = await findUserByEmail(db, organization, email)
  if (!user) return
  const as = enterOrganization({ ...organization.actor, ...user })
  await recordForOrganization(db, as, { act: 'user_locked', subject_id: user.id })
}
