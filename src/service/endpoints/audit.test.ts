import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { verifyTrail } from '../audit/verify.ts'
import { chainAll } from '../store/audit/audit-chain.ts'
import { createRoom, type Room, upload } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

type Line = Reply<typeof api.audit.export>[number]
type Entry = Extract<Line, { type: 'record' }>['entry']

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const exportLines = async (workspace_id = room.workspace_id): Promise<string[]> => {
  const response = await world.alice.fetch(`/api/v1/workspaces/${workspace_id}/audit`)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=UTF-8')
  return (await response.text()).trimEnd().split('\n')
}

async function entries(workspace_id = room.workspace_id): Promise<Entry[]> {
  const lines = await world.alice.call(api.audit.export, { params: { id: workspace_id } })
  return lines.flatMap((line) => (line.type === 'record' ? [line.entry] : []))
}

const refusals = async () => (await entries()).filter((entry) => entry.refusal !== null)

describe('the audit trail', () => {
  beforeAll(async () => void (room = await createRoom(world)))

  it('has every activity, with its user, address and request', async () => {
    const response = await world.alice.fetch('/api/v1/folders', {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ workspace_id: room.workspace_id, name: 'Finance', parent_id: 0 }),
    })
    const { id } = (await response.json()) as { id: number }
    const messages = (await entries()).map((entry) => entry.message)
    expect(messages.slice(0, -1)).toEqual((await room.messages()).toReversed())
    expect(messages.at(-1)).toBe('exported the audit trail')
    expect((await entries()).find((entry) => entry.message === 'added the folder: Finance')).toMatchObject({
      user_id: world.alice.id,
      user_name: 'Alice Tester',
      user_email: 'alice@example.com',
      personal_key_id: null,
      ip: '203.0.113.9',
      request_id: response.headers.get('x-request-id'),
      verb: 'created',
      subject_type: 'Folder',
      subject_id: id,
      changes: { name: { after: 'Finance' }, parent_id: { after: 0 } },
      refusal: null,
    })
  })

  it('has the values before and after each change, even of acts without an activity', async () => {
    const id = await room.folder('Old')
    const { workspace_id } = room
    await world.alice.call(api.folders.update, { params: { id }, body: { workspace_id, folder: { name: 'New' } } })
    await world.alice.call(api.workspaces.update, {
      params: { id: workspace_id },
      body: { workspace: { name: 'Harbour II' } },
    })
    const changed = (await entries()).filter((entry) => entry.changes?.['name']?.before !== undefined)
    expect(changed.map((entry) => entry.changes)).toEqual([
      { name: { before: 'Old', after: 'New' } },
      { name: { before: 'Room', after: 'Harbour II' } },
    ])
  })

  it('has each file of a zip, and the fate of the zip', async () => {
    const folder_id = await room.folder('Zipped')
    await room.upload(world.alice, folder_id, 'quote "1".txt')
    await room.upload(world.alice, folder_id, 'two.txt')
    const body = { workspace_id: room.workspace_id, download: { folder_ids: [folder_id], file_ids: [] } }
    const { id } = await world.alice.call(api.downloads.create, { body })
    await world.alice.call(api.downloads.remove, { params: { id }, query: { workspace_id: room.workspace_id } })
    const all = await entries()
    expect(all.slice(-5, -1).map((entry) => [entry.message, entry.subject_type, entry.user_name])).toEqual([
      ['downloaded the folder: Zipped', 'Folder', 'Alice Tester'],
      ['downloaded the file: quote "1".txt', 'Asset', 'Alice Tester'],
      ['downloaded the file: two.txt', 'Asset', 'Alice Tester'],
      [`deleted the download ${id}`, 'Download', 'Alice Tester'],
    ])
  })

  it('verifies when exported', async () => {
    const lines = await exportLines()
    const { head } = await verifyTrail(lines)
    expect(head).toMatchObject({ workspace_id: room.workspace_id })
    expect(head.seq).toBe(lines.filter((line) => line.includes('"type":"record"')).length)
  })

  it('contains no secrets', async () => {
    const { key, secret, token } = world.alice.credentials
    const text = (await exportLines()).join('\n')
    for (const each of [key, secret, token, world.bob.user_token]) expect(text).not.toContain(each)
    expect(text).not.toMatch(/signature=/i)
  })

  it('is only for workspace admins', async () => {
    const params = { id: room.workspace_id }
    expect(await world.bob.statusOf(api.audit.export, { params })).toBe(403)
    expect(await world.mallory.statusOf(api.audit.export, { params })).toBe(404)
  })
})

describe('refused attempts', () => {
  beforeAll(async () => void (room = await createRoom(world)))

  it('are in the audit trail and nowhere else', async () => {
    const { workspace_id } = room
    const folder = await room.folder('Secret')
    const group = { group: { name: 'Mine', workspace_id } }
    const before = await room.messages()
    await world.mallory.refused(api.folders.get, { params: { id: folder }, query: { workspace_id } })
    await world.bob.refused(api.groups.create, { body: group })
    await world.bob.refused(api.workspaces.listMembers, { params: { id: workspace_id } })
    await upload(world.bob, { workspace_id, folder_id: folder, file_name: 'a.txt' }).catch(() => {})
    await world.alice.refused(api.groups.remove, { params: { id: await allMembers() }, query: { workspace_id } })

    expect((await refusals()).map(({ user_name, message, refusal }) => [user_name, refusal?.status, message])).toEqual([
      ['Mallory Tester', 404, `was refused: GET /api/v1/folders/${folder}`],
      ['Bob Tester', 403, 'was refused: POST /api/v1/groups'],
      ['Bob Tester', 403, `was refused: GET /api/v1/workspaces/${workspace_id}/memberships`],
      ['Bob Tester', 404, 'was refused: PUT /api/v1/files/upload'],
      ['Alice Tester', 422, `was refused: DELETE /api/v1/groups/${await allMembers()}`],
    ])
    expect(await room.messages()).toEqual(before)
  })

  const allMembers = async () => {
    const groups = await world.alice.call(api.groups.list, { query: { workspace_id: room.workspace_id } })
    return groups.find((group) => group.kind === 'all_members')?.id ?? 0
  }

  it('leave one entry when the change is rolled back', async () => {
    const before = await entries()
    const params = { id: await allMembers() }
    const body = { workspace_id: room.workspace_id, group: { name: 'Renamed' } }
    await world.alice.refused(api.groups.update, { params, body })
    const added = (await entries()).slice(before.length)
    expect(added.map((entry) => entry.verb)).toEqual(['refused', 'exported'])
  })

  it('without a valid signature are not recorded, and the query string never is', async () => {
    const before = (await refusals()).length
    const path = `/api/v1/folders/999?workspace_id=${room.workspace_id}&token=hush`
    await fetch(service.url + path)
    expect(await refusals()).toHaveLength(before)
    await world.mallory.fetch(path)
    const [last] = (await refusals()).slice(before)
    expect(JSON.stringify(last)).not.toContain('hush')
    expect(last?.refusal?.path).toBe('/api/v1/folders/999')
  })

  it('of a personal key without the scope are recorded, with the key', async () => {
    const made = await world.alice.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['files:read'] } })
    const { public_key: key, secret_key: secret } = made
    const script = service.as(world.alice)
    Object.assign(script.credentials, { key, secret })
    await script.refused(api.groups.list, { query: { workspace_id: room.workspace_id } })
    expect((await refusals()).at(-1)).toMatchObject({ personal_key_id: made.id, refusal: { status: 403 } })
  })

  it('C9: by an expiring URL whose user lost the right are recorded, without the URL', async () => {
    const { workspace_id } = room
    const folder = await room.folder('Lent')
    const { id: file_id } = await room.upload(world.alice, folder, 'lent.txt')
    await room.grant(folder, 'download')
    const call = { params: { file_id }, query: { workspace_id } }
    const { expiring_url } = await world.bob.call(api.downloads.getFile, call)
    const url = expiring_url.replace(service.config.publicUrl, service.url)
    expect((await fetch(url)).status).toBe(200)
    await room.revoke(folder, 'view')
    expect((await fetch(url)).status).toBe(404)
    const last = (await refusals()).at(-1)
    expect(last).toMatchObject({
      user_name: 'Bob Tester',
      message: 'was refused: GET /content/',
      refusal: { status: 404, reason: `An expiring URL of the file ${file_id} does not apply any more.` },
    })
    expect(JSON.stringify(await entries())).not.toContain(url.slice(url.lastIndexOf('/') + 1))
  })

  it('K27: by a lost expiring URL that is fetched over and over are recorded once', async () => {
    const { workspace_id } = room
    const folder = await room.folder('Lost')
    const { id: file_id } = await room.upload(world.alice, folder, 'lost.txt')
    await room.grant(folder, 'download')
    const call = { params: { file_id }, query: { workspace_id } }
    const { expiring_url } = await world.bob.call(api.downloads.getFile, call)
    await room.revoke(folder, 'view')
    const before = (await refusals()).length
    const url = expiring_url.replace(service.config.publicUrl, service.url)
    for (let at = 0; at < 5; at++) expect((await fetch(url)).status).toBe(404)
    expect(await refusals()).toHaveLength(before + 1)
  })

  it('on a workspace that does not exist are in the organization’s trail', async () => {
    await world.mallory.refused(api.workspaces.get, { params: { id: 2_000_000_000 } })
    const lines = await world.olivia.call(api.audit.exportOrganization, {})
    const messages = lines.flatMap((line) => (line.type === 'record' ? [line.entry.message] : []))
    expect(messages.slice(-2)).toEqual(['was refused: GET /api/v1/workspaces/2000000000', 'exported the audit trail'])
  })
})

describe('the chain', () => {
  beforeAll(async () => void (room = await createRoom(world)))

  it('has one entry for each of many concurrent acts, without a gap, even with several chaining at once', async () => {
    const folder = await room.folder('Inbox')
    const before = (await entries()).length
    const { db, auditSigner: signer, vault, clock } = service.services
    const names = Array.from({ length: 30 }, (_, at) => `file ${at}.txt`)
    await Promise.all([
      ...names.map((name) => room.upload(world.alice, folder, name)),
      ...names.map(() => room.grant(folder, 'view')),
      ...Array.from({ length: 10 }, () => chainAll(db, { signer, vault }, clock)),
      exportLines(),
      exportLines(),
    ])
    const lines = await exportLines()
    await verifyTrail(lines)
    const messages = lines
      .map((line) => JSON.parse(line) as Line)
      .flatMap((line) => (line.type === 'record' ? [line.entry.message] : []))
      .slice(before)
      .toSorted()
    const uploads = names.map((name) => `added the file: ${name}`)
    const grants = names.map(() => 'granted view access to Inbox for group: Bidders')
    const exports = ['exported the audit trail', 'exported the audit trail', 'exported the audit trail']
    expect(messages).toEqual([...uploads, ...grants, ...exports].toSorted())
  })

  it('continues from an earlier export and detects when it does not fit', async () => {
    const earlier = await verifyTrail(await exportLines())
    await room.folder('Later')
    const later = await exportLines()
    await verifyTrail(later, earlier)
    await expect(
      verifyTrail(await exportLines(), { ...earlier, head: { ...earlier.head, hash: 'x' } }),
    ).rejects.toThrow(`Record ${earlier.head.seq}: it or a record before it is not what it was in the earlier export`)
  })

  it('I8: is not affected by a clock that goes backwards', async () => {
    const folder = await room.folder('Clock')
    const minute = 60_000
    for (const back of [0, 40, 20, 50]) {
      service.setClock(new Date(Date.now() - back * minute))
      await room.upload(world.alice, folder, `${back} minutes back.txt`)
      await verifyTrail(await exportLines())
    }
    service.setClock(undefined)
    const { db } = service.services
    const entry = JSON.stringify({ ...(await entries()).at(-1), message: 'came before all others', at: undefined })
    const created_at = new Date(0).toISOString()
    await db.insertInto('audit_inbox').values({ workspace_id: room.workspace_id, entry, created_at }).execute()
    await verifyTrail(await exportLines())
    const late = (await entries()).find((each) => each.message === 'came before all others')
    expect(late?.at).toBe('1970-01-01T00:00:00.000Z')
    const uploads = (await entries()).filter((each) => each.message.endsWith('minutes back.txt'))
    expect(uploads.map((each) => Number.parseInt(each.message.slice('added the file: '.length), 10))).toEqual([
      0, 40, 20, 50,
    ])
  })

  it('I4, I5: treats names as data: no line breaks, colours or formulas', async () => {
    const { workspace_id } = room
    const names = ['=cmd|calc!A1', '@SUM(1)', '-2+3', '+1', '"quoted", with comma', "it's; <b>bold", '{"type":"head"}']
    for (const name of names) await room.folder(name)
    const hostile = ['two\nlines', 'red\u001b[31m', 'rtl\u202Egnp.exe', 'null\u0000', 'line\u2028separator']
    for (const name of hostile) {
      const refused = await world.alice.refused(api.folders.create, { body: { workspace_id, name, parent_id: 0 } })
      expect(refused.code).toBe(422)
    }
    const user = { email: 'ansi@example.com', first_name: 'Red\u001b[31m', last_name: 'X' }
    expect((await world.olivia.refused(api.users.create, { body: { user } })).code).toBe(422)
    await world.mallory.fetch(`/api/v1/folders/1%0a%1b[31m?workspace_id=${workspace_id}`)

    const text = (await (await world.alice.fetch(`/api/v1/workspaces/${workspace_id}/audit`)).text()).trimEnd()
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
    const lines = text.split('\n')
    for (const line of lines) expect(line).toMatch(/^\{".*\}$/)
    await verifyTrail(lines)
    const messages = (await entries()).map((each) => each.message)
    for (const name of names) expect(messages).toContain(`added the folder: ${name}`)
  })

  it('reveals that an export was cut off while it streamed', async () => {
    const lines = await exportLines()
    for (let end = 0; end < lines.length; end++) {
      await expect(verifyTrail(lines.slice(0, end))).rejects.toThrow(/cut off|no trail/)
    }
  })

  it('I6: survives the deletion of its subjects and users', async () => {
    const { workspace_id } = room
    const folder = await room.folder('Doomed')
    const file = await room.upload(world.alice, folder, 'doomed.txt')
    const gone = await createPerson(service, 'gone')
    const group_id = await room.group('Doomed group')
    await addMember(world.alice, workspace_id, group_id, gone)
    await gone.call(api.workspaces.get, { params: { id: workspace_id } })
    await remove(gone, folder, file.id, group_id)

    const all = await entries()
    const of = (message: string) => all.filter((entry) => entry.message === message).map((entry) => entry.user_name)
    expect(of('joined this Workspace')).toContain('Gone Tester')
    expect(of('added the file: doomed.txt')).toEqual(['Alice Tester'])
    expect(of('added the group: Doomed group')).toEqual(['Alice Tester'])
    expect(of('removed Gone Tester from this workspace')).toHaveLength(1)
    await verifyTrail(await exportLines())
  })

  const remove = async (user: Person, folder: number, file: number, group: number) => {
    const query = { workspace_id: room.workspace_id }
    await world.alice.call(api.files.remove, { params: { id: file }, query })
    await world.alice.call(api.folders.remove, { params: { id: folder }, query })
    await world.alice.call(api.groups.remove, { params: { id: group }, query })
    await world.olivia.call(api.users.remove, { query: { user: { id: user.id } } })
  }

  it('cannot be changed or truncated through the service’s own connection', async () => {
    const { db } = service.services
    await expect(db.updateTable('audit_records').set({ entry: '{}' }).execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('audit_records').execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('audit_checkpoints').execute()).rejects.toThrow('append-only')
  })

  it('gets no more signatures after a record was inserted beyond its end', async () => {
    const { db } = service.services
    await exportLines()
    const { workspace_id } = room
    const forged = { workspace_id, seq: 1_000_000, entry: '{}', hash: 'f'.repeat(64) }
    await db.insertInto('audit_records').values(forged).execute()
    const response = await world.alice.fetch(`/api/v1/workspaces/${workspace_id}/audit`)
    expect(response.status).toBe(500)
  })
})
