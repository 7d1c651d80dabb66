import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let folder: number
let file_id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
  file_id = (await room.upload(world.alice, folder, 'plan.txt', 'the plan')).id
})

const call = () => ({ params: { file_id }, query: { workspace_id: room.workspace_id } })
const statusFor = (person: Person) => person.statusOf(api.downloads.getFile, call())
const setDrm = (id: number, drm_enabled: boolean) =>
  world.alice.call(api.groups.setDrm, {
    params: { id },
    body: { workspace_id: room.workspace_id, group: { drm_enabled } },
  })
const setWatermarking = (id: number, watermarking: boolean) =>
  world.alice.call(api.groups.setWatermarking, {
    params: { id },
    body: { workspace_id: room.workspace_id, group: { watermarking } },
  })

describe('downloading one file', () => {
  it('gives an expiring URL below the public address, named by the title, and is recorded', async () => {
    const body = { workspace_id: room.workspace_id, file: { title: 'Master plan.txt' } }
    await world.alice.call(api.files.update, { params: { id: file_id }, body })
    const { expiring_url, file_name } = await world.alice.call(api.downloads.getFile, call())
    expect(expiring_url).toMatch(/^http:\/\/dashboard\.test\/content\/[\w-]+$/)
    expect(file_name).toBe('Master plan.txt')
    expect((await room.messages())[0]).toBe('downloaded the file: Master plan.txt')
  })

  it('requires the right to download, not just to view', async () => {
    expect(await statusFor(world.bob)).toBe(404)
    await room.grant(folder, 'view')
    expect(await statusFor(world.bob)).toBe(403)
    await room.grant(folder, 'download')
    expect(await statusFor(world.bob)).toBe(200)
  })

  it('is refused for a deleted file and for an infected one', async () => {
    await service.services.db.updateTable('files').set({ infected: true }).where('id', '=', file_id).execute()
    expect(await statusFor(world.alice)).toBe(422)
    await world.alice.call(api.files.remove, { params: { id: file_id }, query: { workspace_id: room.workspace_id } })
    expect(await statusFor(world.alice)).toBe(404)
  })
})

describe('an earlier version', () => {
  const earlier = (version: number) => ({ ...call(), query: { ...call().query, version } })
  const manage = (file_managing_abilities: boolean) => {
    const body = { workspace_id: room.workspace_id, group: { file_managing_abilities } }
    return world.alice.call(api.groups.update, { params: { id: room.group_id }, body })
  }
  const fetchBy = async (person: Person, version: number) => {
    const { expiring_url } = await person.call(api.downloads.getFile, earlier(version))
    return service.url + new URL(expiring_url).pathname
  }
  beforeEach(async () => {
    await room.upload(world.alice, folder, 'plan.txt', 'another plan')
    await room.grant(folder, 'download')
    await room.grant(folder, 'upload')
  })

  it('is available to a user who manages files, while they do', async () => {
    expect(await world.bob.statusOf(api.downloads.getFile, earlier(1))).toBe(404)
    expect(await world.bob.statusOf(api.downloads.getFile, earlier(2))).toBe(200)
    await manage(true)
    const url = await fetchBy(world.bob, 1)
    expect(await (await fetch(url)).text()).toBe('the plan')
    await manage(false)
    expect((await fetch(url)).status).toBe(404)
    expect(await (await fetch(await fetchBy(world.alice, 1))).text()).toBe('the plan')
    expect((await room.messages())[0]).toBe('downloaded the file: plan.txt')
  })

  it('that never existed or is infected is refused', async () => {
    expect(await world.alice.statusOf(api.downloads.getFile, earlier(3))).toBe(404)
    await sql`update documents set infected = true where blob_id = (select blob_id from file_versions
      where file_id = ${file_id} and version = 1)`.execute(service.services.db)
    expect(await world.alice.statusOf(api.downloads.getFile, earlier(1))).toBe(422)
    expect(await world.alice.statusOf(api.downloads.getFile, earlier(2))).toBe(200)
  })

  it('D11: is refused if the group has DRM', async () => {
    await manage(true)
    await setDrm(room.group_id, true)
    expect(await world.bob.statusOf(api.downloads.getFile, earlier(1))).toBe(403)
  })

  it('is never delivered unmarked if the group has watermarks', async () => {
    await manage(true)
    await setWatermarking(room.group_id, true)
    const { code } = await world.bob.refused(api.downloads.getFile, earlier(1))
    expect([409, 422]).toContain(code)
  })
})

describe('a group with DRM', () => {
  beforeEach(() => room.grant(folder, 'download'))

  it('D11: gets no unsealed file, and the refusal says how to get a sealed one', async () => {
    await setDrm(room.group_id, true)
    const { code, message } = await world.bob.refused(api.downloads.getFile, call())
    expect([code, message]).toEqual([403, expect.stringContaining('POST /downloads')])
  })

  it('does not restrict admins', async () => {
    await setDrm(room.group_id, true)
    expect(await statusFor(world.alice)).toBe(200)
  })

  it('C13, D11: stays restricted even if another group grants the same without DRM', async () => {
    await room.grant(folder, 'download', await room.group('Lenders'))
    await setDrm(room.group_id, true)
    expect(await statusFor(world.bob)).toBe(403)
    await setDrm(room.group_id, false)
    expect(await statusFor(world.bob)).toBe(200)
  })

  it('does not count if the group does not grant download', async () => {
    const lenders = await room.group('Lenders')
    await setDrm(lenders, true)
    await room.grant(folder, 'view', lenders)
    expect(await statusFor(world.bob)).toBe(200)
  })

  it('counts by the nearest override above the file', async () => {
    const lenders = await room.group('Lenders')
    await setDrm(lenders, true)
    await room.grant(0, 'download', lenders)
    expect(await statusFor(world.bob)).toBe(403)
  })
})

describe('a watermarked group', () => {
  it('never gets unmarked bytes', async () => {
    await room.grant(folder, 'download')
    await setWatermarking(room.group_id, true)
    // The PDF that would be stamped has not been made from the text yet.
    expect(await statusFor(world.bob)).toBe(409)
    await setWatermarking(room.group_id, false)
    expect(await statusFor(world.bob)).toBe(200)
  })

  it('gets the reason, with its code, for a file that cannot carry a watermark', async () => {
    await room.grant(folder, 'download')
    await setWatermarking(room.group_id, true)
    file_id = (await room.upload(world.alice, folder, 'data.bin', new Uint8Array([0, 1, 2]))).id
    await sql`update documents set status = 'Unsupported'
      where blob_id = (select blob_id from files where id = ${file_id})`.execute(service.services.db)
    const reason = 'A file of this type cannot carry a watermark.'
    const message = `names a file that is delivered with a watermark only, and cannot have one: ${reason}`
    expect(await world.bob.refused(api.downloads.getFile, call())).toMatchObject({
      code: 422,
      message: `file_id ${message}.`,
      details: [
        { field: 'file_id', message, rule: 'markable_file', params: { reason, reason_code: 'cannot_be_marked' } },
      ],
    })
  })
})
