import { open, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import { WrongBytes } from './acts.ts'
import type { Fault } from './faults.ts'
import { sha256 } from './ledger.ts'
import { call, type Person, type Room } from './people.ts'
import type { Random } from './random.ts'
import { type FaultyStack, queryOf } from './stack.ts'

/** Bytes: files of up to a megabyte are checked before they are sent, larger ones while they are sent. */
const SIZES = [40_000, 3_000_000]
const MARKED_WITHIN = 10_000
/** The service checks damaged content again after a minute. Milliseconds. */
const HEALED_WITHIN = 90_000

type Harm = (path: string, random: Random) => Promise<void>

const HARMS: readonly Harm[] = [
  async (path, random) => {
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    const at = random.below(size)
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ (1 << random.below(8))]), 0, 1, at)
    await file.close()
  },
  async (path, random) => {
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    await file.close()
    await truncate(path, random.below(size))
  },
  (path) => rm(path),
]

/** Flips, truncates or deletes stored content: it must be marked, never delivered, and heal once restored. */
export const damageContent: Fault = {
  name: 'flipped, torn and missing content',
  weight: 2,
  async strike(stack, room, random) {
    const bytes = random.bytes(SIZES[random.below(SIZES.length)] ?? 0)
    const person = room.people[0] as Person
    const query = { workspace_id: room.workspace_id, folder_id: 0, file_name: `harmed${random.below(1e9)}.bin` }
    const uploaded = await call(stack, person, api.files.upload, { query }, bytes).catch(() => undefined)
    if (!uploaded) return
    const { id } = uploaded.reply
    const path = await pathOf(stack, room, id)
    const original = sha256(bytes)
    await HARMS[random.below(HARMS.length)]?.(path, random)
    for (let look = 0; look < 3; look++) {
      const delivered = await fetchWhole(stack, room, id)
      if (delivered && sha256(delivered) !== original) throw new WrongBytes(`damaged file ${id} came as a whole one`)
    }
    for (const end = Date.now() + MARKED_WITHIN; !(await isMarked(stack, room, id)); await sleep(100)) {
      if (Date.now() > end) throw new WrongBytes(`damaged file ${id} is not marked`)
    }
    await writeFile(path, bytes)
    room.healing.push({ id, sha256: original })
  },
}

/** Checks the files whose bytes were restored. @returns one sentence for each file that did not heal */
export async function checkHealed(stack: FaultyStack, room: Room): Promise<string[]> {
  const ill: string[] = []
  for (const { id, sha256: expected } of room.healing) {
    const isHealed = async () => {
      const bytes = await fetchWhole(stack, room, id)
      return bytes !== undefined && sha256(bytes) === expected && !(await isMarked(stack, room, id))
    }
    const end = Date.now() + HEALED_WITHIN
    while (!(await isHealed()) && Date.now() < end) await sleep(500)
    if (!(await isHealed())) ill.push(`file ${id} did not heal when its bytes were put back`)
  }
  return ill
}

/** Whether an admin sees the file as damaged. */
async function isMarked(stack: FaultyStack, { workspace_id, people }: Room, id: number): Promise<boolean> {
  const query = { params: { id }, query: { workspace_id } }
  return (await call(stack, people[0] as Person, api.files.get, query)).reply.damaged
}

/** @returns undefined for a failed or truncated download */
async function fetchWhole(stack: FaultyStack, { workspace_id, people }: Room, id: number) {
  const query = { params: { file_id: id }, query: { workspace_id } }
  const { reply } = await call(stack, people[0] as Person, api.downloads.getFile, query)
  const response = await fetch(stack.url + new URL(reply.expiring_url).pathname)
  const bytes = await response.arrayBuffer().catch(() => undefined)
  return response.status === 200 && bytes ? new Uint8Array(bytes) : undefined
}

async function pathOf(stack: FaultyStack, { workspace_id }: Room, id: number): Promise<string> {
  const text = 'select blob_id from files where workspace_id = $1 and id = $2'
  const blobId = (await queryOf<{ blob_id: string }>(stack, text, [workspace_id, id]))[0]?.blob_id ?? ''
  return join(stack.dataDir, 'blobs', blobId.slice(0, 2), blobId.slice(2, 4), blobId)
}
