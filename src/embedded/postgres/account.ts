import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { SYSTEM_ENVIRONMENT } from '../../service/base/child-environment.ts'

/** The system account that runs PostgreSQL, which refuses to run as root. */
export interface Account {
  uid: number
  gid: number
  /** Names of the system users that may connect: the user of this process and that of PostgreSQL. */
  names: string[]
  /** Whether the account differs from the user of this process, which is then root. */
  foreign: boolean
}

/**
 * Chooses our own account or, as root, the owner of the existing cluster or an unprivileged account.
 * @throws Error when the cluster belongs to a user that we cannot act as
 */
export async function accountFor(clusterDir: string): Promise<Account> {
  const owner = await stat(clusterDir).catch(() => undefined)
  const own = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  if (own.uid === 0) return unprivileged(owner)
  if (owner && owner.uid !== own.uid) {
    throw new Error(
      `${clusterDir} belongs to ${nameOf(owner.uid)}. Start Strongroom as that user or as root, or choose another DATA_DIR.`,
    )
  }
  return { ...own, names: [nameOf(own.uid)], foreign: false }
}

function unprivileged(owner: { uid: number; gid: number } | undefined): Account {
  const chosen = owner && owner.uid !== 0 ? owner : (find('postgres') ?? find('_postgres') ?? find('nobody'))
  if (!chosen) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.')
  return {
    uid: chosen.uid,
    gid: chosen.gid,
    names: [...new Set([userInfo().username, nameOf(chosen.uid)])],
    foreign: true,
  }
}

function find(name: string): { uid: number; gid: number } | undefined {
  const uid = id('-u', name)
  const gid = id('-g', name)
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

const nameOf = (uid: number): string => id('-un', String(uid)) ?? `user id ${uid}`

function id(...args: string[]): string | undefined {
  try {
    return execFileSync('id', args, {
      env: SYSTEM_ENVIRONMENT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/** User and group to spawn with. */
export const identity = (account: Account): { uid?: number; gid?: number } =>
  account.foreign ? { uid: account.uid, gid: account.gid } : {}

/** Makes a folder that only the account can enter. */
export async function makePrivate(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if (account.foreign) await chown(folder, account.uid, account.gid)
}

/** Lets the account reach the data folder: adds one search bit to each parent that lacks it. */
export async function openParents(folder: string, account: Account, log: (line: string) => void): Promise<void> {
  if (!account.foreign) return
  for (let each = folder; ; each = dirname(each)) {
    // The data folder is ours alone, so its group becomes that of the account.
    if (each === folder) await chown(each, -1, account.gid)
    const { mode, uid, gid } = await stat(each)
    const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & needed) === 0) {
      await chmod(each, (mode & 0o7777) | needed)
      if (each !== folder)
        log(`Made ${each} passable (search permission only) for ${account.names.at(-1)}, who runs PostgreSQL.`)
    }
    if (each === dirname(each)) return
  }
}
