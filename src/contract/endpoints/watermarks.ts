import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { saying } from '../field-rules.ts'
import { id, paragraph, timestamp } from '../fields.ts'
import { DEFAULT_LOOK } from './looks/default-look.ts'
import { statusMessage } from './users.ts'

/**
 * Deliveries of PDFs with a watermark, from weakest to strictest: the mark woven into the content of each page, or
 * pictures of the pages with the mark in the pixels, with or without searchable text behind them.
 */
export const PDF_DELIVERIES = ['woven', 'pictures_with_text', 'pictures'] as const
export type PdfDelivery = (typeof PDF_DELIVERIES)[number]

const look = {
  custom_text: paragraph(500),
  /** `#rrggbb` */
  color: z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, saying('colour'))),
  opacity: z.number().check(z.minimum(0), z.maximum(1)),
  /** Points. */
  font_size: z.int().check(z.minimum(6), z.maximum(144)),
  /** Degrees, counter-clockwise. */
  rotation: z.number().check(
    z.minimum(-90),
    z.maximum(90),
    z.multipleOf(1),
    // `multipleOf` treats the remainder of a tiny fraction as 0.
    z.refine((value) => Number.isInteger(value), saying('integer')),
  ),
  hposition: z.enum(['left', 'center', 'right']),
  vposition: z.enum(['top', 'center', 'bottom']),
  display_user_name: z.boolean(),
  display_user_email: z.boolean(),
  display_ip_address: z.boolean(),
  display_time: z.boolean(),
  display_workspace_name: z.boolean(),
}

export type Look = z.output<z.ZodMiniObject<typeof look>>

/** One placement of a team's watermark. `watermark_id` and `id` are the same. */
export const watermark = z.object({
  watermark_id: id(),
  id: id(),
  team_id: id(),
  ...look,
  created_at: timestamp(),
  updated_at: timestamp(),
})

const withDefaults = {
  custom_text: look.custom_text,
  color: z._default(look.color, DEFAULT_LOOK.color),
  opacity: z._default(look.opacity, DEFAULT_LOOK.opacity),
  font_size: z._default(look.font_size, DEFAULT_LOOK.font_size),
  rotation: z._default(look.rotation, DEFAULT_LOOK.rotation),
  hposition: z._default(look.hposition, DEFAULT_LOOK.hposition),
  vposition: z._default(look.vposition, DEFAULT_LOOK.vposition),
  display_user_name: z._default(look.display_user_name, DEFAULT_LOOK.display_user_name),
  display_user_email: z._default(look.display_user_email, DEFAULT_LOOK.display_user_email),
  display_ip_address: z._default(look.display_ip_address, DEFAULT_LOOK.display_ip_address),
  display_time: z._default(look.display_time, DEFAULT_LOOK.display_time),
  display_workspace_name: z._default(look.display_workspace_name, DEFAULT_LOOK.display_workspace_name),
}

const previewed = { ...withDefaults, custom_text: z._default(look.custom_text, DEFAULT_LOOK.custom_text) }

/** How marks look on a sample page: an image in base64, only for the caller. */
export const watermarkPreview = z.object({
  content_type: z.literal('image/jpeg'),
  image: z.string(),
  /** Pixels. */
  width: z.int(),
  height: z.int(),
})

const page = {
  orientation: z._default(z.enum(['portrait', 'landscape']), 'portrait'),
  background: z._default(z.enum(['light', 'dark']), 'light'),
}

const params = { id: id() }

export const watermarks = {
  create: endpoint({
    method: 'POST',
    path: '/watermark',
    summary: 'Add a custom watermark to a team',
    scope: 'watermarks:write',
    body: { team_id: id(), ...withDefaults },
    success: 201,
    reply: watermark,
  }),
  get: endpoint({
    method: 'GET',
    path: '/watermark/{id}',
    summary: 'One custom watermark',
    scope: 'watermarks:read',
    params,
    success: 200,
    reply: watermark,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/watermark/{id}',
    summary: 'Update a custom watermark; what is not given stays',
    scope: 'watermarks:write',
    params,
    body: z.partial(z.object(look)).shape,
    success: 200,
    reply: watermark,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/watermark/{id}',
    summary: 'Delete a custom watermark',
    scope: 'watermarks:write',
    params,
    success: 200,
    reply: statusMessage,
  }),
  /** Additive. */
  preview: endpoint({
    method: 'POST',
    path: '/watermark/preview',
    summary: 'Draw watermarks that need not be saved, with the caller as the reader; without any, the default mark',
    scope: 'watermarks:read',
    body: { team_id: id(), watermarks: z._default(z.array(z.object(previewed)).check(z.maxLength(20)), []), ...page },
    success: 200,
    reply: watermarkPreview,
    reads: true,
  }),
  /** Additive. */
  previewForMember: endpoint({
    method: 'GET',
    path: '/groups/{id}/watermark_preview',
    summary: "Draw the watermark of a group's member, as it is on the pages that they see",
    scope: 'groups:read',
    params,
    query: { workspace_id: id(), user_id: id(), ...page },
    success: 200,
    reply: watermarkPreview,
  }),
}
