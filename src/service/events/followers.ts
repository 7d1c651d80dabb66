import { standingOf } from '../access/followers.ts'
import type { Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { listRecentActivities, type RecentActivity } from '../store/recent-activities.ts'
import { Follower, type WorkspaceEvent } from './follower.ts'
import { kindsOf } from './kinds.ts'

const LOOK_MS = 1000
/** Who may not follow any more hears nothing after this long. */
const RECHECK_MS = 3500
/** What a page read just before it began to follow may be older than this. */
const GREETING_SECONDS = 5
const MAX_OF_ONE_USER = 12
const MAX_FOLLOWERS = 5000

export interface Followers {
  /** @throws ApiError 429 where a user, or everybody together, follows too much already */
  follow(workspace: Workspace, seconds: number): AsyncIterableIterator<WorkspaceEvent>
  /** Ends all streams. */
  close(): void
}

/**
 * Looks once a second, for all who follow any workspace together, what has newly happened, and every few seconds whether
 * they still may. On every node for itself; nothing depends on notifications of the database. When it cannot look, all
 * streams end, and whoever wants to follow comes back.
 */
export function createFollowers(db: Db, clock: () => Date): Followers {
  const followers = new Set<Follower>()
  /** Ids of recent activities that were told already, by workspace. */
  let told = new Map<number, Set<number>>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let checkedAt = 0

  const endAll = () => [...followers].forEach((follower) => follower.end())

  async function look(): Promise<void> {
    looking = true
    try {
      await recheck()
      await tell()
    } catch {
      endAll()
    }
    looking = false
    if (followers.size > 0) timer = setTimeout(() => void look(), LOOK_MS)
  }

  async function recheck(): Promise<void> {
    if (Date.now() - checkedAt < RECHECK_MS) return
    const checked = [...followers]
    const standing = await standingOf(
      db,
      checked.map(({ workspace }) => workspace),
      clock(),
    )
    for (const [at, follower] of checked.entries()) {
      const now = standing[at]
      if (now) follower.admin = now.admin
      else follower.end()
    }
    checkedAt = Date.now()
  }

  async function tell(): Promise<void> {
    const present = [...followers]
    const workspaces = new Map(present.map(({ workspace }) => [workspace.id, workspace]))
    const recent = Map.groupBy(await listRecentActivities(db, [...workspaces.values()]), (row) => row.workspace_id)
    for (const follower of present) {
      const rows = recent.get(follower.workspace.id) ?? []
      tellOne(follower, rows, told.get(follower.workspace.id))
      if (Date.now() >= follower.until) follower.end()
    }
    told = new Map([...recent].map(([id, rows]) => [id, new Set(rows.map((row) => row.id))]))
  }

  return {
    follow(workspace, seconds) {
      const ofUser = [...followers].filter((each) => each.workspace.actor.id === workspace.actor.id).length
      if (ofUser >= MAX_OF_ONE_USER || followers.size >= MAX_FOLLOWERS) throw tooManyFollow()
      const follower = new Follower(workspace, Date.now() + seconds * 1000, (each) => followers.delete(each))
      if (followers.size === 0) checkedAt = Date.now()
      followers.add(follower)
      if (!looking) {
        clearTimeout(timer)
        void look()
      }
      return follower
    },
    close() {
      clearTimeout(timer)
      endAll()
    },
  }
}

function tellOne(follower: Follower, rows: readonly RecentActivity[], told: ReadonlySet<number> = new Set()): void {
  const { actor } = follower.workspace
  const isNews = ({ id, age_seconds }: RecentActivity) =>
    follower.greeted ? !told.has(id) : age_seconds < GREETING_SECONDS
  for (const row of rows.filter(isNews)) {
    follower.tell(kindsOf(row, { id: actor.id, admin: follower.admin }), row.user_id === actor.id)
  }
  follower.greeted = true
  follower.flush()
}

function tooManyFollow(): ApiError {
  const message = 'Too many streams of events are open. Close one and try again.'
  return new ApiError(429, message, undefined, { 'Retry-After': '60' })
}
