import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startStack } from '../../../e2e/stack.ts'
import { startPostgres } from '../../embedded/postgres.ts'
import { type Db, openPool } from '../../service/db/pool.ts'
import { samplePdf } from '../../service/testing/documents/sample-pdf.ts'
import { ROOT } from '../sources.ts'
import { createCaller } from './caller.ts'
import { readCpu } from './processes.ts'
import { createCorpus } from './search/corpus.ts'

// `npm run bench:capacity`: what one workspace, folder, member, right, file, page and activity take, made through the API
// and then read as readers do: rows and bytes of PostgreSQL with indexes, its log, content, page cache, and CPU. Prints a
// table and the tables that grew most, and writes `bench-capacity.json`. docs/capacity.md computes with these figures.

interface Total {
  rows: Map<string, number>
  bytes: Map<string, number>
  log: number
  content: number
  cache: number
  node: number
  postgres: number
}

interface Growth {
  per: string
  rows: number
  database_bytes: number
  log_bytes: number
  content_bytes: number
  cache_bytes: number
  node_ms: number
  postgres_ms: number
  largest: Record<string, number>
}

const LANES = 4

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-capacity-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataDir: folder, durable: false })
ends.defer(() => postgres.stop())
const stack = await startStack({ demo: false, env: { DATABASE_URL: postgres.databaseUrl, RATE_LIMIT: 'off' } })
ends.defer(() => stack.stop())
const { call, put, read, close } = createCaller(stack.apiUrl, stack.credentials)
ends.defer(close)
const db = openPool(postgres.databaseUrl, 2, 0)
ends.defer(() => db.destroy())

const { id: team_id } = await call<{ id: number }>('POST', '/teams', {
  team: { name: 'Bench', allowed_workspaces: 10_000 },
})
const workspaceNamed = (name: string) =>
  call<{ id: number }>('POST', '/workspaces', { workspace: { name, team_id } }).then(({ id }) => id)
const workspace_id = await workspaceNamed('Measured')
const { id: group_id } = await call<{ id: number }>('POST', '/groups', { group: { name: 'Readers', workspace_id } })
const corpus = createCorpus()
const folders: number[] = []
const pictures: string[] = []
const growths: Growth[] = []

await grow('workspace', 200, (at) => workspaceNamed(`Room ${at}`))
await grow('member', 300, async (at) => {
  const user = { email: `reader${at}@example.com`, first_name: 'Rea', last_name: 'Der' }
  await call('POST', '/users', { user })
  await call('POST', `/groups/${group_id}/memberships`, { workspace_id, email: user.email, send_email: false })
})
await grow('folder', 2000, async (at) => {
  const parent_id = at < 50 ? 0 : (folders[at % 50] ?? 0)
  folders.push((await call<{ id: number }>('POST', '/folders', { workspace_id, parent_id, name: `Folder ${at}` })).id)
})
await grow('right', 2000, (at) =>
  call('PUT', `/permissions/folders/${folders[at]}`, { workspace_id, group_id, verb: 'grant', folder_action: 'view' }),
)
await grow('file of one page, 300 words', 1000, (at) => {
  const { text } = corpus.document(at)
  return upload(`Document ${at}.txt`, Buffer.from(text), folders[at % folders.length] ?? 0)
})
await grow(
  'page of a PDF, 300 words',
  2000,
  async (at) => {
    const pages = Array.from({ length: 40 }, (_, page) => ({
      content: setInLines(corpus.document(at * 40 + page + 1).text),
    }))
    await upload(`Report ${at}.pdf`, samplePdf(pages), folders[at] ?? 0)
  },
  40,
)
await readAddresses()
await grow('page of a PDF that was viewed', pictures.length, async (at) => {
  const { status } = await read(pictures[at] ?? '')
  if (status !== 200) throw new Error(`A page answered ${status}.`)
})
await grow('activity that changes a folder', 4000, (at) =>
  call('PUT', `/folders/${folders[at % folders.length]}`, { workspace_id, folder: { name: `Renamed ${at}` } }),
)
await report()

/** Runs `act` as often as wanted, `units` of the thing each time, and notes what has grown. */
async function grow(per: string, count: number, act: (at: number) => Promise<unknown>, units = 1): Promise<void> {
  await settle()
  const before = await total(db)
  let next = 0
  const runs = count / units
  const lane = async () => {
    while (next < runs) await act(next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await settle()
  const after = await total(db)
  growths.push(growthOf(per, count, before, after))
}

function growthOf(per: string, count: number, before: Total, after: Total): Growth {
  const each = (value: number) => value / count
  const grown = [...after.bytes]
    .map(([table, bytes]) => [table, each(bytes - (before.bytes.get(table) ?? 0))] as const)
    .toSorted(([, one], [, other]) => other - one)
  const sum = (values: Map<string, number>) => [...values.values()].reduce((one, other) => one + other, 0)
  return {
    per,
    rows: each(sum(after.rows) - sum(before.rows)),
    database_bytes: each(sum(after.bytes) - sum(before.bytes)),
    log_bytes: each(after.log - before.log),
    content_bytes: each(after.content - before.content),
    cache_bytes: each(after.cache - before.cache),
    node_ms: each(after.node - before.node),
    postgres_ms: each(after.postgres - before.postgres),
    largest: Object.fromEntries(grown.slice(0, 5).map(([table, bytes]) => [table, Math.round(bytes)])),
  }
}

/** Waits until no work is left, and counts what was written without what is to be cleaned. */
async function settle(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from jobs where parked_at is null limit 1`.execute(db)
    if (rows.length === 0) break
    await sleep(200)
  }
  await sql`vacuum analyze`.execute(db)
}

async function total(from: Db): Promise<Total> {
  const { rows } = await sql<{ table: string; bytes: string; rows: string; log: string }>`
    select relname as table, pg_total_relation_size(relid)::text as bytes, n_live_tup::text as rows,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as log from pg_stat_user_tables`.execute(from)
  return {
    rows: new Map(rows.map((row) => [row.table, Number(row.rows)])),
    bytes: new Map(rows.map((row) => [row.table, Number(row.bytes)])),
    log: Number(rows[0]?.log ?? 0),
    content: await sizeOf('blobs'),
    cache: await sizeOf('cache'),
    ...readCpu(),
  }
}

async function sizeOf(folder: string): Promise<number> {
  const path = join(stack.dataDir, folder)
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((each) => each.isFile()).map((each) => stat(join(each.parentPath, each.name)))
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0)
}

function upload(name: string, content: Buffer, folder_id: number): Promise<void> {
  const query = new URLSearchParams({
    workspace_id: String(workspace_id),
    folder_id: String(folder_id),
    file_name: name,
  })
  return put(`/files/upload?${query}`, content, content.length)
}

function setInLines(text: string): string {
  const words = text.replaceAll(/[^a-z ]/g, 'x').split(' ')
  const lines = Array.from({ length: Math.ceil(words.length / 10) }, (_, at) => words.slice(at * 10, at * 10 + 10))
  return lines.map((line, at) => `BT /F 10 Tf 50 ${780 - at * 22} Td (${line.join(' ')}) Tj ET`).join(' ')
}

/** Asks for the addresses of all pages of the PDFs. */
async function readAddresses(): Promise<void> {
  for (const folder_id of folders.slice(0, 50)) {
    const at = `workspace_id=${workspace_id}`
    const { immediate_subfiles } = await call<{ immediate_subfiles: { id: number; file_name: string }[] }>(
      'GET',
      `/folders/${folder_id}?${at}`,
    )
    for (const { id } of immediate_subfiles.filter(({ file_name }) => file_name.endsWith('.pdf'))) {
      const { pages } = await call<{ pages: { expiring_url: string }[] }>('GET', `/files/${id}/pages?${at}&count=100`)
      pictures.push(...pages.map(({ expiring_url }) => expiring_url))
    }
  }
}

async function report(): Promise<void> {
  const rounded = (value: number) => Number(value.toPrecision(3))
  console.table(
    growths.map(({ largest: _largest, ...growth }) =>
      Object.fromEntries(
        Object.entries(growth).map(([key, value]) => [key, typeof value === 'number' ? rounded(value) : value]),
      ),
    ),
  )
  for (const { per, largest } of growths) console.log(`${per}: ${JSON.stringify(largest)}`)
  const file = join(ROOT, 'bench-capacity.json')
  await writeFile(file, `${JSON.stringify({ measured_at: new Date().toISOString(), growths }, null, 2)}\n`)
  console.log(`The same as JSON: ${file}`)
}
