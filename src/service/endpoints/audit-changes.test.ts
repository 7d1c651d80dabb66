import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

// The audit trail of a workspace has the values before and after each change.

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => void (room = await createRoom(world)))

/** The changes of the newest audit entry. */
async function changes() {
  const lines = await world.alice.call(api.audit.export, { params: { id: room.workspace_id } })
  const entries = lines.flatMap((line) =>
    line.type === 'record' && line.entry.verb !== 'exported' ? [line.entry] : [],
  )
  return entries.at(-1)?.changes
}

const inRoom = () => ({ workspace_id: room.workspace_id })
const of = <T>(group: T) => ({ params: { id: room.group_id }, body: { ...inRoom(), group } })

it.each(['"subject_id":null', '\\"subject_id\\":null,"x":"', "'$1 \\\\"])(
  'a new folder named %j keeps its name in its audit entry, and the entry names the folder',
  async (name) => {
    const folder = await room.folder(name)
    const lines = await world.alice.call(api.audit.export, { params: { id: room.workspace_id } })
    const entries = lines.flatMap((line) => (line.type === 'record' ? [line.entry] : []))
    const entry = entries.find(({ message }) => String(message).startsWith('added the folder'))
    expect(entry).toMatchObject({ subject_id: folder, changes: { name: { after: name } } })
  },
)

it.each(['"changes":null', '\\"changes\\":null,"x":"', '"subject_id":null', "'$1 \\\\"])(
  'a folder and a group named %j keep their names in the audit entries of rights and members',
  async (name) => {
    const [folder, group] = [await room.folder(name), await room.group(name)]
    await room.grant(folder, 'view', group)
    const lines = await world.alice.call(api.audit.export, { params: { id: room.workspace_id } })
    const entries = lines.flatMap((line) => (line.type === 'record' ? [line.entry] : []))
    // The last entry is that of the export.
    expect(entries.slice(-3, -1)).toMatchObject([
      { message: `added Bob Tester to group ${name}`, changes: { user_id: { after: world.bob.id } } },
      {
        message: `granted view access to ${name} for group: ${name}`,
        subject_id: group,
        changes: { folder_id: { after: folder }, view: { after: { value: true } } },
      },
    ])
  },
)

describe('changes of rights', () => {
  const flag = (before: boolean, after: boolean) => ({
    before: { value: before, count: 0, overrides: [] },
    after: { value: after },
  })

  it('include the former grants, with all that a grant implies', async () => {
    const folder = await room.folder('Finance')
    await room.grant(folder, 'download')
    expect(await changes()).toEqual({
      folder_id: { after: folder },
      view: flag(false, true),
      download: flag(false, true),
    })
    await room.grant(folder, 'upload')
    expect(await changes()).toEqual({ folder_id: { after: folder }, view: flag(true, true), upload: flag(false, true) })
    await room.revoke(folder, 'view')
    expect(await changes()).toEqual({
      folder_id: { after: folder },
      view: flag(true, false),
      download: flag(true, false),
      upload: flag(true, false),
    })
  })

  it('include inherited rights and the removed overrides below', async () => {
    const folder = await room.folder('Finance')
    const [one, two] = [await room.folder('One', folder), await room.folder('Two', folder)]
    const deep = await room.folder('Deep', two)
    await room.grant(0, 'view')
    await room.revoke(one, 'view')
    await room.revoke(two, 'view')
    await room.grant(deep, 'view')
    await room.grant(folder, 'view')
    const overrides = [
      { folder_id: one, value: false },
      { folder_id: two, value: false },
      { folder_id: deep, value: true },
    ]
    expect(await changes()).toEqual({
      folder_id: { after: folder },
      view: { before: { value: true, count: 3, overrides }, after: { value: true } },
    })
  })

  it('are recorded when a move or a deletion removes rights', async () => {
    const [folder, other] = [await room.folder('Finance'), await room.folder('Archive')]
    const row = (folder_id: number) => ({ group_id: room.group_id, folder_id, flag: 'view', value: true })
    await room.grant(folder, 'view')
    const body = { ...inRoom(), destination_folder_id: other }
    await world.alice.call(api.folders.move, { params: { id: folder }, body })
    expect(await changes()).toEqual({
      parent_id: { before: 0, after: other },
      permissions: { before: { count: 1, overrides: [row(folder)] } },
    })
    await room.grant(other, 'view')
    await world.alice.call(api.folders.remove, { params: { id: other }, query: inRoom() })
    expect(await changes()).toEqual({
      name: { before: 'Archive' },
      parent_id: { before: 0 },
      folders: { before: 2 },
      permissions: { before: { count: 1, overrides: [row(other)] } },
    })
  })
})

describe('changes of groups', () => {
  it('include each setting before and after', async () => {
    const { alice } = world
    await alice.call(api.groups.setDrm, of({ drm_enabled: true, drm_expires_after: '2199-01-01' }))
    expect(await changes()).toEqual({ drm_expires_after: { before: null, after: '2199-01-01' } })
    await alice.call(api.groups.setDrm, of({ drm_enabled: false }))
    expect(await changes()).toEqual({ drm_enabled: { before: true, after: false } })
    await alice.call(api.groups.removeDrmExpiration, { params: { id: room.group_id }, body: inRoom() })
    expect(await changes()).toEqual({ drm_expires_after: { before: '2199-01-01', after: null } })
    await alice.call(api.groups.setWatermarking, of({ watermarking: true }))
    expect(await changes()).toEqual({ watermarked: { before: false, after: true } })
    await alice.call(api.groups.setAccessExpiry, of({ expire_workspace_access_at: '2199-01-01' }))
    expect(await changes()).toEqual({ expire_workspace_access_at: { before: null, after: '2199-01-01' } })
    await alice.call(api.groups.removeAccessExpiry, { params: { id: room.group_id }, body: inRoom() })
    expect(await changes()).toEqual({ expire_workspace_access_at: { before: '2199-01-01', after: null } })
    await alice.call(api.groups.update, of({ name: 'Buyers' }))
    expect(await changes()).toEqual({ name: { before: 'Bidders', after: 'Buyers' } })
    await alice.call(api.groups.update, of({ file_managing_abilities: true }))
    expect(await changes()).toEqual({ file_managing_abilities: { before: false, after: true } })
  })

  it('include each member who joined or left', async () => {
    const params = { id: await room.group('Second') }
    expect(await changes()).toEqual({ user_id: { after: world.bob.id } })
    await world.alice.call(api.groups.removeMember, { params, query: { ...inRoom(), user_id: world.bob.id } })
    expect(await changes()).toEqual({ user_id: { before: world.bob.id } })
  })

  it('include the last state of a deleted group', async () => {
    const id = await room.group('Second')
    await world.alice.call(api.groups.remove, { params: { id }, query: inRoom() })
    expect(await changes()).toEqual({
      name: { before: 'Second' },
      drm_enabled: { before: false },
      drm_expires_after: { before: null },
      watermarked: { before: false },
      pdf_delivery: { before: 'woven' },
      expire_workspace_access_at: { before: null },
      file_managing_abilities: { before: false },
      text_layer: { before: 'with_download' },
      member_ids: { before: [world.bob.id] },
    })
  })
})

describe('changes of files and folders', () => {
  it('include their names, and where they came from and went', async () => {
    const [folder, other] = [await room.folder('Finance'), await room.folder('Archive')]
    expect(await changes()).toEqual({ name: { after: 'Archive' }, parent_id: { after: 0 } })
    const { id } = await room.upload(world.alice, folder, 'plan.txt', 'one')
    expect(await changes()).toEqual({
      title: { after: 'plan.txt' },
      folder_id: { after: folder },
      file_size: { after: '3' },
    })
    await room.upload(world.alice, folder, 'plan.txt', 'three')
    expect(await changes()).toMatchObject({ version: { before: 1, after: 2 }, file_size: { after: '5' } })
    await world.alice.call(api.files.update, { params: { id }, body: { ...inRoom(), file: { title: 'Plan.txt' } } })
    expect(await changes()).toEqual({ title: { before: 'plan.txt', after: 'Plan.txt' } })
    const into = { params: { id }, body: { ...inRoom(), destination_folder_id: other } }
    const copy = await world.alice.call(api.files.copy, into)
    expect(await changes()).toEqual({ folder_id: { after: other }, source_id: { after: id } })
    await world.alice.call(api.files.move, into)
    expect(await changes()).toEqual({ folder_id: { before: folder, after: other } })
    await world.alice.call(api.files.remove, { params: { id: copy.id }, query: inRoom() })
    expect(await changes()).toMatchObject({ title: { before: 'Plan.txt' }, folder_id: { before: other } })
    const [newest] = await world.alice.call(api.trash.list, { query: inRoom() })
    await world.alice.call(api.trash.restore, { params: { deletion_id: newest?.deletion_id ?? '' }, body: inRoom() })
    expect(await changes()).toMatchObject({ folder_id: { after: other } })
  })

  it('include their position before and after', async () => {
    const [first] = [await room.folder('One'), await room.folder('Two')]
    await world.alice.call(api.folders.update, { params: { id: first }, body: { ...inRoom(), folder: { index: 2 } } })
    expect(await changes()).toEqual({ index: { before: 1, after: 2 } })
    await world.alice.call(api.folders.update, {
      params: { id: first },
      body: { ...inRoom(), folder: { name: 'Uno' } },
    })
    expect(await changes()).toEqual({ name: { before: 'One', after: 'Uno' } })
    const body = { ...inRoom(), destination_folder_id: 0 }
    await world.alice.call(api.folders.copy, { params: { id: first }, body })
    expect(await changes()).toEqual({ parent_id: { after: 0 }, source_id: { after: first } })
  })
})

describe('changes of the workspace', () => {
  it('include its name and its API access', async () => {
    const params = { id: room.workspace_id }
    await world.alice.call(api.workspaces.update, { params, body: { workspace: { name: 'Bridge' } } })
    expect(await changes()).toEqual({ name: { before: 'Room', after: 'Bridge' } })
    await world.alice.call(api.workspaces.enableApiAccess, { params })
    expect(await changes()).toEqual({ api_access_enabled: { before: false, after: true } })
    await world.alice.call(api.workspaces.disableApiAccess, { params })
    expect(await changes()).toEqual({ api_access_enabled: { before: true, after: false } })
  })
})
