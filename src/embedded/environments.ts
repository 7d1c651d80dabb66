import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Secrets } from './credentials.ts'
import { DEMO_PEOPLE } from './demo.ts'

interface Facts extends Secrets {
  databaseUrl: string
  proxyPort: number
  distDir: string
  demo: boolean
}

export interface Environments {
  service: NodeJS.ProcessEnv
  proxy: NodeJS.ProcessEnv
  apiUrl: string
  proxyUrl: string
}

/** Compiled code. Without it, a program keeps 12 MiB for the compiler that strips types. */
export const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** Where a program on this machine answers. A wildcard address is for listening; calls need a concrete address. */
export function urlOf(host: string, port: number): string {
  const concrete = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${concrete.includes(':') ? `[${concrete}]` : concrete}:${port}`
}

/** Builds the environment of each program. A program gets no secret that it does not need. */
export function environments(config: Config, facts: Facts): Environments {
  const { host, apiPort, publicUrl } = config
  const apiUrl = urlOf(host, apiPort)
  const common = {
    NODE_COMPILE_CACHE: COMPILED,
    // All programs stop together, so no other node could take requests meanwhile.
    STOP_GRACE: '0',
    STOP_WITHIN: '5',
    ...config.inherited,
    HOST: host,
    ...(config.metricsAt && { METRICS_PORT: 'parent' }),
    DATA_DIR: config.dataDir,
    MASTER_KEY: facts.masterKey,
    PUBLIC_URL: publicUrl,
    ...(config.smtpUrl && { SMTP_URL: config.smtpUrl }),
    ...(config.mailFrom && { MAIL_FROM: config.mailFrom }),
  }
  return {
    apiUrl,
    proxyUrl: urlOf(host, facts.proxyPort),
    service: {
      ...common,
      ...config.contentStore,
      DATABASE_URL: facts.databaseUrl,
      API_PORT: String(apiPort),
      BOOTSTRAP_API_KEY: facts.apiKey,
      BOOTSTRAP_API_SECRET: facts.apiSecret,
      BOOTSTRAP_ADMIN_TOKEN: facts.adminToken,
      BOOTSTRAP_ADMIN_EMAIL: config.adminEmail,
    },
    proxy: {
      ...common,
      ...config.identityProvider,
      PORT: String(facts.proxyPort),
      API_URL: apiUrl,
      API_KEY: facts.apiKey,
      API_SECRET: facts.apiSecret,
      ADMIN_TOKEN: facts.adminToken,
      DIST_DIR: facts.distDir,
      DEMO_PEOPLE: facts.demo ? DEMO_PEOPLE.map(({ email }) => email).join(',') : '',
      DEMO_ROLES: facts.demo ? DEMO_PEOPLE.map(({ role }) => role).join('|') : '',
    },
  }
}
