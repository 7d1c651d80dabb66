import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, label, timestamp } from '../fields.ts'
import { scopeNames } from '../scopes.ts'

/** A key pair of one user, limited to scopes. No endpoint here takes a scope: a key cannot make or change keys. */
export const apiKey = z.object({
  id: id(),
  name: z.string(),
  public_key: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  status: z.enum(['active', 'expired', 'revoked']),
  expires_at: z.nullable(timestamp()),
  last_used_at: z.nullable(timestamp()),
  last_used_ip: z.nullable(z.string()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/** Shown once, with the token, because the pair signs only with its own user's token. */
export const apiKeyWithSecret = z.object({ ...apiKey.shape, secret_key: z.string(), user_token: z.string() })

const scopes = () => z.array(z.enum(scopeNames)).check(z.minLength(1), z.maxLength(scopeNames.length))
/** ISO 8601; null means that the key never expires. */
const expires_at = () => z.optional(z.nullable(z.iso.datetime({ offset: true })))

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/user/api_keys',
    summary: 'Personal API keys of the current user',
    success: 200,
    reply: z.object({ api_keys: z.array(apiKey) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/user/api_keys',
    summary: 'Create a personal API key; its secret is shown this once',
    body: { name: label(), scopes: scopes(), expires_at: expires_at() },
    success: 201,
    reply: apiKeyWithSecret,
  }),
  listAvailableScopes: endpoint({
    method: 'GET',
    path: '/user/api_keys/available_scopes',
    summary: 'Scopes that a personal API key can have',
    success: 200,
    reply: z.object({ scopes: z.array(z.object({ name: z.enum(scopeNames), description: z.string() })) }),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/user/api_keys/{id}',
    summary: 'Rename a personal API key, change its scopes or end, or revoke it for good',
    params: { id: id() },
    body: {
      name: z.optional(label()),
      scopes: z.optional(scopes()),
      expires_at: expires_at(),
      revoked: z.optional(z.boolean()),
    },
    success: 200,
    reply: apiKey,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/user/api_keys/{id}/rotate',
    summary: 'Give a personal API key a new secret; the old one ends at once',
    params: { id: id() },
    success: 201,
    reply: apiKeyWithSecret,
  }),
}
