import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Db, openPool } from '../../service/db/pool.ts'
import { ROOT } from '../sources.ts'
import { type Caller, createCaller } from './caller.ts'
import { median, time } from './measure.ts'
import { type Cpu, readCpu } from './processes.ts'
import { openInCluster, openOnThisMachine } from './scale/installations.ts'
import { type Places, type Room, seedRoom } from './scale/seed-room.ts'

// `npm run bench:scale`: the price of each interaction in rooms of 1,000, 10,000 and 100,000 folders with 10 files each,
// and as many people, activities and other rooms in proportion (100, 10,000 and 10 at the smallest size). All rooms are
// measured by turns, so that a busy machine is as slow for each of them. Prints milliseconds of one request and of its CPU,
// by how much the CPU grows, and a line for each work that grows by more than half; writes `bench-scale.json`. `--top 10`
// stops at the middle size, and `--only search` runs only what has the word in its name. `--cluster` measures the cluster
// of `npm run test:cluster` instead, a new one for each size, one after the other: replicated PostgreSQL behind PgBouncer,
// reads from a standby, three services behind HAProxy, content in Swift. CPU is that of all of these.
//
// Some works show more in a larger room: rights far below, where a hundred times the folders have a hundred times the
// overrides that make the shown subfolders mixed, the number of unread files, and the acts of the last 30 days. What grows
// is printed beside them, and the CPU of each further one instead of the growth.

const { values: options } = parseArgs({
  options: { top: { type: 'string' }, only: { type: 'string' }, cluster: { type: 'boolean', default: false } },
})
const SCALES = [1, 10, 100].filter((scale) => scale <= Number(options.top ?? 100))

/** Greatest growth of a flat curve, from the smallest room to the largest. */
const FLAT = 1.5

const ROUNDS = 3
/** In each round, work is repeated until it has used this much CPU, but not longer than this, in milliseconds. */
const ENOUGH_CPU = 250
const LONGEST = 3000
const FEWEST = 3
/** Work that follows a request, such as a zip, counts for it: a turn ends when all processes are quiet. */
const QUIET_FOR = 200
const QUIET_CPU = 20
const QUIET_WITHIN = 30_000
/** Uncounted: a connection plans a statement anew for the first few runs. */
const WARM_UP = 6

interface Price {
  wall: number
  node: number
  postgres: number
}

interface Work {
  run: () => Promise<unknown>
  /** How much is shown, where that grows with the room: overrides below what is listed, or counted files. */
  output?: number
}

type Works = Record<string, Work>

interface Curve {
  prices: Price[]
  /** Empty where what is shown does not grow. */
  outputs: number[]
}

/** Of the cluster that is measured. */
let servers: number[] = []
const cpuNow = () => readCpu(servers)

const curves = new Map<string, Curve>()
for (const scales of options.cluster ? SCALES.map((scale) => [scale]) : [SCALES]) await measure(scales)
await report()

/** Adds a price for each of these sizes, whose rooms exist at the same time, to each curve. */
async function measure(scales: readonly number[]): Promise<void> {
  await using ends = new AsyncDisposableStack()
  const rooms: Works[] = []
  for (const scale of scales) rooms.push(await openRoom(scale, ends))
  for (const work of Object.keys(rooms[0] ?? {})) {
    if (options.only && !work.includes(options.only)) continue
    const here = rooms.map((works) => works[work] as Work)
    const prices = await pricesOf(here.map(({ run }) => run))
    const outputs = here.flatMap(({ output }) => output ?? [])
    const curve = curves.get(work) ?? { prices: [], outputs: [] }
    curves.set(work, { prices: [...curve.prices, ...prices], outputs: [...curve.outputs, ...outputs] })
    console.log(
      `${work}: ${prices.map(({ node, postgres }) => `${shown(node)} + ${shown(postgres)}`).join(', ')} ms of CPU`,
    )
  }
}

async function openRoom(scale: number, ends: AsyncDisposableStack): Promise<Works> {
  const { apiUrl, credentials, databaseUrl, ...opened } = await (options.cluster ? openInCluster : openOnThisMachine)(
    ends,
  )
  servers = opened.servers
  const callerWith = (adminToken: string) => {
    const caller = createCaller(apiUrl, { ...credentials, adminToken })
    ends.defer(() => caller.close())
    return caller
  }
  const admin = callerWith(credentials.adminToken)
  const reader = await createUser(admin, 'reader@example.com')
  const guest = await createUser(admin, 'guest@example.com')
  const db = openPool(databaseUrl, 2, 0)
  const room = await createRoom(admin, { reader_id: reader.id, guest_id: guest.id })
  const [begun, before] = [performance.now(), cpuNow().postgres]
  const places = await seedRoom(db, room, scale)
  await untilReplayed(db)
  await db.destroy()
  const seconds = [performance.now() - begun, cpuNow().postgres - before].map((ms) => Math.round(ms / 1000))
  console.log(`${scale}×: seeded in ${seconds[0]} s, ${seconds[1]} of them of CPU`)
  return worksOf({ admin, reader: callerWith(reader.user_token), guest: callerWith(guest.user_token) }, room, places)
}

/** Reads may come from any standby. */
async function untilReplayed(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ behind: number }>`
      select count(*)::int as behind from pg_stat_replication where replay_lsn < pg_current_wal_lsn()`.execute(db)
    if (rows[0]?.behind === 0) return
    await sleep(QUIET_FOR)
  }
}

async function createUser({ call }: Caller, email: string): Promise<{ id: number; user_token: string }> {
  return call('POST', '/users', { user: { email, first_name: 'Rea', last_name: 'Der' } })
}

/** Creates a workspace with one file, whose content all seeded files share, and waits until it is ingested. */
async function createRoom({ call, put }: Caller, members: Pick<Room, 'reader_id' | 'guest_id'>): Promise<Room> {
  const { id: organization_id } = await call<{ id: number }>('GET', '/organization')
  const { id: admin_id } = await call<{ id: number }>('GET', '/users/me')
  const { id: team_id } = await call<{ id: number }>('POST', '/teams', { team: { name: 'Bench' } })
  const workspace = { name: 'Bench', team_id }
  const { id: workspace_id } = await call<{ id: number }>('POST', '/workspaces', { workspace })
  const content = Buffer.from('the quick brown fox jumps over the lazy dog')
  await put(`/files/upload?workspace_id=${workspace_id}&folder_id=0&file_name=model.txt`, content, content.length)
  for (;;) {
    const home = await call<{ immediate_subfiles: { viewer_status: string }[] }>(
      'GET',
      `/workspaces/${workspace_id}/home`,
    )
    if (!['Pending', 'Processing'].includes(home.immediate_subfiles[0]?.viewer_status ?? '')) break
    await new Promise((later) => setTimeout(later, 200))
  }
  return { workspace_id, organization_id, admin_id, ...members }
}

function worksOf(
  { admin, reader, guest }: Record<'admin' | 'reader' | 'guest', Caller>,
  { workspace_id }: Room,
  { wide, small, group, file_ids, overrides, viewed, acts }: Places,
): Works {
  const at = `workspace_id=${workspace_id}`
  const groupIds = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => `group_ids[]=${first + 2 * n}`).join('&')
  const get = (caller: Caller, path: string): Work => ({ run: () => caller.call('GET', path) })
  const change = (run: () => Promise<unknown>): Work => ({ run })
  const grid = (caller: Caller, groupId: number) =>
    get(caller, `/permissions/folders/${wide}?${at}&group_id=${groupId}`)
  const sheet = (caller: Caller, groups: string) =>
    get(caller, `/permissions/sheet?${at}&folder_ids[]=${wide}&${groups}`)
  const both = (name: string, path: string): Works => ({
    [`${name}, admin`]: get(admin, path),
    [`${name}, member`]: get(reader, path),
  })
  const all = (name: string, path: string): Works => ({ ...both(name, path), [`${name}, guest`]: get(guest, path) })
  let turn = 0
  const next = () => ++turn
  const content = Buffer.alloc(10 * 1024, 'x')
  const download = { workspace_id, download: { file_ids } }
  return {
    ...all('home', `/workspaces/${workspace_id}/home`),
    ...both('list 10 folders', `/folders/${small}?${at}`),
    ...all('list 1,000 folders', `/folders/${wide}?${at}`),
    ...all('first 100 of 1,000 folders', `/folders/${wide}?${at}&page=1&per_page=100`),
    ...both('grid level of 10 folders', `/permissions/folders/${small}?${at}&group_id=${group + 1}`),
    'grid level of 1,000 folders, admin': grid(admin, group + 1),
    'grid level of 1,000 folders, rights far below, admin': { ...grid(admin, group), output: overrides },
    'grid level of 1,000 folders, rights far below, member': { ...grid(reader, group), output: overrides },
    'sheet of 1,000 folders, 20 groups, admin': sheet(admin, groupIds(group + 1, 20)),
    'sheet of 1,000 folders, member': sheet(reader, groupIds(group + 1, 1)),
    'sheet of 1,000 folders, 20 groups, rights far below, admin': {
      ...sheet(admin, groupIds(group, 20)),
      output: 20 * overrides,
    },
    'sheet of 1,000 folders, rights far below, member': { ...sheet(reader, groupIds(group, 1)), output: overrides },
    ...both(
      'sheet of all below 10 folders',
      `/permissions/sheet?${at}&below=${small}&${groupIds(group, 1)}&${groupIds(group + 1, 1)}`,
    ),
    'view as a group, admin': get(admin, `/permissions/folders/${wide}/view_as?${at}&group_id=${group + 1}`),
    'rename a folder, admin': change(() =>
      admin.call('PUT', `/folders/${small}`, { workspace_id, folder: { name: `Small ${next()}` } }),
    ),
    'set a right at the top, admin': change(() =>
      admin.call('PUT', `/permissions/folders/${wide}`, {
        workspace_id,
        group_id: group + 5,
        verb: next() % 2 ? 'grant' : 'revoke',
        folder_action: 'upload',
      }),
    ),
    ...both('newest 100 activities', `/activities/workspace/${workspace_id}?per_page=100`),
    ...both('newest 50 events', `/activities/workspace/${workspace_id}/feed`),
    'reading of the last 30 days, admin': {
      ...get(admin, `/activities/workspace/${workspace_id}/summary`),
      output: acts,
    },
    'reading of the last 30 days in 11 folders, admin': get(
      admin,
      `/activities/workspace/${workspace_id}/summary?folder_id=${small}`,
    ),
    'reading of the last 30 days in 1,000 folders and all below, admin': {
      ...get(admin, `/activities/workspace/${workspace_id}/summary?folder_id=${wide}`),
      output: acts,
    },
    'newest 50 events of 11 folders, admin': get(
      admin,
      `/activities/workspace/${workspace_id}/feed?folder_id=${small}`,
    ),
    'newest 50 events of 1,000 folders and all below, admin': get(
      admin,
      `/activities/workspace/${workspace_id}/feed?folder_id=${wide}`,
    ),
    'welcome, member': get(reader, `/workspaces/${workspace_id}/welcome`),
    ...all('search files, 10 hits', `/files/search?${at}&q=early500`),
    ...all('search folders, 1 hit', `/folders/search?${at}&q=early501`),
    ...both('groups', `/groups?${at}`),
    'one group, admin': get(admin, `/groups/${group}?${at}`),
    'members of a group of two, admin': get(admin, `/groups/${group}/memberships?${at}`),
    'unread files of a group, admin': {
      ...get(admin, `/activities/workspace/${workspace_id}/unread/${group + 1}`),
      output: viewed,
    },
    'trash, admin': get(admin, `/trash?${at}`),
    'own downloads, member': get(reader, `/downloads/status/${workspace_id}`),
    ...both('news of workspaces', '/users/me/news'),
    ...both('list of news', '/users/me/news/items'),
    ...both('unread files of a workspace', `/workspaces/${workspace_id}/unread`),
    'own workspaces, member': get(reader, '/users/me/workspaces'),
    'download 100 files, member': change(() => reader.call('POST', '/downloads', download)),
    'create a folder, admin': change(() =>
      admin.call('POST', '/folders', { workspace_id, parent_id: small, name: `New ${next()}` }),
    ),
    'upload 10 KiB, admin': change(() =>
      admin.put(`/files/upload?${at}&folder_id=${small}&file_name=${next()}.txt`, content, content.length),
    ),
  }
}

/** The medians of some rounds, in which each room has its turn. */
async function pricesOf(runs: (() => Promise<unknown>)[]): Promise<Price[]> {
  for (const run of runs) await warmUp(run)
  const rounds: Price[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const prices: Price[] = []
    for (const run of runs) prices.push(await priceOf(run))
    rounds.push(prices)
  }
  return runs.map((_, at) => {
    const of = (part: keyof Price) => median(rounds.map((prices) => prices[at]?.[part] ?? Number.NaN))
    return { wall: of('wall'), node: of('node'), postgres: of('postgres') }
  })
}

async function warmUp(run: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  for (let round = 0; round < WARM_UP && performance.now() - begun < LONGEST; round++) await run()
  await untilQuiet()
}

async function priceOf(run: () => Promise<unknown>): Promise<Price> {
  const times: number[] = []
  const before = cpuNow()
  const start = performance.now()
  for (;;) {
    times.push(await time(run))
    const used = cpuNow()
    const cpu = { node: used.node - before.node, postgres: used.postgres - before.postgres }
    const isEnough = cpu.node + cpu.postgres >= ENOUGH_CPU || performance.now() - start >= LONGEST
    if (isEnough && times.length >= FEWEST) break
  }
  await untilQuiet()
  const used = cpuNow()
  const perRun = (part: keyof Cpu) => (used[part] - before[part]) / times.length
  return { wall: median(times), node: perRun('node'), postgres: perRun('postgres') }
}

async function untilQuiet(): Promise<void> {
  const begun = performance.now()
  for (let last = cpuNow(); performance.now() - begun < QUIET_WITHIN;) {
    await sleep(QUIET_FOR)
    const now = cpuNow()
    if (now.node + now.postgres - last.node - last.postgres <= QUIET_CPU) return
    last = now
  }
}

async function report(): Promise<void> {
  const rows = [...curves].map(([work, { prices, outputs }]) => ({
    work,
    ...Object.fromEntries(prices.map(({ wall }, at) => [`${SCALES[at]}× ms`, shown(wall)])),
    ...Object.fromEntries(
      prices.map(({ node, postgres }, at) => [`${SCALES[at]}× CPU`, `${shown(node)} + ${shown(postgres)}`]),
    ),
    growth: shown(growthOf(prices)),
    'of what grows': outputs.join(', '),
    'µs each': outputs.length > 0 ? shown(1000 * perFurther(prices, outputs)) : '',
  }))
  console.table(rows)
  for (const [work, { prices, outputs }] of curves) {
    if (outputs.length === 0 && growthOf(prices) > FLAT) {
      console.log(`grows by more than ${FLAT}×: ${work} (${shown(growthOf(prices))}×)`)
    }
  }
  const file = join(ROOT, 'bench-scale.json')
  await writeFile(
    file,
    `${JSON.stringify({ measured_at: new Date().toISOString(), scales: SCALES, curves: Object.fromEntries(curves) }, null, 2)}\n`,
  )
  console.log(
    `CPU is that of Node${options.cluster ? ', pooler, balancer and store' : ''} + PostgreSQL in milliseconds. The same as JSON: ${file}`,
  )
}

function cpuOf({ node, postgres }: Price): number {
  return node + postgres
}

function growthOf(prices: readonly Price[]): number {
  return cpuOf(prices.at(-1) as Price) / cpuOf(prices[0] as Price)
}

function perFurther(prices: readonly Price[], outputs: readonly number[]): number {
  return (cpuOf(prices.at(-1) as Price) - cpuOf(prices[0] as Price)) / ((outputs.at(-1) ?? 0) - (outputs[0] ?? 0))
}

function shown(value: number): number {
  return Number(value.toPrecision(3))
}
