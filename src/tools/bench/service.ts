import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '../../../e2e/stack.ts'
import { startPostgres } from '../../embedded/postgres.ts'
import { ROOT } from '../sources.ts'
import { type Caller, createCaller } from './caller.ts'
import { measureDownloads } from './downloads.ts'
import { byTurns, type Figure, median, rate, report, time } from './measure.ts'
import { measurePrices, printPrices } from './price/measure-price.ts'
import { readCpu } from './processes.ts'
import { bytes, openReferences, type References } from './references.ts'

// `npm run bench` compares the service and the proxy with the layers below them. Prints a table and writes
// `bench.json`. With names of works, such as `npm run bench -- downloads`, it measures only these.

const MB = 1024 * 1024
const only = process.argv.slice(2)
const BIG = Number(process.env['BENCH_BIG_MB'] ?? 1024) * MB

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataDir: folder })
ends.defer(() => postgres.stop())
if (only.length === 0) console.log('prices …')
const prices = only.length === 0 ? await measurePrices(postgres.databaseUrl, folder) : []
const stack = await startStack({ demo: false, env: { DATABASE_URL: postgres.databaseUrl, RATE_LIMIT: 'off' } })
ends.defer(() => stack.stop())
const references = await openReferences(postgres.databaseUrl, folder)
ends.defer(() => references.close())
const service = createCaller(stack.apiUrl, stack.credentials)
ends.defer(() => service.close())

const workspace = await makeWorkspace(service)
const figures: Figure[] = []
const works = [folders, smallUploads, listing, permissions, bigUpload, downloads, activities, throughProxy].filter(
  ({ name }) => only.length === 0 || only.includes(name),
)
for (const measure of works) {
  console.log(`${measure.name} …`)
  figures.push(...(await measure(service, references, workspace)))
}
printPrices(prices)
await report(figures, join(ROOT, 'bench.json'), { prices })

async function makeWorkspace({ call }: Caller): Promise<number> {
  const team = await call<{ id: number }>('POST', '/teams', { team: { name: 'Bench' } })
  const workspace = { name: 'Bench', team_id: team.id }
  return (await call<{ id: number }>('POST', '/workspaces', { workspace })).id
}

async function makeFolder({ call }: Caller, workspace_id: number, name: string, parent_id = 0): Promise<number> {
  return (await call<{ id: number }>('POST', '/folders', { workspace_id, parent_id, name })).id
}

async function folders(caller: Caller, { commit }: References, workspace: number): Promise<Figure[]> {
  let made = 0
  const create = () => makeFolder(caller, workspace, `Folder ${made++}`)
  return lanes('create a folder', create, commit, 300, ['≥ 700', '≥ 1,500'])
}

async function smallUploads(caller: Caller, { writeFile, commit }: References, workspace: number): Promise<Figure[]> {
  const into = await makeFolder(caller, workspace, 'Small uploads')
  const content = Buffer.alloc(10 * 1024, 'x')
  let sent = 0
  const upload = () => caller.put(uploadPath(workspace, into, `${sent++}.txt`), content, content.length)
  const reference = async () => {
    await writeFile(content)
    await commit()
  }
  return lanes('upload 10 KiB', upload, reference, 200, ['≥ 450', '≥ 1,000'], 'a durable file and a durable insert')
}

function uploadPath(workspace: number, folder: number, name: string): string {
  return `/files/upload?workspace_id=${workspace}&folder_id=${folder}&file_name=${encodeURIComponent(name)}`
}

async function lanes(
  work: string,
  run: () => Promise<unknown>,
  reference: () => Promise<unknown>,
  total: number,
  goals: [string, string],
  name = 'a durable insert',
): Promise<Figure[]> {
  const one = await byTurns(
    () => rate(total, 1, run),
    () => rate(total, 1, reference),
  )
  const eight = await byTurns(
    () => rate(total * 2, 8, run),
    () => rate(total, 1, reference),
  )
  return [
    { work, unit: 'per s', ours: one.ours, reference: { name, value: one.reference }, goal: goals[0] },
    {
      work: `${work}, 8 at once`,
      unit: 'per s',
      ours: eight.ours,
      reference: { name: `${name}, one by one`, value: eight.reference },
      goal: goals[1],
    },
  ]
}

async function listing(caller: Caller, references: References, workspace: number): Promise<Figure[]> {
  const into = await makeFolder(caller, workspace, 'A thousand files')
  const content = Buffer.from('x')
  let sent = 0
  await rate(830, 8, () => caller.put(uploadPath(workspace, into, `${sent++}.txt`), content, 1))
  const url = `${stack.apiUrl}/api/v1/folders/${into}?workspace_id=${workspace}`
  const first = await caller.read(url, caller.signed())
  const bare = await references.serve(Buffer.alloc(first.size, 'x'))
  const list = () => caller.read(url, caller.signed())
  const other = createCaller(bare, stack.credentials)
  const serve = () => other.read(bare)
  const same = () => caller.read(url, { ...caller.signed(), 'if-none-match': first.etag })
  const name = 'Node sending the same bytes from memory'
  const one = await byTurns(
    () => rate(100, 1, list),
    () => rate(200, 1, serve),
  )
  const many = await byTurns(
    () => rate(200, 16, list),
    () => rate(400, 16, serve),
  )
  const unchanged = await rate(200, 16, same)
  await other.close()
  return [
    {
      work: `list ${sent} files`,
      unit: 'per s',
      ours: one.ours,
      reference: { name, value: one.reference },
      goal: '≥ 350',
    },
    {
      work: `list ${sent} files, 16 at once`,
      unit: 'per s',
      ours: many.ours,
      reference: { name, value: many.reference },
      goal: '≥ 700',
    },
    { work: `list ${sent} files, unchanged (304), 16 at once`, unit: 'per s', ours: unchanged, goal: '≥ 4,000' },
  ]
}

async function permissions(caller: Caller, { query }: References, workspace: number): Promise<Figure[]> {
  const top = await makeFolder(caller, workspace, 'A thousand folders')
  await rate(830, 8, () => makeFolder(caller, workspace, 'Below', top))
  const group = { name: 'Bench', workspace_id: workspace }
  const { id: group_id } = await caller.call<{ id: number }>('POST', '/groups', { group })
  let turn = 0
  const set = () => {
    const verb = turn++ % 2 ? 'revoke' : 'grant'
    return caller.call('PUT', `/permissions/folders/${top}`, {
      workspace_id: workspace,
      group_id,
      verb,
      folder_action: 'view',
    })
  }
  const grid = () => caller.call('GET', `/permissions/folders/${top}?workspace_id=${workspace}&group_id=${group_id}`)
  const name = 'a query that finds nothing'
  const each = async (total: number, run: () => Promise<unknown>) => 1000 / (await rate(total, 1, run))
  const setting = await byTurns(
    () => each(100, set),
    () => each(1000, query),
  )
  const reading = await byTurns(
    () => each(30, grid),
    () => each(1000, query),
  )
  return [
    {
      work: 'set a right on 1,000 folders',
      unit: 'ms',
      ours: setting.ours,
      reference: { name, value: setting.reference },
      goal: '≤ 3',
    },
    {
      work: 'read the grid of 1,000 folders',
      unit: 'ms',
      ours: reading.ours,
      reference: { name, value: reading.reference },
      goal: '≤ 25',
    },
  ]
}

async function bigUpload(caller: Caller, references: References, workspace: number): Promise<Figure[]> {
  const into = await makeFolder(caller, workspace, 'Big')
  const perSecond = async (run: () => Promise<unknown>) => BIG / MB / ((await time(run)) / 1000)
  const [uploading, writing]: [number[], number[]] = [[], []]
  let sent = 0
  const upload = async () => {
    const before = readCpu()
    await caller.put(uploadPath(workspace, into, `${sent++}.bin`), bytes(BIG), BIG)
    const { node, postgres } = readCpu()
    uploading.push(node + postgres - before.node - before.postgres)
  }
  const write = async () => {
    const before = process.cpuUsage()
    await references.writeStream(BIG)
    const { user, system } = process.cpuUsage(before)
    writing.push((user + system) / 1000)
  }
  const up = await byTurns(
    () => perSecond(upload),
    () => perSecond(write),
  )
  return [
    {
      work: `upload ${BIG / MB} MiB`,
      unit: 'MB/s',
      ours: up.ours,
      reference: { name: 'SHA-256 and a durable file in one Node process', value: up.reference },
      goal: '≥ 75 % of it',
    },
    {
      work: `upload ${BIG / MB} MiB, processor time`,
      unit: 'ms',
      ours: median(uploading),
      reference: { name: 'the same, which receives nothing from a socket', value: median(writing) },
      goal: '≤ 1.3 times',
    },
  ]
}

async function downloads(caller: Caller, _references: References, workspace: number): Promise<Figure[]> {
  return measureDownloads({ caller, workspace, apiUrl: stack.apiUrl, folder, bigBytes: BIG })
}

async function activities(caller: Caller, { query }: References, workspace: number): Promise<Figure[]> {
  const page = () => caller.call('GET', `/activities/workspace/${workspace}?per_page=100`)
  const name = 'a query that finds nothing'
  const one = await byTurns(
    () => rate(200, 1, page),
    () => rate(1000, 1, query),
  )
  const many = await byTurns(
    () => rate(400, 16, page),
    () => rate(1000, 1, query),
  )
  return [
    {
      work: 'newest 100 activities',
      unit: 'per s',
      ours: one.ours,
      reference: { name, value: one.reference },
      goal: '≥ 1,000',
    },
    {
      work: 'newest 100 activities, 16 at once',
      unit: 'per s',
      ours: many.ours,
      reference: { name, value: many.reference },
      goal: '≥ 2,000',
    },
  ]
}

/** Expiring URLs need no session, so they show the proxy's own share without a sign-in. */
async function throughProxy(caller: Caller, _references: References, workspace: number): Promise<Figure[]> {
  const into = await makeFolder(caller, workspace, 'Through the proxy')
  await caller.put(uploadPath(workspace, into, 'small.json'), Buffer.alloc(1024, 'x'), 1024)
  await caller.put(uploadPath(workspace, into, 'big.bin'), bytes(BIG), BIG)
  const { immediate_subfiles: files } = await caller.call<{ immediate_subfiles: { id: number }[] }>(
    'GET',
    `/folders/${into}?workspace_id=${workspace}`,
  )
  const urls = await Promise.all(
    files.map(({ id }) =>
      caller.call<{ expiring_url: string }>('GET', `/downloads/file/${id}?workspace_id=${workspace}`),
    ),
  )
  const [small = '', big = ''] = urls.map(({ expiring_url }) => new URL(expiring_url).pathname)
  const proxy = createCaller(stack.url.replace('localhost', '127.0.0.1'), stack.credentials, {})
  const host = { host: new URL(stack.url).host }
  const get = (through: Caller, origin: string, path: string) =>
    through.read(origin + path, through === proxy ? host : {})
  const perSecond = async (run: () => Promise<unknown>) => BIG / MB / ((await time(run)) / 1000)
  const tiny = await byTurns(
    () => rate(500, 1, () => get(proxy, stack.url, small)),
    () => rate(500, 1, () => get(caller, stack.apiUrl, small)),
  )
  const bulk = await byTurns(
    () => perSecond(() => get(proxy, stack.url, big)),
    () => perSecond(() => get(caller, stack.apiUrl, big)),
  )
  await proxy.close()
  return [
    {
      work: 'a small reply through the proxy',
      unit: 'per s',
      ours: tiny.ours,
      reference: { name: 'the service directly', value: tiny.reference },
      goal: '≥ 70 % of it',
    },
    { work: 'what the proxy adds to it', unit: 'ms', ours: 1000 / tiny.ours - 1000 / tiny.reference, goal: '≤ 0.15' },
    {
      work: `download ${BIG / MB} MiB through the proxy`,
      unit: 'MB/s',
      ours: bulk.ours,
      reference: { name: 'the service directly', value: bulk.reference },
      goal: '≥ 600',
    },
  ]
}
