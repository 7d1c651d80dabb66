import { spawnSync } from 'node:child_process'
import { chown, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, identity, makePrivate } from './account.ts'
import { ENVIRONMENT, MAJOR } from './binaries.ts'
import { HBA, identMap, USER } from './settings.ts'

/**
 * Makes the cluster where there is none, under another name that is then changed, so an incomplete one is never used.
 * @throws Error for data of another version, or for a folder with other content
 */
export async function prepareCluster(
  clusterDir: string,
  native: string,
  account: Account,
  durable: boolean,
): Promise<void> {
  if (!(await isCluster(clusterDir))) await createCluster(clusterDir, native, account, durable)
  await writeAccess(clusterDir, account)
}

/** The major version of a cluster; undefined if there is none. */
export async function majorIn(clusterDir: string): Promise<string | undefined> {
  return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim() || undefined
}

async function isCluster(clusterDir: string): Promise<boolean> {
  const version = await majorIn(clusterDir)
  if (version === MAJOR) return true
  if (version) {
    throw new Error(
      `${clusterDir} holds data of PostgreSQL ${version}; this version brings PostgreSQL ${MAJOR}. ` +
        (Number(version) < Number(MAJOR)
          ? 'Upgrade it: npm run upgrade.'
          : 'Run the release that made it, or a newer one: a downgrade is not possible.'),
    )
  }
  const content = await readdir(clusterDir).catch(() => [])
  if (content.length > 0) throw new Error(`${clusterDir} is not empty and not a PostgreSQL data folder.`)
  return false
}

/** Sorts by code point and handles upper and lower case of all scripts, the same on every machine. */
const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

export async function createCluster(
  clusterDir: string,
  native: string,
  account: Account,
  durable: boolean,
): Promise<void> {
  const draft = `${clusterDir}.part`
  await rm(draft, { recursive: true, force: true })
  await makePrivate(draft, account)
  const { status, stderr, error } = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', draft, '-U', USER, '-E', 'UTF8', ...LOCALE, '--auth=peer', '--no-instructions', ...(durable ? [] : ['-N'])],
    { ...identity(account), cwd: '/', env: ENVIRONMENT, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`PostgreSQL could not make its data folder: ${error?.message ?? stderr.trim()}`)
  await rm(clusterDir, { recursive: true, force: true })
  await rename(draft, clusterDir)
}

/** Writes who may connect. Runs at every start, because the system user may differ each time. */
export async function writeAccess(clusterDir: string, account: Account): Promise<void> {
  for (const [name, content] of [
    ['pg_hba.conf', HBA],
    ['pg_ident.conf', identMap(account.names)],
  ] as const) {
    const file = join(clusterDir, name)
    await writeFile(file, content, { mode: 0o600 })
    if (account.foreign) await chown(file, account.uid, account.gid)
  }
}
