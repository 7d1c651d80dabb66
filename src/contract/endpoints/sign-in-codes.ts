import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { email, id, line, mailedCode, timestamp } from '../fields.ts'
import { statusMessage } from './users.ts'
import { look } from './workspaces.ts'

/**
 * A secret of the requesting browser; the code works in no other browser. A code requested without a secret is redeemed
 * without one.
 */
const browser = z.optional(line(100))

const shownInvitation = z.object({
  email: z.string(),
  workspace_id: id(),
  workspace_name: z.string(),
  description: z.string(),
  expectation: z.string(),
  /** Name or e-mail address. */
  inviter: z.string(),
  message: z.string(),
  invited_at: timestamp(),
  /** Names of the groups of the invited person, without All Members. */
  groups: z.array(z.string()),
  /** The first day without access, or null without an end. */
  access_ends_at: z.nullable(z.string()),
  /** Nothing of the workspace is shown before terms are accepted. */
  terms_await: z.boolean(),
  /** Additive: the branding of the workspace; null without one. */
  look: z.nullable(look),
  /** Additive: its logos as PNG in base64, because the invited person cannot ask for them yet. */
  logos: z.object({ light: z.nullable(z.string()), dark: z.nullable(z.string()) }),
})

/**
 * Additive section: the codes that the dashboard's proxy mails, stored here so that several proxies share them. Known
 * and unknown addresses are treated alike. For organization admins, because the proxy has the token of one.
 */
export const signInCodes = {
  create: endpoint({
    method: 'POST',
    path: '/sign_in_codes',
    summary:
      'Make a sign-in code for an address and a browser, in place of their former one; only the proxy of the dashboard has a use for it',
    body: { email: email(), browser },
    success: 201,
    reply: z.object({
      /** Six digits, valid for ten minutes and five attempts; null while the address is locked. */
      code: z.nullable(z.string()),
      /** Seconds until the lock of the address ends. */
      retry_after: z.nullable(z.int()),
    }),
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/sign_in_codes/redeem',
    summary: 'Try a sign-in code; a right one is used up, too many wrong ones lock the address',
    body: { email: email(), code: mailedCode(), browser },
    success: 200,
    reply: z.object({
      outcome: z.enum(['right', 'wrong', 'locked']),
      retry_after: z.nullable(z.int()),
      /** This attempt locked the address: the proxy mails the person, once. */
      locked_now: z.boolean(),
    }),
  }),
  vouch: endpoint({
    method: 'POST',
    path: '/sign_in_codes/vouch',
    summary: 'Say that whoever signs in has proved the address otherwise, to the identity provider of the organization',
    body: { email: email() },
    success: 200,
    reply: statusMessage,
  }),
  invitation: endpoint({
    method: 'POST',
    path: '/sign_in_codes/invitation',
    summary: 'What the link of an invitation is about; only the proxy of the dashboard has a use for it',
    /** The workspace and the secret of the link: `5.secret`. */
    body: { token: line(100) },
    success: 200,
    /** Null for a token that is wrong, replaced or expired, and once the person has come in. */
    reply: z.object({ invitation: z.nullable(shownInvitation) }),
  }),
}
