import * as z from 'zod/mini'
import type { Params } from './sentence.ts'

/** Body of every failure (decisions, section 1). `code` is the HTTP status. */
export const errorReply = z.object({
  error: z.object({
    code: z.int(),
    message: z.string(),
    /** Additive: the row of `refusals.ts` that the message comes from, and the parameters of its sentence. */
    reason: z.optional(z.string()),
    params: z.optional(z.record(z.string(), z.string())),
    request_id: z.optional(z.string()),
    details: z.optional(
      z.array(
        z.object({
          field: z.string(),
          message: z.string(),
          /** Additive: the row of `field-rules.ts` that the message comes from, and the parameters of its sentence. */
          rule: z.optional(z.string()),
          params: z.optional(z.record(z.string(), z.string())),
        }),
      ),
    ),
  }),
})

export type ErrorReply = z.output<typeof errorReply>
export type ErrorDetail = { field: string; message: string; rule?: string | undefined; params?: Params | undefined }
