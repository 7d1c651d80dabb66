import type { BlockList } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { PROGRAM_SETTINGS } from '../../wire/program-settings.ts'
import { readAddresses } from '../../wire/addresses.ts'
import type { Rate } from '../../wire/rates/rate-limit.ts'
import { readDatabaseUrl } from './database-url.ts'
import { addressOfMetrics, type MetricsAddress } from '../../wire/metrics/address.ts'
import type { Patience } from '../../wire/stop.ts'
import { type TraceSettings, traceSettingsOf } from '../../wire/traces/settings.ts'
import { type BlobPlace, blobUrl, MAX_S3_BYTES } from './blob-place.ts'
import { rate } from './rate.ts'

const credential = z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 printable characters without spaces')

export const databaseUrl = z.string().superRefine((text, context) => {
  try {
    readDatabaseUrl(text)
  } catch (error) {
    context.addIssue((error as Error).message)
  }
})

/** Each process has connections to the database. PostgreSQL allows 100 by default. */
export const MOST_PROCESSES = 20

/** Work that a worker can leave to others, and the kinds of its jobs, in order of priority. */
const WORK = {
  mail: ['mail', 'email_code', 'expert_mail', 'open_drafts', 'examine'],
  zip: ['zip'],
  convert: ['ingest'],
} as const
type Work = keyof typeof WORK

const environment = z.object({
  DATABASE_URL: z.string('is required: postgresql://user@host/database').pipe(databaseUrl),
  DATABASE_DIRECT_URL: databaseUrl
    .refine((text) => !text.includes('pgbouncer=true'), 'must lead past PgBouncer, without pgbouncer=true')
    .optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_MIGRATE: z.enum(['on', 'off']).default('on'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(1000).optional(),
  API_PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  BLOB_URL: blobUrl.optional(),
  BLOB_ALSO_URL: blobUrl.optional(),
  BLOB_DIRECT: z.enum(['on', 'off'], 'must be on or off').default('off'),
  MASTER_KEY: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hex characters: openssl rand -hex 32'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(5 * 1024 ** 3),
  PAGE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(1024 ** 2)
    .default(2 * 1024 ** 3),
  // Enough for a drop of 10,000 files, but too little for one user to occupy a whole node for long.
  RATE_LIMIT: rate.prefault('300/s:30000'),
  AUTH_FAILURE_LIMIT: rate.prefault('60/min'),
  RATE_STORE: z
    .string()
    .regex(
      /^(memory|postgres|rediss?:\/\/[^\s/]\S*)$/,
      'must be memory, postgres or the URL of a Redis: redis://host:6379',
    )
    .default('memory'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text, context): BlockList => {
      const list = readAddresses(text)
      if (!list) context.addIssue('must be addresses or networks, separated by commas: 10.0.0.0/8,127.0.0.1')
      return list ?? z.NEVER
    }),
  ACCEL_REDIRECT: z
    .string()
    .regex(/^(\/[\w-]+){1,9}\/?$/, 'must be the path of an internal location, such as /internal-content')
    .optional(),
  SWEEP_AFTER: z.coerce.number().int().min(1).default(3600),
  SCRUB_AFTER: z.coerce
    .number()
    .int()
    .min(1)
    .default(7 * 86_400),
  SCRUB_BYTES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .default(8 * 1024 ** 2),
  UPLOAD_EXPIRES_AFTER: z.coerce.number().int().min(1).default(86_400),
  SMTP_URL: z.string().optional(),
  CLAMD_URL: z
    .string()
    .regex(/^(tcp:\/\/(\[[^\]]+\]|[^/:]+):\d+\/?|unix:(\/\/)?\/.+)$/, 'must be tcp://host:port or unix:/path')
    .optional(),
  CLAMD_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(25 * 1024 ** 2),
  SCAN_REQUIRED: z.enum(['on', 'off']).optional(),
  CONVERTER_SANDBOX: z.enum(['bubblewrap', 'off']).default('bubblewrap'),
  MAIL_FROM: z.string().default('Strongroom <no-reply@localhost>'),
  BOOTSTRAP_API_KEY: credential.optional(),
  BOOTSTRAP_API_SECRET: credential.optional(),
  BOOTSTRAP_ADMIN_TOKEN: credential.optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.email().default('admin@localhost.localdomain'),
  SERVICE_PROCESSES: z.coerce.number().int().min(1).max(MOST_PROCESSES).optional(),
  SERVICE_SLOT: z.coerce.number().int().min(1).max(MOST_PROCESSES).optional(),
  WORKER_KINDS: z
    .string()
    .default(Object.keys(WORK).join(','))
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(Object.keys(WORK) as Work[], `must be some of ${Object.keys(WORK).join(', ')}`))),
  ...PROGRAM_SETTINGS,
})

/** Names of the variables that the service reads. */
export const SETTINGS = Object.keys(environment.shape)

export interface Bootstrap {
  apiKey: string
  apiSecret: string
  adminToken: string
  adminEmail: string
}

export interface Config {
  databaseUrl: string
  /** Leads past a pooler, for LISTEN and migrations; undefined if only the pooler is known. */
  databaseDirectUrl: string | undefined
  databaseReplicaUrl: string | undefined
  /** Whether the service migrates the database at its start, instead of waiting for `npm run migrate`. */
  databaseMigrate: boolean
  /** The number of connections to the database of all processes of the service together, and of each worker. */
  databasePool: number | undefined
  host: string
  port: number
  dataDir: string
  /** Where content is stored; undefined means in the data folder. */
  blobPlace?: BlobPlace | undefined
  /** A second place whose content is read too, while content moves. */
  blobAlsoPlace?: BlobPlace | undefined
  /** Whether clients are redirected to the bucket for plain files. */
  blobDirect?: boolean
  masterKey: string
  /** Public address of the dashboard and of expiring URLs; no trailing slash. */
  publicUrl: string
  maxUploadBytes: number
  /** Limits the requests of one user with one key. */
  rateLimit: Rate | undefined
  /** Limits the requests from one address whose authentication fails. */
  authFailureLimit: Rate | undefined
  /** `memory`, `postgres`, or the URL of a Redis, which is a secret. */
  rateStore: string
  /** Peers whose X-Forwarded-For is trusted: load balancers directly in front of the service. */
  trustedProxies: BlockList
  /** Path below which the front server has the content, to send plain files itself; no trailing slash. */
  accelRedirect: string | undefined
  /** Maximum size of the cache of page images. Beyond it, the least recently used images are removed. */
  pageCacheBytes: number
  /** Content that no file references is removed once it is older than this. */
  sweepAfterSeconds: number
  /** Stored content is compared with its hash again after this long, in the background and at most at this speed. */
  scrubAfterSeconds: number
  scrubBytesPerSecond: number
  /** Abandons a chunked upload after this long without a chunk. */
  uploadExpiresAfterSeconds: number
  smtpUrl: string | undefined
  mailFrom: string
  clamdUrl: string | undefined
  /** The smallest of clamd's StreamMaxLength, MaxFileSize and MaxScanSize. clamd skips larger content. */
  clamdMaxBytes: number
  /** Content that was not found clean is not served to groups. */
  scanRequired: boolean
  converterSandbox: 'bubblewrap' | 'off'
  /** Credentials of the first organization; without them an empty database stays empty. */
  bootstrap: Bootstrap | undefined
  /** The maximum number of processes of this service on this machine; set by their supervisor, one if absent. */
  processes?: number | undefined
  /** The number of this process among them, from 1 on. They share the port. */
  slot?: number | undefined
  jobKinds: readonly (typeof WORK)[Work][number][]
  metricsAt: MetricsAddress | undefined
  traces?: TraceSettings | undefined
  stop: Patience
  log: 'silent' | 'info' | 'debug'
  /** Interval at which memory, connections and the delay of the event loop are logged. */
  vitalsSeconds: number
}

/** Parses the environment. @throws Error with one sentence per wrong variable */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`).join('\n'))
  }
  const v = parsed.data
  if (v.STOP_GRACE >= v.STOP_WITHIN) throw new Error('STOP_WITHIN must be longer than STOP_GRACE.')
  if (v.ACCEL_REDIRECT && v.TRUSTED_PROXIES.rules.length === 0) throw new Error('ACCEL_REDIRECT needs TRUSTED_PROXIES.')
  checkStore(v)
  if (v.SCAN_REQUIRED === 'on' && !v.CLAMD_URL) throw new Error('SCAN_REQUIRED needs CLAMD_URL.')
  return {
    databaseUrl: v.DATABASE_URL,
    databaseDirectUrl: v.DATABASE_DIRECT_URL ?? (readDatabaseUrl(v.DATABASE_URL).pooled ? undefined : v.DATABASE_URL),
    databaseReplicaUrl: v.DATABASE_REPLICA_URL,
    databaseMigrate: v.DATABASE_MIGRATE === 'on',
    databasePool: v.DATABASE_POOL,
    host: v.HOST,
    port: v.API_PORT,
    dataDir: resolve(v.DATA_DIR),
    blobPlace: v.BLOB_URL,
    blobAlsoPlace: v.BLOB_ALSO_URL,
    blobDirect: v.BLOB_DIRECT === 'on',
    masterKey: v.MASTER_KEY,
    publicUrl: (v.PUBLIC_URL ?? `http://127.0.0.1:${v.API_PORT}`).replace(/\/+$/, ''),
    maxUploadBytes: v.MAX_UPLOAD_BYTES,
    rateLimit: v.RATE_LIMIT,
    authFailureLimit: v.AUTH_FAILURE_LIMIT,
    rateStore: v.RATE_STORE,
    trustedProxies: v.TRUSTED_PROXIES,
    accelRedirect: v.ACCEL_REDIRECT?.replace(/\/$/, ''),
    pageCacheBytes: v.PAGE_CACHE_BYTES,
    sweepAfterSeconds: v.SWEEP_AFTER,
    scrubAfterSeconds: v.SCRUB_AFTER,
    scrubBytesPerSecond: v.SCRUB_BYTES_PER_SECOND,
    uploadExpiresAfterSeconds: v.UPLOAD_EXPIRES_AFTER,
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM,
    clamdUrl: v.CLAMD_URL,
    clamdMaxBytes: v.CLAMD_MAX_BYTES,
    scanRequired: v.SCAN_REQUIRED === undefined ? v.CLAMD_URL !== undefined : v.SCAN_REQUIRED === 'on',
    converterSandbox: v.CONVERTER_SANDBOX,
    bootstrap: bootstrapOf(v),
    processes: v.SERVICE_PROCESSES,
    slot: v.SERVICE_SLOT,
    jobKinds: (Object.keys(WORK) as Work[])
      .filter((work) => v.WORKER_KINDS.includes(work))
      .flatMap((work) => WORK[work]),
    metricsAt: addressOfMetrics(v.METRICS_PORT, v.METRICS_HOST),
    traces: traceSettingsOf(v),
    stop: { graceMs: v.STOP_GRACE * 1000, withinMs: v.STOP_WITHIN * 1000 },
    log: v.LOG,
    vitalsSeconds: v.LOG_VITALS_EVERY,
  }
}

function checkStore(v: z.output<typeof environment>): void {
  const isBucket = v.BLOB_URL !== undefined && !('folder' in v.BLOB_URL)
  if (v.BLOB_DIRECT === 'on' && !isBucket) throw new Error('BLOB_DIRECT needs a bucket: BLOB_URL=s3://…')
  if (v.BLOB_ALSO_URL && v.ACCEL_REDIRECT) throw new Error('ACCEL_REDIRECT does not go with BLOB_ALSO_URL.')
  if (!isBucket) return
  if (v.ACCEL_REDIRECT) throw new Error('ACCEL_REDIRECT needs content in a folder, and BLOB_URL names a bucket.')
  if (v.MAX_UPLOAD_BYTES > MAX_S3_BYTES)
    throw new Error(`MAX_UPLOAD_BYTES must be at most ${MAX_S3_BYTES} with content in a bucket.`)
}

function bootstrapOf(v: z.output<typeof environment>): Bootstrap | undefined {
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_API_SECRET: apiSecret, BOOTSTRAP_ADMIN_TOKEN: adminToken } = v
  if (!apiKey && !apiSecret && !adminToken) return undefined
  if (!apiKey || !apiSecret || !adminToken) {
    throw new Error('BOOTSTRAP_API_KEY, BOOTSTRAP_API_SECRET and BOOTSTRAP_ADMIN_TOKEN come together.')
  }
  return { apiKey, apiSecret, adminToken, adminEmail: v.BOOTSTRAP_ADMIN_EMAIL }
}
