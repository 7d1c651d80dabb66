import { api } from '../../contract/index.ts'
import type { Flag } from '../../contract/endpoints/permissions.ts'
import type { Bytes } from './client.ts'
import { addMember, type Person, type World } from './world.ts'

/** A separate workspace: alice administers it, bob is in its group Bidders, which has no rights yet. */
export interface Room {
  workspace_id: number
  group_id: number
  /** Creates a folder and returns its id. */
  folder(name: string, parent_id?: number): Promise<number>
  grant(folderId: number, flag: Flag, groupId?: number): Promise<void>
  revoke(folderId: number, flag: Flag): Promise<void>
  /** Adds another group with bob in it. */
  group(name: string): Promise<number>
  upload(person: Person, folder_id: number, file_name: string, content?: Bytes): ReturnType<typeof upload>
  /** `index title` of each file of a folder, in order. */
  files(folderId: number): Promise<string[]>
  /** The activities alice sees, newest first. */
  messages(): Promise<string[]>
}

export async function createRoom({ alice, bob, team_id }: World): Promise<Room> {
  const { id: workspace_id } = await alice.call(api.workspaces.create, {
    body: { workspace: { name: 'Room', team_id } },
  })
  const group = async (name: string) => {
    const { id } = await alice.call(api.groups.create, { body: { group: { name, workspace_id } } })
    await addMember(alice, workspace_id, id, bob)
    return id
  }
  const group_id = await group('Bidders')
  const set = async (verb: 'grant' | 'revoke', id: number, folder_action: Flag, of = group_id) => {
    const body = { workspace_id, group_id: of, verb, folder_action }
    await alice.call(api.permissions.set, { params: { id }, body })
  }
  return {
    workspace_id,
    group_id,
    group,
    folder: async (name, parent_id = 0) =>
      (await alice.call(api.folders.create, { body: { workspace_id, name, parent_id } })).id,
    grant: (folderId, flag, of) => set('grant', folderId, flag, of),
    revoke: (folderId, flag) => set('revoke', folderId, flag),
    upload: (person, folder_id, file_name, content) => upload(person, { workspace_id, folder_id, file_name }, content),
    async files(id) {
      const { immediate_subfiles } = await alice.call(api.folders.get, { params: { id }, query: { workspace_id } })
      return immediate_subfiles.map((file) => `${file.index} ${file.title}`)
    },
    async messages() {
      const { events } = await alice.call(api.activities.list, { params: { workspace_id } })
      return events.map((event) => event.message)
    },
  }
}

export interface Place {
  workspace_id: number
  folder_id: number
  file_name: string
}

export function upload(person: Person, query: Place, content: Bytes = 'content') {
  return person.call(api.files.upload, { query }, content)
}
