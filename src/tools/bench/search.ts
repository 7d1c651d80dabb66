import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '../../../e2e/stack.ts'
import { startPostgres } from '../../embedded/postgres.ts'
import { openPool } from '../../service/db/pool.ts'
import { ROOT } from '../sources.ts'
import { type Caller, createCaller } from './caller.ts'
import { type Figure, report, spread } from './measure.ts'
import { createCorpus } from './search/corpus.ts'
import { seedDocuments } from './search/seed-documents.ts'

// `npm run bench:search`: four members search 100,000 documents of 300 words at the same time. Each may view half of
// the folders. Prints a table and writes `bench-search.json`.

const DOCUMENTS = Number(process.env['BENCH_DOCUMENTS'] ?? 100_000)
const QUERIES = Number(process.env['BENCH_QUERIES'] ?? 1200)
/** Uncounted searches for each kind and member: a connection plans a statement anew for the first few runs. */
const WARM_UP = 6
const FOLDERS = 400
const MEMBERS = 4

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-search-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataDir: folder, durable: false })
ends.defer(() => postgres.stop())
const stack = await startStack({ demo: false, env: { DATABASE_URL: postgres.databaseUrl, RATE_LIMIT: 'off' } })
ends.defer(() => stack.stop())
const admin = createCaller(stack.apiUrl, stack.credentials)
ends.defer(() => admin.close())
const db = openPool(postgres.databaseUrl, 2)
ends.defer(() => db.destroy())

const corpus = createCorpus()
const { workspace_id, folders, members } = await makeRoom()
const begun = performance.now()
await seedDocuments(db, corpus, { workspace_id, folders, total: DOCUMENTS })
console.log(`${DOCUMENTS} documents written and indexed in ${Math.round((performance.now() - begun) / 1000)} s`)

const figures: Figure[] = []
const all: number[] = []
for (const [work, question] of Object.entries(corpus.questions)) {
  const times = await search(question)
  if (work !== 'the most common word') all.push(...times)
  figures.push(...spread(work, times))
}
await report([...spread('all but the most common word', all, '≤ 100'), ...figures], join(ROOT, 'bench-search.json'))

interface Room {
  workspace_id: number
  folders: number[]
  members: Caller[]
}

async function makeRoom(): Promise<Room> {
  const team = await admin.call<{ id: number }>('POST', '/teams', { team: { name: 'Search' } })
  const workspace = { name: 'Search', team_id: team.id }
  const { id: workspace_id } = await admin.call<{ id: number }>('POST', '/workspaces', { workspace })
  const group = { name: 'Readers', workspace_id }
  const { id: group_id } = await admin.call<{ id: number }>('POST', '/groups', { group })
  const folders: number[] = []
  for (let at = 0; at < FOLDERS; at++) {
    const body = { workspace_id, parent_id: folders[Math.floor(at / 8) - 1] ?? 0, name: `Folder ${at}` }
    folders.push((await admin.call<{ id: number }>('POST', '/folders', body)).id)
  }
  for (const [at, id] of folders.entries()) {
    const verb = at % 4 < 2 ? 'grant' : 'revoke'
    await admin.call('PUT', `/permissions/folders/${id}`, { workspace_id, group_id, verb, folder_action: 'view' })
  }
  const members: Caller[] = []
  for (let at = 0; at < MEMBERS; at++) members.push(await makeMember(workspace_id, group_id, `reader${at}@example.com`))
  return { workspace_id, folders, members }
}

async function makeMember(workspace_id: number, group_id: number, email: string): Promise<Caller> {
  const user = { email, first_name: 'Rea', last_name: 'Der' }
  const { id, user_token } = await admin.call<{ id: number; user_token: string }>('POST', '/users', { user })
  const membership = { workspace_id, user_id: id, send_email: false }
  await admin.call('POST', `/groups/${group_id}/memberships`, membership)
  const caller = createCaller(stack.apiUrl, { ...stack.credentials, adminToken: user_token })
  ends.defer(() => caller.close())
  return caller
}

/** Keeps one search of every member under way all the time. @returns the milliseconds of each search */
async function search(question: () => string): Promise<number[]> {
  const times: number[] = []
  const ask = async (member: Caller) => {
    const path = `/files/search?workspace_id=${workspace_id}&q=${encodeURIComponent(question())}`
    const begun = performance.now()
    await member.call('GET', path)
    times.push(performance.now() - begun)
  }
  const rounds = Math.ceil(QUERIES / Object.keys(corpus.questions).length / MEMBERS)
  await Promise.all(
    members.map(async (member) => {
      for (let round = 0; round < WARM_UP; round++) await ask(member)
    }),
  )
  times.length = 0
  await Promise.all(
    members.map(async (member) => {
      for (let round = 0; round < rounds; round++) await ask(member)
    }),
  )
  return times
}
