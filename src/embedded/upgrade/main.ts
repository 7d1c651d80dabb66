import { parseArgs } from 'node:util'
import { readConfig as readServiceConfig } from '../../service/base/config.ts'
import { examine } from '../../service/doctor/examine.ts'
import { type Config, readConfig } from '../config.ts'
import { readCredentials } from '../credentials.ts'
import { printFindings } from '../doctor/print-findings.ts'
import { upgradeCluster } from './upgrade.ts'

// `npm run upgrade [-- --from FOLDER]` brings the database of a data folder to this release's PostgreSQL.

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupted.abort(new Error('Interrupted. The installation is as it was.')))

/** Errors elsewhere, such as content that is missing, were there before and keep nothing from being upgraded. */
const DECIDES = new Set(['database', 'audit'])

async function keyOf({ dataDir, given }: Config): Promise<string> {
  const { masterKey } = await readCredentials(dataDir, given)
  if (masterKey) return masterKey
  throw new Error(`There is no master key in ${dataDir}, and the audit trails need it. Set DATA_DIR or MASTER_KEY.`)
}

async function verify(config: Config, masterKey: string, databaseUrl: string): Promise<void> {
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, MASTER_KEY: masterKey }
  const findings = await examine(readServiceConfig({ ...config.inherited, ...config.contentStore, ...settings }))
  printFindings(findings.filter(({ state }) => state !== 'ok'))
  const wrong = findings.filter(({ state, check }) => state === 'error' && DECIDES.has(check))
  if (wrong.length > 0) throw new Error('The copy is not sound, and is not used. The installation is as it was.')
}

process.umask(0o077)
try {
  const { values } = parseArgs({ options: { from: { type: 'string' } } })
  const config = readConfig()
  const { dataDir } = config
  if (config.databaseUrl) throw new Error('DATABASE_URL names the database: upgrade that PostgreSQL by its own tools.')
  const { from } = values
  const masterKey = await keyOf(config)
  const { signal } = interrupted
  const options = { dataDir, from, log: console.log, signal, verify: (url: string) => verify(config, masterKey, url) }
  const done = await upgradeCluster(options)
  if (done) {
    console.log(`The database is upgraded: ${done.rows.toLocaleString('en')} rows, each compared with the original.`)
    console.log(`${done.kept} keeps the old one. Remove it when all is well.`)
  } else console.log('The database is of the PostgreSQL of this release already.')
  process.exit(0)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
