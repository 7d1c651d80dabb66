import { resolve } from 'node:path'
import * as z from 'zod'
import { SETTINGS as PROXY_SETTINGS } from '../proxy/config.ts'
import { type BlobPlace, blobUrl } from '../service/base/blob-place.ts'
import { childEnvironment } from '../service/base/child-environment.ts'
import { databaseUrl, MOST_PROCESSES, SETTINGS as SERVICE_SETTINGS } from '../service/base/config.ts'
import type { Address } from '../wire/metrics/address.ts'
import { INES } from './demo/people.ts'

const hex = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${length}}$`), `must be ${length} lower-case hex characters`)
    .refine((text) => !/^0+$/.test(text), 'must not be all zeros')

const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(1, 'must be 1 to 65535')
  .max(65_535, 'must be 1 to 65535')

const environment = z.object({
  PORT: port.default(3000),
  API_PORT: port.default(4000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DEMO: z.enum(['on', 'off'], 'must be on or off').optional(),
  BOOTSTRAP_API_KEY: hex(40).optional(),
  BOOTSTRAP_API_SECRET: hex(64).optional(),
  BOOTSTRAP_ADMIN_TOKEN: hex(40).optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
  MASTER_KEY: hex(64).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
  MAIL_FROM: z.string().optional(),
  BLOB_URL: blobUrl.optional(),
  BLOB_ALSO_URL: blobUrl.optional(),
  SERVICE_PROCESSES: z.coerce
    .number(`must be 1 to ${MOST_PROCESSES}`)
    .int(`must be 1 to ${MOST_PROCESSES}`)
    .min(1, `must be 1 to ${MOST_PROCESSES}`)
    .max(MOST_PROCESSES, `must be 1 to ${MOST_PROCESSES}`)
    .optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OIDC_ISSUER: z.string().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().optional(),
})

export interface Config {
  port: number
  apiPort: number
  host: string
  dataDir: string
  /** Undefined means the bundled PostgreSQL. */
  databaseUrl: string | undefined
  /**
   * Whether to make the demo organization, whose people sign in without a code. The default is off on an address that
   * other machines can reach.
   */
  demo: boolean
  /** Credentials given by the environment; the rest is generated. */
  given: { apiKey?: string; apiSecret?: string; adminToken?: string; masterKey?: string }
  adminEmail: string
  publicUrl: string
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** The number of processes of the service; undefined means as many as the load needs, up to one for each core. */
  serviceProcesses: number | undefined
  /** Where the metrics of all programs are served together; undefined if they are not wanted. */
  metricsAt: Address | undefined
  /** The variables OIDC_…, which the proxy reads. */
  identityProvider: NodeJS.ProcessEnv
  blobPlace: BlobPlace | undefined
  /** The variables that name the content store and its credentials, which the service and the worker read. */
  contentStore: NodeJS.ProcessEnv
  /** Variables passed on to the children: PATH, LOG, MAX_UPLOAD_BYTES … */
  inherited: NodeJS.ProcessEnv
}

/** Variables of the system, Node, TLS and PostgreSQL's client that the children use. */
const SYSTEM = [
  ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot'],
  ['NODE_ENV', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ['PGPASSWORD', 'PGPASSFILE', 'PGSSLMODE', 'PGSSLROOTCERT'],
].flat()
/** Settings that environments.ts provides, among them secrets. */
const OWN = new Set([
  ...Object.keys(environment.shape),
  'API_URL',
  'API_KEY',
  'API_SECRET',
  'ADMIN_TOKEN',
  'DIST_DIR',
  'DEMO_PEOPLE',
  'DEMO_ROLES',
  'SERVICE_SLOT',
])
const INHERITED = [...new Set([...SYSTEM, ...SERVICE_SETTINGS, ...PROXY_SETTINGS])].filter((name) => !OWN.has(name))

export function buildEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return childEnvironment(Object.fromEntries(SYSTEM.map((name) => [name, env[name]])))
}

/** Parses the environment. @throws Error with one sentence per wrong variable; values are never repeated */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'))
  }
  const v = parsed.data
  if (v.PORT === v.API_PORT) throw new Error('PORT and API_PORT must differ.')
  const demo = v.DEMO ? v.DEMO === 'on' : isLocal(v.HOST, v.PUBLIC_URL)
  return {
    port: v.PORT,
    apiPort: v.API_PORT,
    host: v.HOST,
    dataDir: resolve(v.DATA_DIR),
    databaseUrl: v.DATABASE_URL,
    demo,
    given: {
      ...(v.BOOTSTRAP_API_KEY && { apiKey: v.BOOTSTRAP_API_KEY }),
      ...(v.BOOTSTRAP_API_SECRET && { apiSecret: v.BOOTSTRAP_API_SECRET }),
      ...(v.BOOTSTRAP_ADMIN_TOKEN && { adminToken: v.BOOTSTRAP_ADMIN_TOKEN }),
      ...(v.MASTER_KEY && { masterKey: v.MASTER_KEY }),
    },
    adminEmail: v.BOOTSTRAP_ADMIN_EMAIL ?? (demo ? INES.email : 'admin@localhost.localdomain'),
    publicUrl: (v.PUBLIC_URL ?? `http://localhost:${v.PORT}`).replace(/\/+$/, ''),
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM,
    serviceProcesses: v.SERVICE_PROCESSES,
    metricsAt: v.METRICS_PORT === undefined ? undefined : { port: v.METRICS_PORT, host: v.METRICS_HOST },
    identityProvider: Object.fromEntries(Object.entries(given).filter(([name]) => name.startsWith('OIDC_'))),
    blobPlace: v.BLOB_URL,
    contentStore: Object.fromEntries(
      Object.entries(given).filter(([name]) => name.startsWith('AWS_') || name.startsWith('BLOB_')),
    ),
    inherited: Object.fromEntries(
      INHERITED.filter((name) => Object.hasOwn(env, name)).map((name) => [name, env[name]]),
    ),
  }
}

const LOCAL = new Set(['127.0.0.1', '::1', 'localhost'])

const isLocal = (host: string, publicUrl: string | undefined): boolean =>
  LOCAL.has(host) && (publicUrl === undefined || LOCAL.has(new URL(publicUrl).hostname))

export const wholeEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env })
