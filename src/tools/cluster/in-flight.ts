import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { api } from '../../contract/index.ts'
import { type Actor, send, sendInChunks, untilAnswered } from '../faults/acts.ts'
import { type KnownFile, sha256 } from '../faults/ledger.ts'
import { call } from '../faults/people.ts'
import { docx, paragraph } from '../../service/testing/documents/office-files.ts'
import type { Cluster } from './cluster.ts'
import type { Databases } from './databases.ts'
import type { Machine } from './machines.ts'
import { runsBelow } from './processes.ts'

// Transfers and jobs that are under way when a fault strikes, and must complete or resume with the right bytes.

const MB = 1024 ** 2
const SENT_BYTES = 1.5 * MB
const CHUNK_PAUSE_MS = 200
const FILES = 4
const FILE_BYTES = 2 * MB
const SMALL_BYTES = 2000
const READ_PAUSE_MS = 30
/** A caller gives up a download after this long and resumes it. */
const READ_MS = 30_000
const DONE_WITHIN = 120_000

/** Uploads files that nobody changes. */
export async function keepFiles(actor: Actor): Promise<{ kept: KnownFile[]; small: KnownFile }> {
  const kept: KnownFile[] = []
  for (let at = 0; at < FILES; at++) kept.push(await keep(actor, `kept${at}.bin`, FILE_BYTES))
  return { kept, small: await keep(actor, 'small.bin', SMALL_BYTES) }
}

async function keep(actor: Actor, name: string, size: number): Promise<KnownFile> {
  const file = await send(actor, name, actor.random.bytes(size))
  if (!file) throw new Error(`${name} could not be uploaded`)
  return file
}

/** Uploads in chunks. @throws Error unless the upload was finished */
export async function upload(actor: Actor): Promise<void> {
  if (!(await sendInChunks(actor, actor.random.bytes(SENT_BYTES), CHUNK_PAUSE_MS)))
    throw new Error('an upload in chunks was refused or stayed without an answer')
}

/** Requests a zip and waits for it. @returns its id */
export async function build(actor: Actor, kept: readonly KnownFile[]): Promise<number> {
  const { stack, room, person } = actor
  const file_ids = kept.map(({ id }) => id)
  const body = { workspace_id: room.workspace_id, download: { file_ids, folder_ids: [] } }
  const { id } = (await untilAnswered(actor, () => call(stack, person, api.downloads.create, { body }))).answer.reply
  await untilBuilt(actor, id)
  return id
}

/** @throws Error if the zip is not built in time */
export async function untilBuilt({ stack, room, person }: Actor, id: number, withinMs = DONE_WITHIN): Promise<void> {
  const { workspace_id } = room
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(250)) {
    const listed = await call(stack, person, api.downloads.listStatus, { params: { workspace_id } }).catch(
      () => undefined,
    )
    const status = listed?.reply.downloads.find((each) => each.id === id)?.status
    if (status === 'done') return
    if (status === 'failed') throw new Error(`zip ${id} failed`)
  }
  throw new Error(`zip ${id} was not built within ${withinMs / 1000} s`)
}

/** Reads a zip slowly, and resumes where a connection broke. @throws Error if it has other bytes */
export async function readZip(actor: Actor, id: number, kept: readonly KnownFile[]): Promise<void> {
  const parts: Uint8Array[] = []
  let received = 0
  let length: number | undefined
  for (const end = Date.now() + DONE_WITHIN; received !== length && Date.now() < end; await sleep(100)) {
    const { body, whole } = await openFrom(actor, id, received).catch(() => ({ body: undefined, whole: undefined }))
    length = whole ?? length
    if (!body) continue
    try {
      for await (const part of body) {
        parts.push(part)
        received += part.length
        await sleep(READ_PAUSE_MS)
      }
    } catch (error) {
      actor.stack.noteFailure?.(error)
    }
  }
  if (received !== length) throw new Error(`zip ${id} was not read within ${DONE_WITHIN / 1000} s`)
  // The zip also has a list of its files.
  const members = new Set(Object.values(unzipSync(Buffer.concat(parts))).map(sha256))
  if (!kept.every((file) => members.has(file.sha256))) throw new Error(`zip ${id} has other bytes`)
}

async function openFrom({ stack, room: { workspace_id }, person }: Actor, id: number, from: number) {
  const { reply } = await call(stack, person, api.downloads.get, { params: { id }, query: { workspace_id } })
  const url = stack.url + new URL(reply.expiring_url).pathname
  const response = await fetch(url, { headers: { range: `bytes=${from}-` }, signal: AbortSignal.timeout(READ_MS) })
  const whole = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1])
  if (response.status === 206 && response.body) return { body: response.body, whole }
  await response.body?.cancel()
  return { body: undefined, whole: undefined }
}

/** LibreOffice itself; `soffice` only starts it. */
const OFFICE = 'soffice.bin'
const CONVERTING_WITHIN = 60_000
const PARAGRAPHS = 2000

export interface Conversion {
  worker: Machine
  /** Rejects unless the document is converted in the end. */
  finished(): Promise<void>
}

/** Uploads an office document and waits until LibreOffice runs for a worker; nobody else uploads such documents. */
export async function convert(actor: Actor, { workers, databases }: Cluster): Promise<Conversion> {
  const { random } = actor
  const text = Array.from({ length: PARAGRAPHS }, () =>
    paragraph(`Lease ${random.below(1e9)} of harbour ${random.below(1e9)}.`),
  )
  const name = `contract${random.below(1e9)}.docx`
  const file = await send(actor, name, docx(text.join('')))
  if (!file) throw new Error(`${name} could not be uploaded`)
  for (const end = Date.now() + CONVERTING_WITHIN; Date.now() < end; await sleep(10)) {
    const worker = workers.find((each) => runsBelow(each.pidOf('worker'), OFFICE))
    if (worker) return { worker, finished: () => untilConverted(databases, actor.room.workspace_id, file) }
  }
  throw new Error(`no worker converted ${name} within ${CONVERTING_WITHIN / 1000} s`)
}

const DOCUMENT = `select d.status, d.reason from files f
  join documents d on d.workspace_id = f.workspace_id and d.blob_id = f.blob_id
  where f.workspace_id = $1 and f.id = $2`

interface Document {
  status: string
  reason: string | null
}

async function untilConverted({ query }: Databases, workspace_id: number, { id, name }: KnownFile): Promise<void> {
  for (const end = Date.now() + DONE_WITHIN; Date.now() < end; await sleep(500)) {
    const [document] = await query<Document>(DOCUMENT, [workspace_id, id]).catch(() => [])
    if (document?.status === 'Ready') return
    if (document?.status === 'Failed') throw new Error(`${name} was given up: ${document.reason}`)
  }
  throw new Error(`${name} was not converted within ${DONE_WITHIN / 1000} s`)
}
