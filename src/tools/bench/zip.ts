import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { startStack } from '../../../e2e/stack.ts'
import { ROOT } from '../sources.ts'
import { createCaller } from './caller.ts'
import { type Figure, report, time } from './measure.ts'

// `npm run bench:zip` makes a zip of 4.5 GiB and one of 70,000 members, and reads them with unzip, 7z and Python where
// they are installed. Each download is cut at 40 % and resumed. Needs 15 GB of disk. Prints a table and writes
// `bench-zip.json`.

const MIB = 1024 * 1024
const BIG_FILES = Number(process.env['BENCH_ZIP_BIG_FILES'] ?? 9)
const MANY_FILES = Number(process.env['BENCH_ZIP_MANY_FILES'] ?? 70_000)
const PER_FOLDER = 700

const READERS: [string, string[]][] = [
  ['unzip', ['-tqq']],
  ['7z', ['t', '-bso0', '-bsp0']],
  ['python3', ['-c', 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None']],
]

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-zip-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const stack = await startStack({ demo: false, env: { RATE_LIMIT: 'off' } })
ends.defer(() => stack.stop())
const service = createCaller(stack.apiUrl, stack.credentials)
ends.defer(() => service.close())

const figures: Figure[] = []
await measure(`${BIG_FILES} files of 512 MiB`, await withBigFiles())
await measure(`${MANY_FILES} files`, await withManyFiles())
await report(figures, join(ROOT, 'bench-zip.json'))

interface Room {
  workspace: number
  folders: number[]
}

async function measure(name: string, room: Room) {
  const { id, seconds } = await makeZip(room)
  const path = `/downloads/${id}?workspace_id=${room.workspace}`
  const { expiring_url: url } = await service.call<{ expiring_url: string }>('GET', path)
  const whole = join(folder, 'whole.zip')
  const { firstByte, milliseconds } = await save(url, whole)
  const { size } = await stat(whole)
  figures.push(
    { work: `${name}: from the question to done`, unit: 'ms', ours: seconds * 1000 },
    { work: `${name}: first byte`, unit: 'ms', ours: firstByte, goal: '≤ 300' },
    { work: `${name}: ${Math.round(size / MIB)} MiB`, unit: 'MB/s', ours: size / 1000 / milliseconds },
  )
  for (const [program, options] of READERS) console.log(`${name}: ${program} ${await verdict(program, options, whole)}`)

  const parts = join(folder, 'parts.zip')
  await save(url, parts, { until: Math.floor(size * 0.4) })
  const { size: kept } = await stat(parts)
  await save(url, parts, { from: kept })
  const same = (await digest(whole)) === (await digest(parts))
  console.log(`${name}: cut at ${kept} of ${size} bytes and resumed: ${same ? 'the same bytes' : 'DIFFERENT BYTES'}`)
  await Promise.all([whole, parts].map((file) => rm(file)))
}

async function makeRoom(name: string): Promise<number> {
  const team = await service.call<{ id: number }>('POST', '/teams', { team: { name } })
  const workspace = { name, team_id: team.id }
  return (await service.call<{ id: number }>('POST', '/workspaces', { workspace })).id
}

async function makeFolder(workspace_id: number, name: string): Promise<number> {
  return (await service.call<{ id: number }>('POST', '/folders', { workspace_id, parent_id: 0, name })).id
}

function upload(workspace: number, into: number, name: string, content: Buffer | Readable, size: number) {
  return service.put(`/files/upload?workspace_id=${workspace}&folder_id=${into}&file_name=${name}`, content, size)
}

async function withBigFiles(): Promise<Room> {
  const workspace = await makeRoom('Big')
  const into = await makeFolder(workspace, 'Big files')
  for (let at = 0; at < BIG_FILES; at++) {
    await upload(workspace, into, `${at}.bin`, Readable.from(noise(at, 512)), 512 * MIB)
  }
  return { workspace, folders: [into] }
}

/** Yields bytes that differ from file to file and from MiB to MiB. */
function* noise(seed: number, mebibytes: number): Generator<Buffer> {
  const block = Buffer.alloc(MIB)
  for (let at = 0; at < block.length; at += 32) createHash('sha256').update(`${seed} ${at}`).digest().copy(block, at)
  for (let at = 0; at < mebibytes; at++) {
    const next = Buffer.from(block)
    next.writeUInt32LE(at)
    yield next
  }
}

/** Fills one folder, then copies it as often as needed. */
async function withManyFiles(): Promise<Room> {
  const workspace = await makeRoom('Many')
  const first = await makeFolder(workspace, 'Folder 0')
  for (let at = 0; at < PER_FOLDER; at++) {
    const content = Buffer.from(`The contents of ${at}.\n`)
    await upload(workspace, first, `${at}.txt`, content, content.length)
  }
  const copies = Math.ceil(MANY_FILES / PER_FOLDER) - 1
  const folders = [first]
  const body = { workspace_id: workspace, destination_folder_id: 0 }
  const took = await time(async () => {
    while (folders.length <= copies) {
      folders.push((await service.call<{ id: number }>('POST', `/folders/${first}/copy`, body)).id)
    }
  })
  console.log(`${copies} copies of a folder of ${PER_FOLDER} files in ${Math.round(took / 1000)} s`)
  return { workspace, folders }
}

async function makeZip({
  workspace: workspace_id,
  folders: folder_ids,
}: Room): Promise<{ id: number; seconds: number }> {
  const begun = performance.now()
  const download = { folder_ids, file_ids: [] }
  const { id } = await service.call<{ id: number }>('POST', '/downloads', { workspace_id, download })
  for (;;) {
    const { downloads } = await service.call<{ downloads: { id: number; status: string }[] }>(
      'GET',
      `/downloads/status/${workspace_id}`,
    )
    const status = downloads.find((each) => each.id === id)?.status
    if (status === 'done') return { id, seconds: (performance.now() - begun) / 1000 }
    if (status === 'failed') throw new Error('The download failed')
    await wait(50)
  }
}

/** Fetches a URL into a file: all of it, up to `until` bytes (then it cuts the connection), or from byte `from` on. */
async function save(url: string, file: string, { from, until }: { from?: number; until?: number } = {}) {
  const begun = performance.now()
  const headers = from === undefined ? {} : { range: `bytes=${from}-` }
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject)
  })
  if (reply.statusCode !== (from === undefined ? 200 : 206)) throw new Error(`${url} answers ${reply.statusCode}`)
  // Our own cut is not a failure; any other cut ends the loop below with the same error.
  reply.on('error', () => undefined)
  let firstByte = 0
  let read = 0
  const output = createWriteStream(file, { flags: from === undefined ? 'w' : 'a' })
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    firstByte ||= performance.now() - begun
    read += chunk.length
    if (!output.write(chunk)) await once(output, 'drain')
    if (until !== undefined && read >= until) break
  }
  output.end()
  await finished(output)
  return { firstByte, milliseconds: performance.now() - begun }
}

function verdict(program: string, options: string[], file: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, [...options, file], { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', () => resolve('is not installed'))
    child.once('exit', (code) => resolve(code === 0 ? 'finds no fault' : `FAILS with ${code}`))
  })
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
