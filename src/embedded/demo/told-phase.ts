import { api } from '../../contract/index.ts'
import type { Flag } from '../../contract/endpoints/permissions.ts'
import type { Caller } from './call.ts'
import { ensureFolders, ensureGroup, idOf } from './fill.ts'
import { MARTA } from './people.ts'
import type { DemoPhase } from './room.ts'
import type { Teller } from './teller.ts'
import type { ToldRoom } from './told-room.ts'

/** Lets Marta prepare the next phase of the sale, which nobody but admins sees. Keeps what is there already. */
export async function tellNextPhase(teller: Teller, room: ToldRoom, phase: DemoPhase): Promise<void> {
  const marta = teller.as(MARTA)
  const { day, time, below, folder, opensIn, opensAt, group } = phase
  const path = `${below}/${folder.name}`
  await teller.at(day, time, 70, async () => {
    await ensureDraft(marta, room, below, folder.name)
    await ensureFolders(marta, room, [{ name: below, folders: [folder] }], room.folders)
    await setRights(marta, room, phase.rights)
    await ensureGroup(marta, room.id, { ...group, is_draft: true }, room.folders)
    await stage(marta, room, phase.staged)
    await plan(marta, room, path, teller.coming(opensIn, opensAt))
  })
}

async function ensureDraft(admin: Caller, room: ToldRoom, below: string, name: string): Promise<void> {
  const parent_id = idOf(room.folders, below)
  const at = { params: { id: parent_id }, query: { workspace_id: room.id } }
  const { immediate_subfolders } = await admin.call(api.folders.get, at)
  if (immediate_subfolders.some((folder) => folder.name === name)) return
  await admin.call(api.drafts.create, { body: { workspace_id: room.id, name, parent_id } })
}

async function setRights(admin: Caller, room: ToldRoom, rights: DemoPhase['rights']): Promise<void> {
  const groupOf = await room.groupIds(MARTA)
  for (const { group, verb, flag, folder } of rights) {
    const body = { workspace_id: room.id, group_id: groupOf(group), verb, folder_action: flag }
    await admin.call(api.permissions.set, { params: { id: idOf(room.folders, folder) }, body })
  }
}

async function stage(admin: Caller, room: ToldRoom, rights: DemoPhase['staged']): Promise<void> {
  const params = { id: room.id }
  if ((await admin.call(api.stagedRights.list, { params })).changes.length > 0) return
  const groupOf = await room.groupIds(MARTA)
  const changes = rights.map(({ group, verb, flag, folder }) => ({
    folder_id: idOf(room.folders, folder),
    group_id: groupOf(group),
    rights: { [flag]: verb === 'grant' } satisfies Partial<Record<Flag, boolean>>,
  }))
  await admin.call(api.stagedRights.stage, { params, body: { changes } })
}

async function plan(admin: Caller, room: ToldRoom, folder: string, opens: Date): Promise<void> {
  const params = { id: room.id }
  const { schedule } = await admin.call(api.drafts.getSchedule, { params })
  const body = { folder_ids: [idOf(room.folders, folder)], opens_at: opens.toISOString() }
  if (!schedule) await admin.call(api.drafts.setSchedule, { params, body })
}
