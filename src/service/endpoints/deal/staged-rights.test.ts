import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MOST_STAGED_AT_ONCE } from '../../../contract/endpoints/deal/staged-rights.ts'
import type { FlagSetting } from '../../../contract/endpoints/permissions.ts'
import { api } from '../../../contract/index.ts'
import { bitOf } from '../../../contract/rules.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room
let finance: number
let tax: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  finance = await room.folder('Finance')
  tax = await room.folder('Tax', finance)
})

const params = () => ({ id: room.workspace_id })
const stage = (folder_id: number, rights: FlagSetting, group_id = room.group_id) =>
  world.alice.call(api.stagedRights.stage, { params: params(), body: { changes: [{ folder_id, group_id, rights }] } })
const read = () => world.alice.call(api.stagedRights.list, { params: params() })
const list = async () => (await read()).changes
const publish = (body: { digest?: string } = {}) =>
  world.alice.call(api.stagedRights.publish, { params: params(), body })
const refusedPublish = (body: { digest?: string } = {}) =>
  world.alice.refused(api.stagedRights.publish, { params: params(), body })
const discard = (query: { folder_id?: number; group_id?: number } = {}) =>
  world.alice.call(api.stagedRights.discard, { params: params(), query })
const bobSees = async (id: number) => {
  const call = { params: { id }, query: { workspace_id: room.workspace_id } }
  return world.bob.call(api.folders.get, call).then(
    () => true,
    () => false,
  )
}

/** Own rights of the group by folder, as the grid shows them. */
async function gridOf(staged: boolean, reading: object = { below: 0 }): Promise<Record<number, string[]>> {
  const query = { workspace_id: room.workspace_id, group_ids: [room.group_id], staged, ...reading }
  const { rows } = await world.alice.call(api.permissions.sheet, { query })
  const flags = ['view', 'download', 'upload'] as const
  return Object.fromEntries(rows.map(({ id, rights }) => [id, flags.filter((flag) => (rights[0] ?? 0) & bitOf(flag))]))
}

describe('staged rights', () => {
  it('give nobody anything until they are published together', async () => {
    await stage(tax, { download: true })
    await stage(finance, { view: true })
    expect(await bobSees(finance)).toBe(false)
    expect(await gridOf(false)).toMatchObject({ [finance]: [], [tax]: [] })
    expect(await gridOf(true)).toMatchObject({ [finance]: ['view'], [tax]: ['view', 'download'] })
    expect(await list()).toMatchObject([
      {
        folder_id: finance,
        path: '/Finance',
        group_id: room.group_id,
        before: { view: false, download: false, upload: false },
        after: { view: true, download: false, upload: false },
        below: 0,
        in_draft: false,
        staged_by: { id: world.alice.id },
      },
      { folder_id: tax, path: '/Finance/Tax', after: { view: true, download: true, upload: false } },
    ])

    const { effects } = await publish()
    expect(effects.map(({ folder_id }) => folder_id)).toEqual([finance, tax])
    expect(await bobSees(finance)).toBe(true)
    expect(await list()).toEqual([])
    expect(await gridOf(false)).toEqual(await gridOf(true))
  })

  it('of a folder replace those below it, right by right', async () => {
    await stage(tax, { download: true })
    await stage(finance, { view: true })
    expect(await gridOf(true)).toMatchObject({ [finance]: ['view'], [tax]: ['view', 'download'] })
    await stage(finance, { view: false })
    expect(await gridOf(true)).toMatchObject({ [finance]: [], [tax]: [] })
    expect(await list()).toEqual([])
  })

  it('replace what is set below, and say on how many folders', async () => {
    const vat = await room.folder('VAT', tax)
    await room.grant(vat, 'download')
    await stage(finance, { view: false })
    expect(await list()).toMatchObject([
      { folder_id: finance, before: { view: false }, after: { view: false }, below: 1 },
    ])
    expect(await gridOf(true)).toMatchObject({ [vat]: [] })
    expect(await gridOf(true, { folder_ids: [tax] })).toMatchObject({ [vat]: [] })
    await publish()
    expect(await gridOf(false)).toMatchObject({ [vat]: [] })
  })

  it('are not kept where they would change nothing', async () => {
    await room.grant(finance, 'view')
    await stage(tax, { view: true })
    expect(await list()).toEqual([])
    await stage(tax, { upload: true })
    await stage(tax, { upload: false })
    expect(await list()).toEqual([])
    expect(await refusedPublish()).toMatchObject({ code: 409, reason: 'nothing_staged' })
  })

  it('K108: are published only as they were read', async () => {
    await stage(finance, { view: true })
    await stage(tax, { view: false })
    const { changes, digest } = await read()
    expect(changes.map(({ folder_id }) => folder_id)).toEqual([finance, tax])
    const refusal = { code: 409, reason: 'staged_rights_changed' }
    await stage(await room.folder('Legal'), { upload: true })
    expect(await refusedPublish({ digest })).toMatchObject(refusal)
    const withLegal = await read()
    await discard({ folder_id: tax, group_id: room.group_id })
    expect(await refusedPublish({ digest: withLegal.digest })).toMatchObject(refusal)
    await stage(tax, { view: false })
    await publish({ digest: withLegal.digest })
    expect(await list()).toEqual([])
    expect(await gridOf(false)).toMatchObject({ [finance]: ['view'], [tax]: [] })
  })

  it('K108: are not published unseen with drafts, if what was read is discarded', async () => {
    await stage(finance, { view: true })
    const { digest } = await read()
    await discard()
    const draft = await world.alice.call(api.drafts.create, {
      body: { workspace_id: room.workspace_id, name: 'Forecast', parent_id: finance },
    })
    const body = { folder_ids: [draft.id], staged_rights: digest }
    expect(await world.alice.refused(api.drafts.publish, { params: params(), body })).toMatchObject({
      reason: 'staged_rights_changed',
    })
  })

  it('K108: keep what a right needs, whatever is discarded or changed meanwhile', async () => {
    await stage(finance, { view: true })
    await stage(tax, { download: true })
    await discard({ folder_id: finance, group_id: room.group_id })
    expect(await list()).toMatchObject([{ folder_id: tax, after: { view: true, download: true } }])
    expect(await gridOf(true)).toMatchObject({ [tax]: ['view', 'download'] })
    const vat = await room.folder('VAT', tax)
    await room.grant(tax, 'view')
    await discard()
    await stage(tax, { upload: true })
    const change = { folder_id: vat, group_id: room.group_id, rights: { view: false } }
    const body = { workspace_id: room.workspace_id, changes: [change] }
    await world.alice.call(api.permissions.change, { body })
    const planned = await gridOf(true)
    expect(planned).toMatchObject({ [vat]: ['view', 'upload'] })
    await publish()
    expect(await gridOf(false)).toEqual(planned)
  })

  it('K108: of two admins at once do not contradict each other', async () => {
    await room.grant(finance, 'view')
    await Promise.all([stage(finance, { view: false }), stage(finance, { download: true })])
    await publish()
    expect(await gridOf(false)).toEqual(await gridOf(true))
  })

  it('K108: do not end the process if the database fails while they are staged', async () => {
    const { db } = service.services
    await sql`alter function stage_rights rename to stage_rights_away`.execute(db)
    const change = { folder_id: finance, group_id: room.group_id, rights: { view: true } }
    const call = { params: params(), body: { changes: [change, { ...change, folder_id: tax }] } }
    const failed = await world.alice.refused(api.stagedRights.stage, call)
    await sql`alter function stage_rights_away rename to stage_rights`.execute(db)
    expect(failed).toMatchObject({ code: 500 })
    await stage(finance, { view: true })
    expect(await list()).toHaveLength(1)
  })

  it('K108: staged again while they are published wait for it', async () => {
    await Promise.all([
      ...Array.from({ length: 6 }, () => stage(finance, { view: true })),
      ...Array.from({ length: 6 }, () => publish().catch(() => undefined)),
    ])
    await stage(tax, { upload: true })
    await publish()
    expect(await gridOf(false)).toMatchObject({ [finance]: expect.any(Array), [tax]: ['view', 'upload'] })
  })

  it('K108: go when their folder moves', async () => {
    await stage(tax, { view: true })
    await world.alice.call(api.folders.move, {
      params: { id: tax },
      body: { workspace_id: room.workspace_id, destination_folder_id: 0 },
    })
    expect(await list()).toEqual([])
    expect(await gridOf(true)).toMatchObject({ [tax]: [] })
  })

  it('K108: go when the previous release moves their folder, and stay when it renames it', async () => {
    await stage(finance, { view: true })
    const form = await room.folder('Form', tax)
    await stage(form, { upload: true })
    await sql`update folders set name = 'Taxes' where workspace_id = ${room.workspace_id} and id = ${tax}`.execute(
      service.services.db,
    )
    expect((await list()).map(({ folder_id }) => folder_id)).toEqual([finance, form])
    // As that release does, which knows no staged rights.
    await sql`update folders set id_path = '{0}'::int[] || id_path[3:]
      where workspace_id = ${room.workspace_id} and ${tax} = any(id_path)`.execute(service.services.db)
    await sql`update folders set parent_id = 0 where workspace_id = ${room.workspace_id} and id = ${tax}`.execute(
      service.services.db,
    )
    expect((await list()).map(({ folder_id }) => folder_id)).toEqual([finance])
  })

  it('K108: go when their folder comes back from the trash to another place', async () => {
    await stage(tax, { view: true })
    const query = { workspace_id: room.workspace_id }
    await world.alice.call(api.folders.remove, { params: { id: tax }, query })
    await world.alice.call(api.folders.remove, { params: { id: finance }, query })
    const { deletion_id = '' } = (await world.alice.call(api.trash.list, { query })).find(({ id }) => id === tax) ?? {}
    const restored = await world.alice.call(api.trash.restore, { params: { deletion_id }, body: query })
    expect(restored.folder_id).toBe(0)
    expect(await list()).toEqual([])
  })

  it('are discarded one by one or all together', async () => {
    await stage(finance, { view: true })
    await stage(tax, { upload: true })
    await discard({ folder_id: tax, group_id: room.group_id })
    expect((await list()).map(({ folder_id }) => folder_id)).toEqual([finance])
    await expect(discard({ folder_id: tax, group_id: room.group_id })).rejects.toMatchObject({ code: 404 })
    await discard()
    expect(await list()).toEqual([])
    expect(await gridOf(true)).toMatchObject({ [finance]: [], [tax]: [] })
  })

  it('go with their group and wait while their folder is in the trash', async () => {
    await stage(finance, { view: true })
    const doomed = (
      await world.alice.call(api.groups.create, {
        body: { group: { name: 'Doomed', workspace_id: room.workspace_id } },
      })
    ).id
    await stage(tax, { view: true }, doomed)
    await world.alice.call(api.groups.remove, { params: { id: doomed }, query: { workspace_id: room.workspace_id } })
    expect((await list()).map(({ group_id }) => group_id)).toEqual([room.group_id])
    await world.alice.call(api.folders.remove, {
      params: { id: finance },
      query: { workspace_id: room.workspace_id },
    })
    expect(await list()).toEqual([])
    expect(await refusedPublish()).toMatchObject({ code: 409, reason: 'nothing_staged' })
  })

  it('K108: are shown to no member', async () => {
    await room.grant(finance, 'view')
    await stage(tax, { upload: true })
    const query = { workspace_id: room.workspace_id, group_ids: [room.group_id], staged: true }
    expect(await world.bob.refused(api.permissions.sheet, { query })).toMatchObject({ code: 403 })
    const { rows } = await world.bob.call(api.permissions.sheet, { query: { ...query, staged: false } })
    expect(rows.find(({ id }) => id === finance)?.rights).toEqual([bitOf('view')])
    const { upload } = (
      await world.bob.call(api.folders.get, {
        params: { id: finance },
        query: { workspace_id: room.workspace_id },
      })
    ).abilities
    expect(upload).toBe(false)
    const { events } = await world.bob.call(api.activities.list, {
      params: { workspace_id: room.workspace_id },
      query: {},
    })
    expect(JSON.stringify(events)).not.toContain('staged')
  })

  it('are refused for the groups of admins, absent folders and groups, and too many at once', async () => {
    const all = await world.alice.call(api.groups.list, { query: { workspace_id: room.workspace_id } })
    const admins = all.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
    await expect(stage(finance, { view: true }, admins)).rejects.toMatchObject({ code: 422 })
    await expect(stage(999_999, { view: true })).rejects.toMatchObject({ code: 404 })
    await expect(stage(finance, { view: true }, 999_999)).rejects.toMatchObject({ code: 404 })
    await expect(stage(finance, { view: false, download: true })).rejects.toMatchObject({ code: 422 })
    const changes = Array.from({ length: MOST_STAGED_AT_ONCE + 1 }, () => ({
      folder_id: finance,
      group_id: room.group_id,
      rights: { view: true },
    }))
    const many = world.alice.call(api.stagedRights.stage, { params: params(), body: { changes } })
    await expect(many).rejects.toMatchObject({ code: 422 })
    expect(await list()).toEqual([])
  })

  it('tell beforehand who gains and loses what', async () => {
    await room.upload(world.alice, tax, 'return.txt', 'text')
    await room.grant(finance, 'download')
    await stage(tax, { download: false })
    await stage(await room.folder('Legal'), { view: true })
    const { groups, people } = await world.alice.call(api.stagedRights.foresee, { params: params() })
    expect(groups).toMatchObject({
      total: 1,
      listed: [
        {
          group_id: room.group_id,
          gains: { view: { folders: 1, files: 0 } },
          loses: { view: { folders: 0, files: 0 }, download: { folders: 1, files: 1 } },
        },
      ],
    })
    expect(people.listed.map(({ user }) => user.id)).toEqual([world.bob.id])
  })

  it('are counted below each folder as they will be', async () => {
    await stage(tax, { view: true })
    const query = { workspace_id: room.workspace_id, folder_ids: [finance], staged: true }
    const [row] = await world.alice.call(api.permissions.reach, { query })
    expect(row).toMatchObject({ folders: 1, groups: [{ group_id: room.group_id, below: { view: 1 } }] })
    const [now] = await world.alice.call(api.permissions.reach, { query: { ...query, staged: false } })
    expect(now?.groups).toEqual([])
  })

  it('are published with drafts in one act', async () => {
    const draft = await world.alice.call(api.drafts.create, {
      body: { workspace_id: room.workspace_id, name: 'Forecast', parent_id: finance },
    })
    await stage(finance, { view: true })
    expect(await list()).toMatchObject([{ folder_id: finance, in_draft: false }])
    const body = { folder_ids: [draft.id], staged_rights: (await read()).digest }
    const trial = await world.alice.call(api.drafts.publish, { params: params(), body: { ...body, dry_run: true } })
    expect(trial).toMatchObject({ folders: 1, people: 1, groups: 1 })
    expect(await list()).toHaveLength(1)
    await world.alice.call(api.drafts.publish, { params: params(), body })
    expect(await bobSees(draft.id)).toBe(true)
    expect(await list()).toEqual([])
  })

  it('are recorded when they are staged, discarded and published', async () => {
    await stage(finance, { view: true })
    await discard()
    await stage(finance, { view: true })
    await publish()
    const call = { params: { workspace_id: room.workspace_id }, query: {} }
    const { events } = await world.alice.call(api.activities.list, call)
    expect(events[0]).toMatchObject({ message: expect.stringContaining('granted view access to Finance') })
    expect(events.filter(({ message }) => message.includes('staged'))).toEqual([])
    const { rows } = await sql<{ message: string }>`
      select entry::jsonb ->> 'message' as message from audit_inbox where workspace_id = ${room.workspace_id}
      union all select entry::jsonb ->> 'message' from audit_records where workspace_id = ${room.workspace_id}`.execute(
      service.services.db,
    )
    const told = rows.map(({ message }) => message).filter((message) => message.includes('staged'))
    expect(told.toSorted()).toEqual([
      expect.stringMatching(/^discarded the staged access of .* to Finance$/),
      'published staged changes of access',
      expect.stringMatching(/^staged a change of the access of .* to Finance$/),
      expect.stringMatching(/^staged a change of the access of .* to Finance$/),
    ])
  })
})

it('staged rights are as those that are set by hand in the same order', async () => {
  const folders = [0, finance, tax, await room.folder('VAT', tax), await room.folder('Legal')]
  const other = await createRoom(world)
  const flags = ['view', 'download', 'upload'] as const
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  await room.grant(folders[3] ?? 0, 'upload')
  const steps = Array.from({ length: 40 }, () => ({
    at: next(folders.length),
    rights: { [flags[next(3)] ?? 'view']: next(2) === 1 } as FlagSetting,
  }))
  const twins = [0, await other.folder('Finance')]
  twins.push(await other.folder('Tax', twins[1]))
  twins.push(await other.folder('VAT', twins[2]))
  twins.push(await other.folder('Legal'))
  await other.grant(twins[3] ?? 0, 'upload')
  const byHand = async () => {
    const query = { workspace_id: other.workspace_id, group_ids: [other.group_id], below: 0 }
    const { rows } = await world.alice.call(api.permissions.sheet, { query })
    return twins.map((id) => rows.find((row) => row.id === id)?.rights)
  }
  const planned = async (staged: boolean) => {
    const query = { workspace_id: room.workspace_id, group_ids: [room.group_id], below: 0, staged }
    const { rows } = await world.alice.call(api.permissions.sheet, { query })
    return folders.map((id) => rows.find((row) => row.id === id)?.rights)
  }
  for (const { at, rights } of steps) {
    await stage(folders[at] ?? 0, rights)
    const changes = [{ folder_id: twins[at] ?? 0, group_id: other.group_id, rights }]
    await world.alice.call(api.permissions.change, { body: { workspace_id: other.workspace_id, changes } })
    expect(await planned(true)).toEqual(await byHand())
  }
  await publish()
  expect(await planned(false)).toEqual(await byHand())
})
