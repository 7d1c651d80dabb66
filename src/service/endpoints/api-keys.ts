import type { Api } from '../../contract/index.ts'
import { SCOPES, scopeNames } from '../../contract/scopes.ts'
import { enterOrganization } from '../access/enter.ts'
import type { Context, Handlers } from '../http/context.ts'
import { type ApiKeyRow, insertApiKey, listApiKeys, rotateApiKey, updateApiKey } from '../store/api-keys.ts'
import { getUser } from '../store/users.ts'

export const apiKeys: Handlers<Api['apiKeys']> = {
  list: async ({ db, actor }) => ({ api_keys: await listApiKeys(db, enterOrganization(actor)) }),

  create: async (context, { body }) => {
    const { db, actor, services } = context
    return withToken(context, await insertApiKey(db, services.vault, enterOrganization(actor), body))
  },

  listAvailableScopes: async () => ({
    scopes: scopeNames.map((name) => ({ name, description: SCOPES[name] })),
  }),

  update: async ({ db, actor }, { params, body }) => updateApiKey(db, enterOrganization(actor), params.id, body),

  rotate: async (context, { params }) => {
    const { db, actor, services } = context
    return withToken(context, await rotateApiKey(db, services.vault, enterOrganization(actor), params.id))
  },
}

/** Without the user's own token the pair could not sign: it is shown with the secret, to the dashboard as well. */
async function withToken<T extends ApiKeyRow>({ db, actor, services }: Context, key: T) {
  const { token_sealed } = await getUser(db, enterOrganization(actor), actor.id)
  return { ...key, user_token: services.vault.open(token_sealed) }
}
