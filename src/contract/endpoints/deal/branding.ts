import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { saying } from '../../field-rules.ts'
import { id, line, organizationName, paragraph, sha256Hex } from '../../fields.ts'
import { isColour, SCHEMES } from '../looks/accents.ts'
import { LANGUAGES } from './notifications.ts'
import { PLACEHOLDER, PLACEHOLDERS } from './placeholders.ts'

/** Additive section: how an organization and its workspaces appear to the people in them. */

const hasKnownPlaceholders = (text: string): boolean =>
  [...text.matchAll(PLACEHOLDER)].every(([, name]) => (PLACEHOLDERS as readonly string[]).includes(name ?? '')) &&
  !/[{}]/.test(text.replace(PLACEHOLDER, ''))

const filled = <T extends z.ZodMiniType<string>>(text: T) =>
  text.check(z.refine((value) => hasKnownPlaceholders(value as string), saying('known_placeholders')))

/** `#rrggbb`, in lower case. */
const colour = () =>
  z.pipe(
    z.string().check(z.maxLength(7), z.refine(isColour, saying('colour'))),
    z.transform((text: string) => text.toLowerCase()),
  )

const mailTexts = {
  subject_en: z.optional(z.nullable(filled(line(200)))),
  text_en: z.optional(z.nullable(filled(paragraph(2000)))),
  subject_de: z.optional(z.nullable(filled(line(200)))),
  text_de: z.optional(z.nullable(filled(paragraph(2000)))),
}

/** Absent: stays. Null: as inherited. */
const changes = z.object({
  display_name: z.optional(z.nullable(organizationName())),
  accent_light: z.optional(z.nullable(colour())),
  accent_dark: z.optional(z.nullable(colour())),
  sender_name: z.optional(z.nullable(organizationName())),
  replies: z.optional(z.nullable(z.enum(['contact', 'nobody']))),
  invitation_language: z.optional(z.nullable(z.enum(LANGUAGES))),
  ...mailTexts,
})

const values = {
  display_name: z.nullable(z.string()),
  accent_light: z.nullable(z.string()),
  accent_dark: z.nullable(z.string()),
  sender_name: z.nullable(z.string()),
  /** Whether the contact of the workspace gets replies to its invitations. */
  replies: z.nullable(z.enum(['contact', 'nobody'])),
  /** For people who have not come in yet; others get the language of their account. */
  invitation_language: z.nullable(z.enum(LANGUAGES)),
  subject_en: z.nullable(z.string()),
  text_en: z.nullable(z.string()),
  subject_de: z.nullable(z.string()),
  text_de: z.nullable(z.string()),
  /** SHA-256 of the picture; null without one. */
  logo_light: z.nullable(z.string()),
  logo_dark: z.nullable(z.string()),
}

export const branding = z.object({
  ...values,
  /** What the organization sets, and holds where the workspace sets nothing; null for the organization itself. */
  inherited: z.nullable(z.object(values)),
})

/** The logo as the service has drawn it. */
export const logo = z.object({
  content_type: z.literal('image/png'),
  /** Base64. */
  image: z.string(),
  version: z.string(),
})

const mail = z.object({
  /** Name and address, as mail programs show them. */
  from: z.string(),
  reply_to: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** What the HTML shows by `cid:`, as base64. */
  pictures: z.array(z.object({ cid: z.string(), content_type: z.literal('image/png'), image: z.string() })),
})

/** Base64 of a PNG, JPEG, WebP or SVG. */
const picture = z.string().check(
  z.maxLength(262_144, { abort: true }),
  z.refine((text) => /^[A-Za-z0-9+/]+={0,2}$/.test(text), saying('base64')),
)

const scheme = z.enum(SCHEMES)
const newLogo = { logo: z.object({ scheme, image: z.nullable(picture) }) }
const shownLogo = { scheme: z._default(scheme, 'light'), version: z.optional(sha256Hex()) }
/** Texts that need not be saved; absent ones are as saved. */
const draft = {
  language: z.enum(LANGUAGES),
  branding: z._default(z.pick(changes, { sender_name: true, ...textKeys() }), {}),
}

function textKeys() {
  return { subject_en: true, text_en: true, subject_de: true, text_de: true } as const
}

const params = { id: id() }

export const brandings = {
  getForOrganization: endpoint({
    method: 'GET',
    path: '/organization/branding',
    summary: 'How the organization appears',
    scope: 'organization:read',
    success: 200,
    reply: branding,
  }),
  updateForOrganization: endpoint({
    method: 'PUT',
    path: '/organization/branding',
    summary: 'Set names, accent colours and the texts of invitations for all workspaces; what is not given stays',
    scope: 'organization:write',
    body: { branding: changes },
    success: 200,
    reply: branding,
  }),
  getLogoForOrganization: endpoint({
    method: 'GET',
    path: '/organization/branding/logo',
    summary: 'The logo of the organization for a colour scheme',
    scope: 'organization:read',
    query: shownLogo,
    success: 200,
    reply: logo,
  }),
  setLogoForOrganization: endpoint({
    method: 'PUT',
    path: '/organization/branding/logo',
    summary: 'Set the logo of the organization for a colour scheme: a picture that is drawn again; null for none',
    scope: 'organization:write',
    body: newLogo,
    success: 200,
    reply: branding,
  }),
  previewForOrganization: endpoint({
    method: 'POST',
    path: '/organization/branding/invitation',
    summary: 'An invitation to a workspace of the organization as it would be sent, with the caller as the reader',
    scope: 'organization:read',
    body: draft,
    success: 200,
    reply: mail,
    reads: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/branding',
    summary: 'How a workspace appears, and what it inherits',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: branding,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/branding',
    summary: 'Set names, accent colours and the texts of invitations of a workspace; what is not given stays',
    scope: 'workspaces:write',
    params,
    body: { branding: changes },
    success: 200,
    reply: branding,
  }),
  getLogo: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/logo',
    summary: 'The logo of a workspace for a colour scheme, or that of its organization',
    scope: 'workspaces:read',
    params,
    query: shownLogo,
    success: 200,
    reply: logo,
  }),
  setLogo: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/logo',
    summary: 'Set the logo of a workspace for a colour scheme: a picture that is drawn again; null for none',
    scope: 'workspaces:write',
    params,
    body: newLogo,
    success: 200,
    reply: branding,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/branding/invitation',
    summary: 'An invitation to a workspace as it would be sent, with the caller as the reader',
    scope: 'workspaces:read',
    params,
    body: draft,
    success: 200,
    reply: mail,
    reads: true,
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/branding/test_mail',
    summary: 'Mail this invitation to the caller, marked as a test; five an hour',
    params,
    body: draft,
    success: 200,
    reply: mail,
  }),
}
