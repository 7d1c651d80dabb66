import { setTimeout as sleep } from 'node:timers/promises'
import { type Standing, standingOf } from '../access/followers.ts'
import type { Workspace } from '../access/scopes.ts'
import { ALONE, type Siblings } from '../../wire/siblings.ts'
import { ACTS, receiveHints } from '../db/hints.ts'
import type { Db } from '../db/pool.ts'
import type { Replica } from '../db/replica.ts'
import { ApiError, busy } from '../base/errors.ts'
import { listRecentActivities, listVisibleActivities, type RecentActivity } from '../store/audit/recent-activities.ts'
import { mapInTurns } from '../base/turns.ts'
import { Follower, type WorkspaceEvent } from './follower.ts'
import { isOfFiles, kindsOf } from './kinds.ts'

/** The shortest pause between two looks that hints cause, however many arrive. */
const APART_MS = 250
const RECHECK_MS = 3500
/** Hints are received for this long after the last follower has left, who may only be loading the page again. */
const LINGER_MS = 10_000
/** New followers also get events of this period, which a page read just before may not contain. */
const GREETING_SECONDS = 5
const MAX_OF_ONE_USER = 12
const MAX_FOLLOWERS = 5000

interface Sources {
  db: Db
  replica: Replica
  /** Of the connection that receives hints; undefined without one. */
  directUrl: string | undefined
}

export interface Followers {
  /** @throws ApiError 429 if the user, or all users together, follow too much already, 503 once closed */
  follow(workspace: Workspace, seconds: number): AsyncIterableIterator<WorkspaceEvent>
  count(): number
  close(): Promise<void>
}

/**
 * Looks for new activities for the followers of all workspaces together: when a hint says that there may be one, and
 * once a second, or every few seconds while hints can be relied on. It also checks every few seconds whether followers
 * still have access. Each node does this for itself; a lost hint only delays an event. If a look fails, all streams end,
 * and clients connect again.
 */
export function createFollowers(
  { db, replica, directUrl }: Sources,
  clock: () => Date,
  siblings: Siblings = ALONE,
): Followers {
  const followers = new Set<Follower>()
  /** Ids of recent activities that were sent already, by workspace. */
  let told = new Map<number, Set<number>>()
  let looking: Promise<void> | undefined
  const closing = new AbortController()
  let pause = new AbortController()
  let checkedAt = 0

  const ofUser = (id: number) => [...followers].filter((each) => each.workspace.actor.id === id).length
  const elsewhere = countElsewhere(siblings, () => [...followers].map(({ workspace }) => workspace.actor.id), ofUser)

  const endAll = () => [...followers].forEach((follower) => follower.end())

  function startLooking(): void {
    looking ??= keepLooking().finally(() => {
      looking = undefined
      if (followers.size > 0) startLooking()
    })
  }

  async function keepLooking(): Promise<void> {
    const hints = receiveHints(ACTS, directUrl)
    for (let isHinted = true; !closing.signal.aborted;) {
      pause = new AbortController()
      const seen = hints.count()
      const isNews = await look()
      if (isNews && !isHinted) hints.distrust()
      if (followers.size === 0) await rest(LINGER_MS, pause.signal)
      if (followers.size === 0) break
      if (isHinted) await rest(APART_MS, pause.signal)
      await hints.after(seen, pause.signal, Math.max(0, checkedAt + RECHECK_MS - Date.now()))
      isHinted = hints.count() > seen
    }
    await hints.close()
  }

  /** @returns whether a follower got news from after the look before */
  async function look(): Promise<boolean> {
    try {
      await recheck()
      return await tell()
    } catch {
      endAll()
      return false
    }
  }

  async function recheck(afterMs = RECHECK_MS): Promise<void> {
    if (Date.now() - checkedAt < afterMs) return
    const checked = [...followers]
    const standing = await standingOf(
      db,
      checked.map(({ workspace }) => workspace),
      clock(),
    )
    for (const [at, follower] of checked.entries()) {
      const now = standing[at]
      if (now) restate(follower, now)
      else follower.end()
    }
    checkedAt = Date.now()
  }

  async function tell(): Promise<boolean> {
    const workspaces = new Map([...followers].map(({ workspace }) => [workspace.id, workspace]))
    const rows = await replica.read((at) => listRecentActivities(at, [...workspaces.values()]))
    // Terms stand before every event that follows them.
    if (rows.some(({ verb }) => verb === 'issued')) await recheck(0)
    const present = [...followers].filter(({ workspace }) => workspaces.has(workspace.id))
    const recent = Map.groupBy(rows, (row) => row.workspace_id)
    const ofWorkspaces = new Map([...recent].map(([id, rows]) => [id, newsOf(rows, told.get(id))]))
    const news = new Map(
      present.map((each): [Follower, RecentActivity[]] => {
        const { untold = [], fresh = [] } = ofWorkspaces.get(each.workspace.id) ?? {}
        return [each, each.greeted ? untold : fresh]
      }),
    )
    const isNews = present.some((each) => each.greeted && news.get(each)!.length > 0)
    const visible = await replica.read((at) => listVisible(at, news))
    await mapInTurns(present, (follower) => {
      tellOne(follower, news.get(follower) ?? [], visible.get(audienceOf(follower)))
      if (Date.now() >= follower.until) follower.end()
    })
    told = new Map([...recent].map(([id, rows]) => [id, new Set(rows.map((row) => row.id))]))
    return isNews
  }

  return {
    follow(workspace, seconds) {
      const { id } = workspace.actor
      if (closing.signal.aborted) throw busy()
      if (ofUser(id) + elsewhere.ofUser(id) >= MAX_OF_ONE_USER || followers.size >= MAX_FOLLOWERS) throw tooManyFollow()
      const follower = new Follower(workspace, Date.now() + seconds * 1000, (each) => {
        followers.delete(each)
        elsewhere.tell(id)
      })
      if (followers.size === 0) checkedAt = Date.now()
      followers.add(follower)
      elsewhere.tell(id)
      pause.abort()
      startLooking()
      return follower
    },
    count: () => followers.size,
    async close() {
      closing.abort()
      endAll()
      pause.abort()
      await looking
    },
  }
}

const rest = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {})

/** Knows how many streams a user has in other processes, and tells them how many there are here. */
function countElsewhere(siblings: Siblings, users: () => number[], ofUser: (id: number) => number) {
  const counts = new Map<number, Map<number, number>>()
  const share = siblings.share<[user: number, streams: number][]>('followers', {
    hear(news, from) {
      const ofProcess = counts.get(from) ?? new Map<number, number>()
      counts.set(from, ofProcess)
      for (const [user, streams] of news) {
        if (streams > 0) ofProcess.set(user, streams)
        else ofProcess.delete(user)
      }
    },
    greet: () => [...new Set(users())].map((id) => [id, ofUser(id)]),
    forget: (slot) => counts.delete(slot),
  })
  return {
    ofUser: (id: number) => [...counts.values()].reduce((sum, ofProcess) => sum + (ofProcess.get(id) ?? 0), 0),
    tell: (id: number) => share([[id, ofUser(id)]]),
  }
}

/** Splits off the activities that no follower has been told, and those recent enough for a new follower. */
function newsOf(rows: readonly RecentActivity[], told: ReadonlySet<number> = new Set()) {
  return {
    untold: rows.filter(({ id }) => !told.has(id)),
    fresh: rows.filter(({ age_seconds }) => age_seconds < GREETING_SECONDS),
  }
}

/** A reader whose groups have changed sees other files than before. */
function restate(follower: Follower, { admin, group_ids }: NonNullable<Standing>): void {
  const former = follower.groupIds.toSorted((a, b) => a - b).join()
  if (former !== group_ids.join() || follower.admin !== admin) follower.tell(['files', 'permissions'], false)
  follower.admin = admin
  follower.groupIds = group_ids
}

/** Followers with the same groups in the same workspace see the same activities. */
const audienceOf = ({ workspace, groupIds }: Follower) => `${workspace.id} ${groupIds.join()}`

/** For each audience without admins, returns which news about files or folders it can see. */
async function listVisible(
  db: Db,
  news: ReadonlyMap<Follower, readonly RecentActivity[]>,
): Promise<Map<string, Set<number>>> {
  const visible = new Map<string, Set<number>>()
  const members = [...news.keys()].filter(({ admin }) => !admin)
  for (const [audience, followers] of Map.groupBy(members, audienceOf)) {
    const lists = new Set(followers.map((follower) => news.get(follower) ?? []))
    const rows = [...lists].flat()
    const ids = new Set(rows.filter(({ subject_type }) => isOfFiles(subject_type)).map(({ id }) => id))
    const [first] = followers
    if (!first || ids.size === 0) continue
    const groups = { workspace_id: first.workspace.id, group_ids: first.groupIds }
    visible.set(audience, await listVisibleActivities(db, groups, [...ids]))
  }
  return visible
}

function tellOne(follower: Follower, news: readonly RecentActivity[], visible: ReadonlySet<number> = new Set()): void {
  const { workspace, admin, groupIds } = follower
  for (const row of news) {
    const kinds = kindsOf(row, { id: workspace.actor.id, admin, groupIds, sees: visible.has(row.id) })
    follower.tell(kinds, row.user_id === workspace.actor.id)
  }
  follower.greeted = true
  follower.flush()
}

function tooManyFollow(): ApiError {
  return new ApiError('too_many_streams', {}, { headers: { 'Retry-After': '60' } })
}
