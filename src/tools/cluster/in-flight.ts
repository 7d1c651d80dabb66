import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { api } from '../../contract/index.ts'
import { type Actor, sendInChunks, untilAnswered } from '../faults/acts.ts'
import { sha256 } from '../faults/ledger.ts'
import { call } from '../faults/people.ts'
import { docx, paragraph } from '../../service/testing/documents/office-files.ts'
import type { Databases } from './databases.ts'

// Transfers and jobs that are under way when a fault strikes, and must complete or resume with the right bytes.

const MB = 1024 ** 2
const SENT_BYTES = 1.5 * MB
const CHUNK_PAUSE_MS = 200
const FILES = 4
const FILE_BYTES = 2 * MB
const READ_PAUSE_MS = 30
const DONE_WITHIN = 120_000

/** Files of known content that nobody changes. */
export interface Kept {
  ids: number[]
  hashes: string[]
}

export async function keepFiles(actor: Actor): Promise<Kept> {
  const kept: Kept = { ids: [], hashes: [] }
  for (let at = 0; at < FILES; at++) {
    const bytes = actor.random.bytes(FILE_BYTES)
    const query = { workspace_id: actor.room.workspace_id, folder_id: 0, file_name: `kept${at}.bin` }
    kept.ids.push((await call(actor.stack, actor.person, api.files.upload, { query }, bytes)).reply.id)
    kept.hashes.push(sha256(bytes))
  }
  return kept
}

/** Begins an upload in chunks. @returns the outcome, which rejects unless the upload was finished */
export const upload = (actor: Actor): Promise<void> =>
  sendInChunks(actor, actor.random.bytes(SENT_BYTES), CHUNK_PAUSE_MS)

/** Begins a zip, waits for it, and reads it slowly, resuming where a connection broke. */
export async function zip(actor: Actor, kept: Kept): Promise<void> {
  const { stack, room, person } = actor
  const { workspace_id } = room
  const body = { workspace_id, download: { file_ids: kept.ids, folder_ids: [] } }
  const { id } = (await untilAnswered(actor, () => call(stack, person, api.downloads.create, { body }))).answer.reply
  await untilBuilt(actor, id)
  await readZip(actor, id, kept)
}

async function untilBuilt({ stack, room: { workspace_id }, person }: Actor, id: number): Promise<void> {
  for (const end = Date.now() + DONE_WITHIN; Date.now() < end; await sleep(250)) {
    const listed = await call(stack, person, api.downloads.listStatus, { params: { workspace_id } }).catch(
      () => undefined,
    )
    const status = listed?.reply.downloads.find((each) => each.id === id)?.status
    if (status === 'done') return
    if (status === 'failed') throw new Error(`zip ${id} failed`)
  }
  throw new Error(`zip ${id} was not built within ${DONE_WITHIN / 1000} s`)
}

/** Reads a zip that is already built. @throws Error if it has other bytes */
export async function readZip(actor: Actor, id: number, { hashes }: Kept): Promise<void> {
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
  // The zip also has a list of its files.
  const members = new Set(Object.values(unzipSync(Buffer.concat(parts))).map(sha256))
  if (!hashes.every((hash) => members.has(hash))) throw new Error(`zip ${id} has other bytes`)
}

async function openFrom({ stack, room: { workspace_id }, person }: Actor, id: number, from: number) {
  const { reply } = await call(stack, person, api.downloads.get, { params: { id }, query: { workspace_id } })
  const url = stack.url + new URL(reply.expiring_url).pathname
  const response = await fetch(url, { headers: { range: `bytes=${from}-` } })
  const whole = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1])
  if (response.status === 206 && response.body) return { body: response.body, whole }
  await response.body?.cancel()
  return { body: undefined, whole: undefined }
}

export interface Conversion {
  /** The value of `leased_by` of the worker that converts. */
  worker: string
  /** Rejects unless the document is converted in the end. */
  finished(): Promise<void>
}

const JOB = `select j.leased_by, j.parked_at, j.leased_until > now() as is_leased
  from jobs j join files f on f.workspace_id = j.workspace_id and f.blob_id = j.payload ->> 'blob_id'
  where f.workspace_id = $1 and f.id = $2 and j.kind = 'ingest'`

interface Job {
  leased_by: string
  parked_at: Date | null
  is_leased: boolean
}

/** Uploads an office document and waits until a worker converts it. */
export async function convert({ stack, room, person, random }: Actor, { query: ask }: Databases): Promise<Conversion> {
  const { workspace_id } = room
  const text = Array.from({ length: 300 }, () =>
    paragraph(`Lease ${random.below(1e9)} of harbour ${random.below(1e9)}.`),
  )
  const query = { workspace_id, folder_id: 0, file_name: `contract${random.below(1e9)}.docx` }
  const { reply } = await call(stack, person, api.files.upload, { query }, docx(text.join('')))
  const look = async () => (await ask<Job>(JOB, [workspace_id, reply.id]))[0]
  for (const end = Date.now() + DONE_WITHIN; Date.now() < end; await sleep(20)) {
    const job = await look()
    if (!job) throw new Error('the document was converted before the fault')
    if (job.is_leased) return { worker: job.leased_by, finished: () => untilConverted(look, query.file_name) }
  }
  throw new Error(`no worker took ${query.file_name}`)
}

async function untilConverted(look: () => Promise<Job | undefined>, name: string): Promise<void> {
  for (const end = Date.now() + DONE_WITHIN; Date.now() < end; await sleep(500)) {
    const job = await look().catch(() => undefined)
    if (job?.parked_at) throw new Error(`${name} was given up`)
    if (
      !job &&
      (await look().then(
        (again) => !again,
        () => false,
      ))
    )
      return
  }
  throw new Error(`${name} was not converted within ${DONE_WITHIN / 1000} s`)
}
