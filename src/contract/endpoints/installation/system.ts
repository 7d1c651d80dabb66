import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields.ts'

const count = () => z.int()

export const FINDING_CHECKS = [
  'settings',
  'database',
  'content',
  'queue',
  'audit',
  'mail',
  'scanner',
  'converter',
  'backup',
  'node',
] as const

/** Share of the storage's file system that is left free before the operator is warned. */
export const FREE_SHARE = 0.1

const finding = z.object({
  /** The part of the installation that was examined. */
  check: z.enum(FINDING_CHECKS),
  state: z.enum(['ok', 'warning', 'error']),
  message: z.string(),
  /** What to do; null where there is nothing to do. */
  advice: z.nullable(z.string()),
  /** The row of `findings.ts` that the sentences come from, and its facts; null for other sentences. */
  code: z.nullable(z.string()),
  params: z.record(z.string(), z.string()),
})

export const examination = z.object({
  requested_at: timestamp(),
  /** Null while it waits or runs. */
  ended_at: z.nullable(timestamp()),
  findings: z.array(finding),
  /** Content of all versions of all files; null until an examination has counted it. */
  content: z.nullable(z.object({ files: count(), bytes: count() })),
})

export const systemInfo = z.object({
  as_of: timestamp(),
  versions: z.object({ strongroom: z.string(), node: z.string(), postgresql: z.string(), schema: z.string() }),
  processes: z.array(
    z.object({
      kind: z.enum(['service', 'worker']),
      host: z.string(),
      version: z.string(),
      node: z.string(),
      started_at: timestamp(),
      seen_at: timestamp(),
      /** It noted itself within the last three minutes. */
      running: z.boolean(),
    }),
  ),
  jobs: z.array(
    z.object({
      kind: z.string(),
      /** Due, running or planned. Counts end at 100,000. */
      waiting: count(),
      /** Failed in every attempt. */
      failed: count(),
      /** Seconds for which the oldest due job has waited for a worker. */
      oldest_seconds: z.number(),
    }),
  ),
  storage: z.object({
    kind: z.enum(['folder', 'bucket']),
    /** Bytes of the file system of the folder; null for a bucket. */
    free: z.nullable(count()),
    total: z.nullable(count()),
  }),
  /** The newest first, at most 10. */
  backups: z.array(
    z.object({
      begun_at: timestamp(),
      ended_at: timestamp(),
      target: z.string(),
      /** Null if the database is backed up by its own tools. */
      database_bytes: z.nullable(count()),
      files: count(),
      bytes: count(),
      new_bytes: count(),
      /** Files whose content is not what was uploaded. */
      damaged: count(),
      /** Why there is no backup; null if it succeeded. */
      failure: z.nullable(z.string()),
    }),
  ),
  examination: z.nullable(examination),
})

export const system = {
  get: endpoint({
    method: 'GET',
    path: '/system',
    summary: 'Versions, processes, jobs, storage and backups of the installation, and its last examination',
    scope: 'organization:read',
    success: 200,
    reply: systemInfo,
  }),
  examine: endpoint({
    method: 'POST',
    path: '/system/examination',
    summary: 'Examine the installation: a worker does it, unless an examination is waiting or running already',
    scope: 'organization:write',
    success: 201,
    reply: examination,
  }),
}
