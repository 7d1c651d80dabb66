import type { Api } from '../../contract/index.ts'
import { administerOrganization } from '../access/enter.ts'
import type { Handlers } from '../http/context.ts'
import { createCode, redeemCode } from '../store/sign-in-codes.ts'

export const signInCodes: Handlers<Api['signInCodes']> = {
  create: async ({ db, actor, services }, { body }) =>
    createCode(db, services.vault, administerOrganization(actor), body.email),

  redeem: async ({ db, actor, services }, { body }) =>
    redeemCode(db, services.vault, administerOrganization(actor), body),
}
