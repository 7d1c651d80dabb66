import type { BlobPlace } from '../../../service/base/blob-place.ts'
import { startService } from '../../../service/app.ts'
import { readConfig } from '../../../service/base/config.ts'
import { Client } from '../../../service/testing/client.ts'
import type { TestService } from '../../../service/testing/start-service.ts'
import { startPostgres } from '../../postgres.ts'

interface Installation {
  dataDir: string
  masterKey: string
  blobPlace?: BlobPlace | undefined
}

const [key, secret, token] = ['a'.repeat(40), 'b'.repeat(64), 'c'.repeat(40)]

/** Starts the embedded database and a service on a data folder. `running` gets what stops them. */
export async function startInstallation(
  installation: Installation,
  running: (() => Promise<unknown>)[],
): Promise<TestService> {
  const postgres = await startPostgres({ dataDir: installation.dataDir, durable: false })
  running.push(() => postgres.stop())
  const service = await startServiceOn(postgres.databaseUrl, installation)
  running.push(() => service.close())
  return service
}

export async function startServiceOn(
  DATABASE_URL: string,
  { dataDir, masterKey: MASTER_KEY, blobPlace }: Installation,
): Promise<TestService> {
  const bootstrap = { BOOTSTRAP_API_KEY: key, BOOTSTRAP_API_SECRET: secret, BOOTSTRAP_ADMIN_TOKEN: token }
  const place = { DATABASE_URL, DATA_DIR: dataDir, MASTER_KEY, API_PORT: '0' }
  const config = { ...readConfig({ ...place, ...bootstrap, RATE_LIMIT: 'off', LOG: 'silent' }), blobPlace }
  const service = await startService(config)
  const as = ({ user_token }: { user_token: string }) => new Client(service.url, { key, secret, token: user_token })
  return { ...service, config, admin: as({ user_token: token }), as, setClock: () => {} }
}
