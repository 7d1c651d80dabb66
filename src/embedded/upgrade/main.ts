import { parseArgs } from 'node:util'
import { readConfig as readServiceConfig } from '../../service/base/config.ts'
import { examine } from '../../service/doctor/examine.ts'
import { readConfig } from '../config.ts'
import { readCredentials } from '../credentials.ts'
import { printFindings } from '../doctor/print-findings.ts'
import { upgradeCluster } from './upgrade.ts'

// `npm run upgrade [-- --from FOLDER]` brings the database of a data folder to this release's PostgreSQL.

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupted.abort(new Error('Interrupted. The installation is as it was.')))

/** Errors elsewhere, such as content that is missing, were there before and keep nothing from being upgraded. */
const DECIDES = new Set(['database', 'audit'])

async function verify(databaseUrl: string): Promise<void> {
  const config = readConfig()
  const { masterKey } = await readCredentials(config.dataDir, config.given)
  if (!masterKey) throw new Error('There is no master key, so the audit trails cannot be verified. Set MASTER_KEY.')
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, MASTER_KEY: masterKey }
  const findings = await examine(readServiceConfig({ ...config.inherited, ...config.contentStore, ...settings }))
  printFindings(findings.filter(({ state }) => state !== 'ok'))
  const wrong = findings.filter(({ state, check }) => state === 'error' && DECIDES.has(check))
  if (wrong.length > 0) throw new Error('The copy is not sound, and is not used. The installation is as it was.')
}

process.umask(0o077)
try {
  const { values } = parseArgs({ options: { from: { type: 'string' } } })
  const { dataDir, databaseUrl } = readConfig()
  if (databaseUrl) throw new Error('DATABASE_URL names the database: upgrade that PostgreSQL by its own tools.')
  const { from } = values
  const done = await upgradeCluster({ dataDir, from, log: console.log, signal: interrupted.signal, verify })
  if (done) {
    console.log(`The database is upgraded: ${done.rows.toLocaleString('en')} rows, each compared with the original.`)
    console.log(`${done.kept} keeps the old one. Remove it when all is well.`)
  } else console.log('The database is of the PostgreSQL of this release already.')
  process.exit(0)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
