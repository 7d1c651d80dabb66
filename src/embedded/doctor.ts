import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig as readServiceConfig } from '../service/base/config.ts'
import { examine } from '../service/doctor/examine.ts'
import { type Finding, findingsOf } from '../service/doctor/finding.ts'
import { type Config, readConfig } from './config.ts'
import { readCredentials } from './credentials.ts'
import { startPostgres } from './postgres.ts'
import { findPostmaster } from './postgres/postmaster.ts'
import { connectionString, DATABASE } from './postgres/settings.ts'
import { listOpenToOthers } from './private-folder.ts'

// `npm run doctor [-- --json]` examines an installation with the settings of its environment, and says what to do
// about each finding. It changes nothing. Exits with 1 after an error, with 0 after warnings.

const ANSWER_MS = 5000

const settings = findingsOf('settings')
const node = findingsOf('node')

async function examineAll(): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    const wrong = (error as Error).message.split('\n')
    return wrong.map((line) => settings.error(line, 'See deploy/settings.md.'))
  }
  const absent = await absenceOf(config)
  if (absent) return [absent]
  return [await privacyOf(config), ...(await examineRunning(config))]
}

async function absenceOf({ dataDir, databaseUrl }: Config): Promise<Finding | undefined> {
  const folder = databaseUrl ? dataDir : join(dataDir, 'postgres')
  const isThere = await stat(folder).catch(() => undefined)
  if (isThere) return undefined
  return settings.error(
    `There is no installation in ${dataDir}.`,
    'Name its folder in DATA_DIR, or start it: npm start.',
  )
}

async function privacyOf({ dataDir }: Config): Promise<Finding> {
  const open = await listOpenToOthers(dataDir)
  if (open.length === 0) return settings.ok(`${dataDir} is closed to other users.`)
  return settings.error(
    `Other users of this machine can read ${open.join(', ')}.`,
    'Start Strongroom: it closes its folder.',
  )
}

async function examineRunning(config: Config): Promise<Finding[]> {
  const { masterKey } = await readCredentials(config.dataDir, config.given)
  if (!masterKey) return [settings.error('There is no master key.', 'Set MASTER_KEY, or restore credentials.json.')]
  await using database = await reachDatabase(config)
  const service = readServiceConfig({
    ...config.inherited,
    DATABASE_URL: database.url,
    DATA_DIR: config.dataDir,
    MASTER_KEY: masterKey,
    ...(config.smtpUrl && { SMTP_URL: config.smtpUrl }),
  })
  return [await readinessOf(config, database.wasRunning), ...(await examine(service))]
}

/** The database of a stopped installation runs for the examination. */
async function reachDatabase({ dataDir, databaseUrl }: Config) {
  const running = async () => {}
  if (databaseUrl) return { url: databaseUrl, wasRunning: undefined, [Symbol.asyncDispose]: running }
  const found = await findPostmaster(join(dataDir, 'postgres'))
  if (found) {
    return { url: connectionString(found.socketDir, DATABASE), wasRunning: true, [Symbol.asyncDispose]: running }
  }
  const started = await startPostgres({ dataDir })
  return { url: started.databaseUrl, wasRunning: false, [Symbol.asyncDispose]: () => started.stop() }
}

async function readinessOf({ publicUrl, dataDir }: Config, wasRunning: boolean | undefined): Promise<Finding> {
  if (wasRunning === false) return node.ok(`Strongroom is stopped; its database in ${dataDir} ran for the examination.`)
  try {
    const reply = await fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { warnings = [] } = (await reply.json()) as { warnings?: string[] }
    if (reply.ok && warnings.length === 0) return node.ok(`${publicUrl} is ready.`)
    const message = warnings.length > 0 ? warnings.join(' ') : `${publicUrl} answers ${reply.status}.`
    return node.warning(message, 'Read the last lines of the log of the service and the proxy.')
  } catch (error) {
    const message = `${publicUrl} does not answer: ${(error as Error).message}.`
    return node.error(message, 'Start Strongroom, or compare PUBLIC_URL with its address.')
  }
}

function print(findings: readonly Finding[]): void {
  const columns = [7, 9] as const
  for (const { state, check, message, advice } of findings) {
    console.log(`${state.padEnd(columns[0])}  ${check.padEnd(columns[1])}  ${message}`)
    if (advice) console.log(`${' '.repeat(columns[0] + columns[1] + 4)}→ ${advice}`)
  }
}

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })
const findings = await examineAll().catch((error: Error) => [
  node.error(`The examination ended early: ${error.message}`, 'Mend this, and run the examination again.'),
])
if (values.json) console.log(JSON.stringify(findings, null, 2))
else print(findings)
process.exit(findings.some(({ state }) => state === 'error') ? 1 : 0)
