import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import { api } from '../../contract/index.ts'
import type { auditLine } from '../../contract/endpoints/audit.ts'
import { urlOf } from '../../contract/url.ts'
import { verifyTrail } from '../../service/audit/verify.ts'
import type { Actor } from './acts.ts'
import { again } from './again.ts'
import { type Ledger, sha256 } from './ledger.ts'
import { call, type Person, type Room, signedAs } from './people.ts'
import type { Product } from './stack.ts'

export interface Findings {
  lost: string[]
  doubled: string[]
  corrupt: string[]
  /** Number of records in the verified audit trail. */
  records: number
}

const CHAINED_WITHIN = 60_000

/** Checks that every acknowledged act exists exactly once, with its bytes, its activity and its audit entry. */
export async function checkAll(
  stack: Product,
  room: Room,
  ledger: Ledger,
  actors: readonly Actor[],
): Promise<Findings> {
  const findings: Findings = { lost: [], doubled: [], corrupt: [], records: 0 }
  const reader = room.people[0] as Person
  const trail = await readTrail(stack, room, reader, ledger)
  findings.records = trail.records
  const audited = countBy(trail.entries.map(({ message }) => message))
  const active = countBy(await readActivities(stack, room, reader))
  for (const [message, { least, most }] of ledger.messages) {
    for (const [where, counts] of [
      ['activities', active],
      ['audit trail', audited],
    ] as const) {
      const found = counts.get(message) ?? 0
      if (found < least) findings.lost.push(`${message}: ${found} of ${least} in the ${where}`)
      if (found > most) findings.doubled.push(`${message}: ${found} instead of ${most} in the ${where}`)
    }
  }
  const known = new Set(trail.entries.map(({ request_id }) => request_id))
  for (const id of ledger.requestIds) if (!known.has(id)) findings.lost.push(`request ${id} is not in the audit trail`)
  for (const { place } of actors) await checkFolders(stack, room, reader, ledger, [place.folder, place.other], findings)
  await checkBytes(stack, room, reader, ledger, findings)
  await checkRights(stack, room, reader, ledger, actors, findings)
  return findings
}

async function checkFolders(
  stack: Product,
  { workspace_id }: Room,
  reader: Person,
  ledger: Ledger,
  folders: readonly number[],
  findings: Findings,
): Promise<void> {
  for (const folder_id of folders) {
    const { reply } = await call(stack, reader, api.folders.get, { params: { id: folder_id }, query: { workspace_id } })
    const present = new Map(reply.immediate_subfiles.map((file) => [file.id, file]))
    if (new Set(reply.immediate_subfiles.map(({ file_name }) => file_name)).size < present.size)
      findings.doubled.push(`a name is twice in folder ${folder_id}`)
    const places = reply.immediate_subfiles.map(({ index }) => index).toSorted((a, b) => a - b)
    if (places.some((place, at) => place !== at + 1))
      findings.corrupt.push(`the numbering of folder ${folder_id} has gaps`)
    for (const file of [...ledger.files.values()].filter((each) => each.folder_id === folder_id && !each.unknown)) {
      const found = present.get(file.id)
      if (file.deleted ? found : !found)
        findings.lost.push(`file ${file.id} ${file.deleted ? 'is back' : 'is missing'}`)
      if (found && found.version !== file.version)
        findings.doubled.push(`file ${file.id} has version ${found.version} instead of ${file.version}`)
    }
  }
}

async function checkBytes(stack: Product, room: Room, reader: Person, ledger: Ledger, findings: Findings) {
  for (const file of [...ledger.files.values()].filter((each) => !each.deleted && !each.unknown)) {
    try {
      const bytes = await again(() => download(stack, room, reader, file.id))
      if (sha256(bytes) !== file.sha256) findings.corrupt.push(`file ${file.id} ${file.name}`)
    } catch (error) {
      findings.corrupt.push(`file ${file.id} ${file.name}: ${(error as Error).message}`)
    }
  }
}

async function download(stack: Product, { workspace_id }: Room, reader: Person, file_id: number): Promise<Uint8Array> {
  const { reply } = await call(stack, reader, api.downloads.getFile, { params: { file_id }, query: { workspace_id } })
  const response = await fetch(stack.url + new URL(reply.expiring_url).pathname)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  return bytes
}

async function checkRights(
  stack: Product,
  { workspace_id }: Room,
  reader: Person,
  ledger: Ledger,
  actors: readonly Actor[],
  findings: Findings,
) {
  for (const { place } of actors) {
    const wanted = ledger.rights.get(`${place.folder} ${place.group}`)
    const query = { workspace_id, group_id: place.group }
    const { reply } = await call(stack, reader, api.permissions.list, { params: { id: 0 }, query })
    const found = reply.find(({ id }) => id === place.folder)?.view
    if (wanted !== undefined && found !== wanted) findings.lost.push(`the right of group ${place.group} is ${found}`)
  }
}

type Entry = Extract<z.output<typeof auditLine>, { type: 'record' }>['entry']

/** Reads and verifies the trail once the worker has chained every acknowledged act. */
async function readTrail(stack: Product, room: Room, reader: Person, ledger: Ledger) {
  for (const end = Date.now() + CHAINED_WITHIN; ; await sleep(500)) {
    const text = await exportTrail(stack, room, reader)
    const lines = text.trim().split('\n')
    const { head } = await verifyTrail(lines)
    const entries = lines.flatMap((line): Entry[] => {
      const read = JSON.parse(line) as z.output<typeof auditLine>
      return read.type === 'record' ? [read.entry] : []
    })
    if (isComplete(entries, ledger) || Date.now() > end) return { entries, records: head.seq }
  }
}

/** Whether every acknowledged act has its entry. An act may be chained later than one that was acknowledged after it. */
export function isComplete(
  entries: readonly Pick<Entry, 'message' | 'request_id'>[],
  { requestIds, messages }: Ledger,
): boolean {
  const known = new Set(entries.map(({ request_id }) => request_id))
  const audited = countBy(entries.map(({ message }) => message))
  return (
    requestIds.every((id) => known.has(id)) &&
    [...messages].every(([message, { least }]) => (audited.get(message) ?? 0) >= least)
  )
}

/** Returns the trail as it was sent, in lines. */
async function exportTrail(stack: Product, room: Room, reader: Person): Promise<string> {
  const path = urlOf(api.audit.export, { params: { id: room.workspace_id } })
  const response = await fetch(stack.apiUrl + path, { headers: signedAs(stack, reader) })
  if (!response.ok) throw new Error(`the audit trail was not exported: ${response.status}`)
  return response.text()
}

async function readActivities(stack: Product, { workspace_id }: Room, reader: Person): Promise<string[]> {
  const messages: string[] = []
  for (let page = 1; ; page++) {
    const query = { page, per_page: 100 } as const
    const { reply } = await call(stack, reader, api.activities.list, { params: { workspace_id }, query })
    messages.push(...reply.events.map(({ message }) => message))
    if (page >= reply.pagination.total_pages) return messages
  }
}

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
