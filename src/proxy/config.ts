import { join, resolve } from 'node:path'
import type { BlockList } from 'node:net'
import * as z from 'zod'
import { PROGRAM_SETTINGS } from '../wire/program-settings.ts'
import { readAddresses } from '../wire/addresses.ts'
import { addressOfMetrics, type MetricsAddress } from '../wire/metrics/address.ts'
import type { Patience } from '../wire/stop.ts'
import { type TraceSettings, traceSettingsOf } from '../wire/traces/settings.ts'
import type { OidcSettings } from './sign-in/oidc.ts'

const credential = z
  .string('is required')
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 printable characters without spaces')
  .refine((text) => !/^0+$/.test(text), 'must not be all zeros')

const origin = (name: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => !URL.canParse(url) || isOrigin(new URL(url)), `must be no more than an origin: ${name}`)

const environment = z.object({
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  API_URL: z
    .string()
    .default('http://127.0.0.1:4000')
    .transform(wordsOf)
    .pipe(z.array(origin('http://127.0.0.1:4000')).min(1, 'must name the service: http://127.0.0.1:4000')),
  API_KEY: credential,
  API_SECRET: credential,
  ADMIN_TOKEN: credential,
  MASTER_KEY: z
    .string('is required: openssl rand -hex 32')
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex characters: openssl rand -hex 32')
    .refine((text) => !/^0+$/.test(text), 'must not be all zeros'),
  PUBLIC_URL: origin('https://rooms.example.com').optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text, context): BlockList => {
      const list = readAddresses(text)
      if (!list) context.addIssue('must be addresses or networks, separated by commas: 10.0.0.0/8,127.0.0.1')
      return list ?? z.NEVER
    }),
  DATA_DIR: z.string().default('./data'),
  DIST_DIR: z.string().default('./dist'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
  MAIL_FROM: z.string().default('Strongroom <no-reply@localhost>'),
  DEMO_PEOPLE: z
    .string()
    .default('')
    .transform(wordsOf)
    .pipe(z.array(z.email('must be e-mail addresses'))),
  DEMO_ROLES: z.string().default(''),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https URL' })
    .refine((url) => !URL.canParse(url) || isSafeIssuer(new URL(url)), 'must be an https URL without query')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, 'must be 60 characters at most').default('your company account'),
  ...PROGRAM_SETTINGS,
})

/** Names of the variables the proxy reads. */
export const SETTINGS = Object.keys(environment.shape)

export interface DemoPerson {
  /** In lower case. */
  email: string
  /** Their role in the demo, as text. */
  role: string
}

export interface Config {
  host: string
  port: number
  /** The nodes of the service; any of them can answer any request. */
  apiUrls: string[]
  apiKey: string
  apiSecret: string
  /** User token of an organization admin, used to find users. */
  adminToken: string
  masterKey: string
  /** Public origin of the dashboard. Undefined: `http://localhost:<port>`. */
  publicUrl: string | undefined
  /** Peers whose X-Forwarded-For is trusted: load balancers in front. */
  trustedProxies: BlockList
  /** Folder for mails when no mail server is configured. */
  outbox: string
  dataDir: string
  distDir: string
  smtpUrl: string | undefined
  mailFrom: string
  /** Users who may sign in without a code. Empty except in a demo. */
  demoPeople: DemoPerson[]
  /** The identity provider for sign-ins. */
  oidc: OidcSettings | undefined
  metricsAt: MetricsAddress | undefined
  traces?: TraceSettings | undefined
  stop: Patience
  log: 'silent' | 'info' | 'debug'
  vitalsSeconds: number
}

/** Parses the environment. @throws Error with one sentence per wrong variable; values are never repeated */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'))
  }
  const v = parsed.data
  if (v.STOP_GRACE >= v.STOP_WITHIN) throw new Error('STOP_WITHIN must be longer than STOP_GRACE.')
  return {
    host: v.HOST,
    port: v.PORT,
    apiUrls: [...new Set(v.API_URL.map((url) => new URL(url).origin))],
    apiKey: v.API_KEY,
    apiSecret: v.API_SECRET,
    adminToken: v.ADMIN_TOKEN,
    masterKey: v.MASTER_KEY,
    publicUrl: v.PUBLIC_URL && new URL(v.PUBLIC_URL).origin,
    trustedProxies: v.TRUSTED_PROXIES,
    outbox: join(resolve(v.DATA_DIR), 'outbox'),
    dataDir: resolve(v.DATA_DIR),
    distDir: resolve(v.DIST_DIR),
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM,
    demoPeople: demoPeopleOf(v),
    oidc: oidcOf(v),
    metricsAt: addressOfMetrics(v.METRICS_PORT, v.METRICS_HOST),
    traces: traceSettingsOf(v),
    stop: { graceMs: v.STOP_GRACE * 1000, withinMs: v.STOP_WITHIN * 1000 },
    log: v.LOG,
    vitalsSeconds: v.LOG_VITALS_EVERY,
  }
}

/** Roles are in the order of the addresses, separated by bars. */
function demoPeopleOf({ DEMO_PEOPLE, DEMO_ROLES }: z.output<typeof environment>): DemoPerson[] {
  const roles = DEMO_ROLES.split('|')
  return DEMO_PEOPLE.map((email, at) => ({ email: email.toLowerCase(), role: roles[at]?.trim() ?? '' }))
}

function oidcOf(v: z.output<typeof environment>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = v
  if (!issuer && !clientId && !clientSecret) return undefined
  if (!issuer || !clientId || !clientSecret) {
    throw new Error('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET come together.')
  }
  return { issuer, clientId, clientSecret, name }
}

/**
 * Without TLS an attacker on the network could pose as the provider; on the same machine there is no network between.
 */
function isSafeIssuer({ protocol, hostname, search, hash, username }: URL): boolean {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal) && !search && !hash && !username
}

function isOrigin(url: URL): boolean {
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
}

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
