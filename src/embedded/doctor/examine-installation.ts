import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig as readServiceConfig } from '../../service/base/config.ts'
import { examine } from '../../service/doctor/examine.ts'
import { type Finding, findingsOf } from '../../service/doctor/finding.ts'
import { type Config, readConfig } from '../config.ts'
import { readCredentials } from '../credentials.ts'
import { listOpenToOthers } from '../private-folder.ts'
import { type ReachedDatabase, reachDatabase } from '../reach-database.ts'

const ANSWER_MS = 5000

const settings = findingsOf('settings')
const node = findingsOf('node')

export async function examineInstallation(): Promise<Finding[]> {
  return examineAll().catch((error: Error) => [
    node.error(`The examination ended early: ${error.message}`, 'Mend this, and run the examination again.'),
  ])
}

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
    ...config.contentStore,
    DATABASE_URL: database.url,
    DATA_DIR: config.dataDir,
    MASTER_KEY: masterKey,
    ...(config.smtpUrl && { SMTP_URL: config.smtpUrl }),
  })
  return [await readinessOf(config, database.state), ...(await examine(service))]
}

async function readinessOf({ publicUrl, dataDir }: Config, state: ReachedDatabase['state']): Promise<Finding> {
  if (state === 'started') return node.ok(`Strongroom is stopped; its database in ${dataDir} ran for the examination.`)
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
