import * as z from 'zod'
import { TRACE_SETTINGS } from './traces/settings.ts'

/** Settings that every program reads. */
export const PROGRAM_SETTINGS = {
  METRICS_PORT: z
    .union([z.literal('parent'), z.coerce.number().int().min(0).max(65_535)], 'must be a port number')
    .optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  STOP_GRACE: z.coerce.number().min(0).max(600).default(2),
  STOP_WITHIN: z.coerce.number().min(1).max(86_400).default(25),
  ...TRACE_SETTINGS,
  LOG: z.enum(['silent', 'info', 'debug']).default('info'),
  LOG_VITALS_EVERY: z.coerce.number().int().min(1).max(86_400).default(60),
}
