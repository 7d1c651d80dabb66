import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { ApiFailure, failureOf } from '../../client/failure.ts'
import { api } from '../../contract/index.ts'
import { type KnownFile, type Ledger, sha256 } from './ledger.ts'
import { call, isRefusal, type Person, type Room } from './people.ts'
import type { Random } from './random.ts'
import type { Product } from './stack.ts'

const RETRY_MS = 150
const CHUNK = 100_000

/** The service delivered other bytes than were uploaded, or lost an acknowledged change: the worst finding. */
export class WrongBytes extends Error {}

export interface Actor {
  stack: Product
  room: Room
  ledger: Ledger
  person: Person
  random: Random
  /** Ends all waiting. */
  signal: AbortSignal
  /** Folders and a group of its own, so that no other actor changes them. */
  place: { name: string; folder: number; other: number; otherName: string; group: number; groupName: string }
}

const NAME = (random: Random) => `n${random.below(2 ** 31).toString(36)}${random.below(2 ** 31).toString(36)}`

/** Does one act after another until `signal` aborts. A failed act does not end the loop. @throws WrongBytes */
export async function act(actor: Actor, longestPauseMs = 30): Promise<void> {
  const { signal, random, ledger } = actor
  while (!signal.aborted) {
    const [, doIt] = random.weighted(ACTS)
    try {
      await doIt(actor)
    } catch (error) {
      if (error instanceof WrongBytes) throw error
      if (isRefusal(error)) ledger.refused++
      // While the service is down, connections are refused at once: avoid a thousand attempts a second.
      else await sleep(50)
    }
    await sleep(random.below(longestPauseMs))
  }
}

const ACTS: readonly (readonly [number, (actor: Actor) => Promise<void>])[] = [
  [5, uploadWhole],
  [3, uploadInChunks],
  [2, uploadVersion],
  [2, createFolder],
  [2, copyFile],
  [2, moveFile],
  [2, deleteFile],
  [2, changeRight],
  [1, changeMembers],
  [2, downloadFile],
  [1, downloadZip],
]

/** Repeats a repeatable call until it gets an answer. @throws the refusal, or any error after `signal` aborts */
export async function untilAnswered<T>({ signal }: Actor, attempt: (again: boolean) => Promise<T>) {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await attempt(tries > 0)
      return { answer, again: tries > 0 }
    } catch (error) {
      if (isRefusal(error) || signal.aborted) throw error
      await sleep(RETRY_MS)
    }
  }
}

const bytesOf = (random: Random) => random.bytes(1 + random.below(120_000))

async function uploadWhole(actor: Actor): Promise<void> {
  await send(actor, `${NAME(actor.random)}.bin`, bytesOf(actor.random))
}

async function uploadVersion(actor: Actor): Promise<void> {
  const file = pick(actor)
  if (file) await send(actor, file.name, bytesOf(actor.random), file)
}

/**
 * Uploads until there is an answer. All tries have one key, so that only one version exists in the end.
 * @returns undefined if the upload was refused or stays without an answer
 */
export async function send(
  actor: Actor,
  file_name: string,
  bytes: Uint8Array<ArrayBuffer>,
  known?: KnownFile,
): Promise<KnownFile | undefined> {
  const { stack, room, ledger, person, place } = actor
  const folder_id = known?.folder_id ?? place.folder
  const query = { workspace_id: room.workspace_id, folder_id, file_name, idempotency_key: randomUUID() }
  const message = known ? `updated the file: ${file_name}` : `added the file: ${file_name}`
  try {
    const { answer, again } = await untilAnswered(actor, (isRetry) =>
      call(stack, person, api.files.upload, { query: { ...query, ...(isRetry && { unless_same: true }) } }, bytes),
    )
    ledger.acknowledge(message, again ? undefined : answer.requestId)
    return note(actor, { ...answer.reply, name: file_name, sha256: sha256(bytes), version: (known?.version ?? 0) + 1 })
  } catch (error) {
    leaveOpen(actor, message, error, known)
    return undefined
  }
}

async function uploadInChunks(actor: Actor): Promise<void> {
  await sendInChunks(actor, actor.random.bytes(CHUNK + actor.random.below(3 * CHUNK)))
}

/**
 * Uploads in chunks with a pause before each, and continues after failures where the service stands.
 * @returns undefined if the upload was refused or stays without an answer
 */
export async function sendInChunks(
  actor: Actor,
  bytes: Uint8Array<ArrayBuffer>,
  pauseMs = 0,
): Promise<KnownFile | undefined> {
  const { stack, room, ledger, person, place, random } = actor
  const { workspace_id } = room
  const file_name = `${NAME(random)}.dat`
  const to = { workspace_id, folder_id: place.folder, file_name, size: String(bytes.length), sha256: sha256(bytes) }
  const message = `added the file: ${file_name}`
  try {
    const begun = await untilAnswered(actor, () => call(stack, person, api.uploads.create, { body: to }))
    const { id } = begun.answer.reply
    for (let offset = 0; offset < bytes.length;) {
      await sleep(pauseMs)
      const chunk = bytes.slice(offset, offset + CHUNK)
      const query = { workspace_id, id, offset: String(offset) }
      const next = await untilAnswered(actor, async (again) => {
        const where = { params: { id }, query: { workspace_id } }
        const at = again ? Number((await call(stack, person, api.uploads.get, where)).reply.offset) : offset
        if (at > offset) return at
        const appended = await call(stack, person, api.uploads.append, { query }, chunk).catch((error: unknown) => {
          // The first try arrived after all.
          if (again && error instanceof ApiFailure && error.code === 409)
            return call(stack, person, api.uploads.get, where)
          throw error
        })
        return Number(appended.reply.offset)
      })
      offset = next.answer
    }
    const finish = { params: { id }, body: { workspace_id } }
    const { answer, again } = await untilAnswered(actor, () => call(stack, person, api.uploads.finish, finish))
    ledger.acknowledge(message, again ? undefined : answer.requestId)
    return note(actor, { ...answer.reply, name: file_name, sha256: sha256(bytes), version: 1 })
  } catch (error) {
    leaveOpen(actor, message, error)
    return undefined
  }
}

async function createFolder(actor: Actor): Promise<void> {
  const { room, place, random } = actor
  const name = NAME(random)
  const body = { workspace_id: room.workspace_id, name, parent_id: place.folder }
  await once(actor, `added the folder: ${name}`, api.folders.create, { body })
}

async function copyFile(actor: Actor): Promise<void> {
  const { room, place } = actor
  const file = pick(actor)
  if (!file || file.folder_id !== place.folder) return
  const message = `copied the file "${file.name}" from "${place.name}" into the folder "${place.otherName}"`
  const body = { workspace_id: room.workspace_id, destination_folder_id: place.other }
  const answer = await once(actor, message, api.files.copy, { params: { id: file.id }, body })
  // The copy gets another name where the destination has a file of that name.
  if (answer) note(actor, { ...answer.reply, name: answer.reply.file_name, sha256: file.sha256, version: 1 })
}

async function moveFile(actor: Actor): Promise<void> {
  const { room, place } = actor
  const file = pick(actor)
  if (!file || file.folder_id !== place.folder) return
  const message = `moved the file "${file.name}" from "${place.name}" into the folder "${place.otherName}"`
  const body = { workspace_id: room.workspace_id, destination_folder_id: place.other }
  const answer = await once(actor, message, api.files.move, { params: { id: file.id }, body }, file)
  if (answer) note(actor, { ...file, folder_id: place.other, name: answer.reply.file_name })
}

async function deleteFile(actor: Actor): Promise<void> {
  const { room } = actor
  const file = pick(actor)
  if (!file || file.version > 1) return
  const call = { params: { id: file.id }, query: { workspace_id: room.workspace_id } }
  if (await once(actor, `deleted the file: ${file.name}`, api.files.remove, call, file)) file.deleted = true
}

async function changeRight(actor: Actor): Promise<void> {
  const { room, place, random, ledger } = actor
  const verb = random.below(2) === 0 ? ('grant' as const) : ('revoke' as const)
  const body = { workspace_id: room.workspace_id, group_id: place.group, verb, folder_action: 'view' as const }
  const message = `${verb === 'grant' ? 'granted' : 'revoked'} view access to ${place.name} for group: ${place.groupName}`
  const key = `${place.folder} ${place.group}`
  ledger.rights.set(key, undefined)
  const answer = await once(actor, message, api.permissions.set, { params: { id: place.folder }, body })
  if (answer) ledger.rights.set(key, verb === 'grant')
}

async function changeMembers(actor: Actor): Promise<void> {
  const { stack, room, person, random } = actor
  const { workspace_id } = room
  const name = NAME(random)
  const created = await once(actor, `added the group: ${name}`, api.groups.create, {
    body: { group: { name, workspace_id } },
  })
  if (!created) return
  const { id } = created.reply
  const user = room.people[random.below(room.people.length)]
  if (!user) return
  // The group is the actor's own, so adding and removing its member may be repeated.
  const body = { workspace_id, user_id: user.id, send_email: false }
  await untilAnswered(actor, () => call(stack, person, api.groups.addMember, { params: { id }, body }))
  const members = await untilAnswered(actor, () =>
    call(stack, person, api.groups.listMembers, { params: { id }, query: { workspace_id } }),
  )
  if (!members.answer.reply.some((each) => each.id === user.id))
    throw new WrongBytes(`an added member of group ${id} is lost`)
}

async function downloadFile(actor: Actor): Promise<void> {
  const file = pick(actor)
  if (!file) return
  const { stack, room, person } = actor
  const query = { workspace_id: room.workspace_id }
  const { reply } = await call(stack, person, api.downloads.getFile, { params: { file_id: file.id }, query })
  const bytes = await fetchAll(reply.expiring_url, actor)
  if (bytes && !file.unknown && sha256(bytes) !== file.sha256)
    throw new WrongBytes(`file ${file.id} came as another one`)
}

async function downloadZip(actor: Actor): Promise<void> {
  const { stack, room, person } = actor
  const file = pick(actor)
  if (!file) return
  const { workspace_id } = room
  const body = { workspace_id, download: { file_ids: [file.id], folder_ids: [] } }
  const { id } = (await call(stack, person, api.downloads.create, { body })).reply
  const url = await untilDone(actor, id)
  const bytes = url && (await fetchAll(url, actor))
  if (!bytes || file.deleted || file.unknown) return
  const members = Object.values(unzipSync(bytes)).map(sha256)
  if (!members.includes(file.sha256)) throw new WrongBytes(`the zip of file ${file.id} has other bytes`)
}

export async function untilDone({ stack, room, person, signal }: Actor, id: number): Promise<string | undefined> {
  const { workspace_id } = room
  for (let waited = 0; waited < 30_000 && !signal.aborted; waited += 50) {
    await sleep(50)
    const answer = await call(stack, person, api.downloads.listStatus, { params: { workspace_id } }).catch(
      () => undefined,
    )
    const download = answer?.reply.downloads.find((each) => each.id === id)
    if (download?.status === 'failed') return undefined
    if (download?.status !== 'done') continue
    const query = { workspace_id }
    return (await call(stack, person, api.downloads.get, { params: { id }, query })).reply.expiring_url
  }
  return undefined
}

/** @returns undefined for a failed or truncated download: a complete response has all the bytes it promised */
async function fetchAll(url: string, { stack, signal }: Pick<Actor, 'stack' | 'signal'>) {
  try {
    const response = await fetch(stack.url + new URL(url).pathname, { signal })
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status === 200) return bytes
    stack.noteFailure?.(failureOf(response.status, new TextDecoder().decode(bytes)))
  } catch (error) {
    if (!signal.aborted) stack.noteFailure?.(error)
  }
  return undefined
}

/** Makes a call that must not be repeated. @returns undefined when it was refused or got no answer */
async function once<E extends Parameters<typeof call>[2]>(
  actor: Actor,
  message: string,
  endpoint: E,
  parts: Parameters<typeof call<E>>[3],
  file?: KnownFile,
) {
  const { stack, person, ledger } = actor
  try {
    const answer = await call(stack, person, endpoint, parts)
    ledger.acknowledge(message, answer.requestId)
    return answer
  } catch (error) {
    leaveOpen(actor, message, error, file)
    return undefined
  }
}

function leaveOpen({ ledger }: Actor, message: string, error: unknown, file?: KnownFile): void {
  if (isRefusal(error)) {
    ledger.refused++
    return
  }
  ledger.leaveOpen(message)
  if (file) file.unknown = true
}

function note({ ledger }: Actor, { id, name, folder_id, sha256, version }: KnownFile): KnownFile {
  const known = { id, name, folder_id, sha256, version }
  ledger.files.set(id, known)
  return known
}

/** Picks one of the actor's own files whose state is known. */
function pick({ ledger, place, random }: Actor): KnownFile | undefined {
  const own = [...ledger.files.values()].filter(
    (file) => !file.deleted && !file.unknown && (file.folder_id === place.folder || file.folder_id === place.other),
  )
  return own[random.below(own.length)]
}
