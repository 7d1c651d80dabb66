import type { Api } from '../../contract/index.ts'
import { SCOPES, scopeNames } from '../../contract/scopes.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import type { Context, Handlers } from '../http/context.ts'
import { type Changes, changesBetween, created, recordForOrganization } from '../store/audit/audit.ts'
import { type ApiKeyRow, insertApiKey, listApiKeys, rotateApiKey, updateApiKey } from '../store/people/api-keys.ts'
import { getUser } from '../store/people/users.ts'

export const apiKeys: Handlers<Api['apiKeys']> = {
  list: async ({ db, actor }) => ({ api_keys: await listApiKeys(db, enterOrganization(actor)) }),

  create: async (context, { body }) => {
    const { db, actor, services } = context
    const key = await insertApiKey(db, services.vault, enterOrganization(actor), body)
    await recordKey(context, key, 'created', created(factsOf(key)))
    return withToken(context, key)
  },

  listAvailableScopes: async () => ({
    scopes: scopeNames.map((name) => ({ name, description: SCOPES[name] })),
  }),

  update: async (context, { params, body }) => {
    const { before, key } = await updateApiKey(context.db, enterOrganization(context.actor), params.id, body)
    const changes = changesBetween(factsOf(before), factsOf(key))
    if (changes) await recordKey(context, key, key.status === 'revoked' ? 'revoked' : 'updated', changes)
    return key
  },

  rotate: async (context, { params }) => {
    const { db, actor, services } = context
    const key = await rotateApiKey(db, services.vault, enterOrganization(actor), params.id)
    await recordKey(context, key, 'rotated')
    return withToken(context, key)
  },
}

/** The facts recorded in the audit trail: neither secret nor token. */
function factsOf({ name, scopes, expires_at, status }: ApiKeyRow) {
  return { name, scopes, expires_at, status }
}

type Done = 'created' | 'updated' | 'revoked' | 'rotated'

async function recordKey({ db, actor }: Context, { id, name }: ApiKeyRow, done: Done, changes?: Changes) {
  const deed = { act: `api_key_${done}`, params: { name }, subject_id: id, changes } as const
  await recordForOrganization(db, enterOrganization(actor), deed)
}

/**
 * The key pair cannot sign without the user's own token, so the token is shown with the secret, even to the dashboard.
 */
async function withToken<T extends ApiKeyRow>({ db, actor, services }: Context, key: T) {
  const { token_sealed } = await getUser(db, enterOrganization(actor), actor.id)
  return { ...key, user_token: services.vault.open(token_sealed) }
}
