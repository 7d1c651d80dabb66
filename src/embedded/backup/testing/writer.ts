import { createHash, randomBytes } from 'node:crypto'
import { api } from '../../../contract/index.ts'
import { addMember, type Person } from '../../../service/testing/world.ts'

/** What a writer's part of a room is, as the API tells it. */
export interface Part {
  group_name: string
  /** E-mail addresses. */
  members: string[]
  /** Name -> name of the folder above, and the group's rights: 1 view, 2 download, 4 upload. */
  folders: Record<string, { above: string; rights: number }>
  /** Name -> its newest version, of the files in the first folder. */
  files: Record<string, { version: number; sha256: string }>
}

/** An act on the part: its call, and how many entries it has in the audit trail. */
interface Act {
  entries: number
  call(): Promise<unknown>
}

const VIEW = 1
const DOWNLOAD = 2
const UPLOAD = 4
const GRANTS = { view: VIEW, download: DOWNLOAD | VIEW, upload: UPLOAD | VIEW }
const CHUNKED_BYTES = 300_000

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Place {
  workspace_id: number
  /** The folder of the writer, its first subfolder, and its group. */
  top: number
  first: number
  group_id: number
}

/**
 * Changes a part of a room that nobody else changes, one act after the other, and remembers the part after each act. So a
 * copy of the room must have the part as it was after one of them.
 */
export class Writer {
  readonly person: Person
  /** The part at the beginning and after each act; the last one may not have ended yet. */
  readonly parts: Part[] = []
  /** Entries of the writer in the audit trail after as many acts. */
  readonly entries: number[] = [0]
  /** Acts that were acknowledged. */
  done = 0
  readonly #place: Place
  readonly #member: Person
  readonly #ids = new Map<string, number>()

  private constructor(person: Person, member: Person, place: Place) {
    this.person = person
    this.#member = member
    this.#place = place
  }

  static async begin(admin: Person, person: Person, member: Person, workspace_id: number): Promise<Writer> {
    const name = person.first_name
    const folder = async (title: string, parent_id: number) =>
      (await admin.call(api.folders.create, { body: { workspace_id, name: title, parent_id } })).id
    const top = await folder(name, 0)
    const first = await folder('First', top)
    const second = await folder('Second', top)
    const { id: group_id } = await admin.call(api.groups.create, { body: { group: { name, workspace_id } } })
    await addMember(admin, workspace_id, group_id, member)
    const writer = new Writer(person, member, { workspace_id, top, first, group_id })
    writer.#ids.set('First', first).set('Second', second)
    const folders = { First: { above: name, rights: 0 }, Second: { above: name, rights: 0 } }
    writer.parts.push({ group_name: name, members: [member.email], folders, files: {} })
    return writer
  }

  async write(signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n++) {
      const part = structuredClone(this.parts[this.done] as Part)
      const { entries, call } = this.#next(part, n)
      this.parts.push(part)
      this.entries.push((this.entries[this.done] ?? 0) + entries)
      await call()
      this.done++
    }
  }

  /** Reads the part through the API of a service, as an admin of the room. */
  async read(url: string, admin: Pick<Person, 'call'>): Promise<Part> {
    const { workspace_id, top, first, group_id } = this.#place
    const query = { workspace_id }
    const groups = await admin.call(api.groups.list, { query })
    const members = await admin.call(api.groups.listMembers, { params: { id: group_id }, query })
    const { rows } = await admin.call(api.permissions.sheet, { query: { ...query, group_ids: [group_id], below: top } })
    const names = new Map([[top, this.person.first_name], ...rows.map(({ id, name }) => [id, name] as const)])
    const { immediate_subfiles } = await admin.call(api.folders.get, { params: { id: first }, query })
    const files: Part['files'] = {}
    for (const { id, file_name, version } of immediate_subfiles) {
      const { expiring_url } = await admin.call(api.downloads.getFile, { params: { file_id: id }, query })
      const reply = await fetch(url + new URL(expiring_url).pathname)
      files[file_name] = { version, sha256: sha256(new Uint8Array(await reply.arrayBuffer())) }
    }
    const rightsOf = ([bits = 0]: number[]) => bits & (VIEW | DOWNLOAD | UPLOAD)
    return {
      group_name: groups.find(({ id }) => id === group_id)?.name ?? '',
      members: members.map(({ email }) => email),
      folders: Object.fromEntries(
        rows.map(({ name, parent_id, rights }) => [
          name,
          { above: names.get(parent_id) ?? '', rights: rightsOf(rights) },
        ]),
      ),
      files,
    }
  }

  /** Changes the part as the next act will. */
  #next(part: Part, n: number): Act {
    const acts = [
      () => this.#upload(part, `${n}.bin`, randomBytes(1 + n * 100)),
      () => this.#setRight(part, n),
      () => this.#createFolder(part, `f${n}`),
      () => this.#moveFolder(part, `f${n - 1}`),
      () => this.#uploadInChunks(part, `${n}.dat`),
      () => this.#changeMembers(part),
      () => this.#upload(part, '0.bin', randomBytes(50)),
      () => this.#rename(part, `${this.person.first_name} ${n}`),
    ]
    return (acts[n % acts.length] as () => Act)()
  }

  #upload({ files }: Part, file_name: string, bytes: Uint8Array<ArrayBuffer>): Act {
    files[file_name] = { version: (files[file_name]?.version ?? 0) + 1, sha256: sha256(bytes) }
    const { workspace_id, first: folder_id } = this.#place
    const query = { workspace_id, folder_id, file_name }
    return { entries: 1, call: () => this.person.call(api.files.upload, { query }, bytes) }
  }

  #uploadInChunks({ files }: Part, file_name: string): Act {
    const bytes = randomBytes(CHUNKED_BYTES)
    files[file_name] = { version: 1, sha256: sha256(bytes) }
    const { workspace_id, first: folder_id } = this.#place
    const body = { workspace_id, folder_id, file_name, size: String(bytes.length) }
    const call = async () => {
      const { id } = await this.person.call(api.uploads.create, { body })
      for (const offset of [0, CHUNKED_BYTES / 2]) {
        const query = { workspace_id, id, offset: String(offset) }
        await this.person.call(api.uploads.append, { query }, bytes.subarray(offset, offset + CHUNKED_BYTES / 2))
      }
      await this.person.call(api.uploads.finish, { params: { id }, body: { workspace_id } })
    }
    return { entries: 2, call }
  }

  #setRight({ folders }: Part, n: number): Act {
    const { workspace_id, group_id } = this.#place
    const folder = n % 3 === 0 ? 'Second' : 'First'
    const verb = n % 5 < 3 ? 'grant' : 'revoke'
    const flag = (['download', 'view', 'upload'] as const)[n % 4] ?? 'view'
    for (const [name, each] of Object.entries(folders)) {
      if (name !== folder && each.above !== folder) continue
      if (verb === 'grant') each.rights |= GRANTS[flag]
      else each.rights = flag === 'view' ? 0 : each.rights & ~(GRANTS[flag] & ~VIEW)
    }
    const body = { workspace_id, group_id, verb, folder_action: flag } as const
    const params = { id: this.#ids.get(folder) ?? 0 }
    return { entries: 1, call: () => this.person.call(api.permissions.set, { params, body }) }
  }

  #createFolder({ folders }: Part, name: string): Act {
    const { workspace_id, first: parent_id } = this.#place
    folders[name] = { above: 'First', rights: folders['First']?.rights ?? 0 }
    const call = async () => {
      const { id } = await this.person.call(api.folders.create, { body: { workspace_id, name, parent_id } })
      this.#ids.set(name, id)
    }
    return { entries: 1, call }
  }

  #moveFolder({ folders }: Part, name: string): Act {
    folders[name] = { above: 'Second', rights: folders['Second']?.rights ?? 0 }
    const body = { workspace_id: this.#place.workspace_id, destination_folder_id: this.#ids.get('Second') ?? 0 }
    const params = { id: this.#ids.get(name) ?? 0 }
    return { entries: 1, call: () => this.person.call(api.folders.move, { params, body }) }
  }

  #changeMembers(part: Part): Act {
    const { workspace_id, group_id } = this.#place
    const { id: user_id, email } = this.#member
    const isMember = part.members.length > 0
    part.members = isMember ? [] : [email]
    const query = { workspace_id, user_id }
    const call = () =>
      isMember
        ? this.person.call(api.groups.removeMember, { params: { id: group_id }, query })
        : addMember(this.person, workspace_id, group_id, this.#member)
    return { entries: 1, call }
  }

  #rename(part: Part, name: string): Act {
    const { workspace_id, group_id } = this.#place
    part.group_name = name
    const body = { workspace_id, group: { name } }
    return { entries: 1, call: () => this.person.call(api.groups.update, { params: { id: group_id }, body }) }
  }
}
