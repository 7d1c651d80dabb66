import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isFeedAct, sentenceOf, subjectOf, verbOf } from '../../contract/acts.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import type { Flag } from '../../contract/endpoints/permissions.ts'
import { createRoom, type Room, upload } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

// Every pattern of decisions, section 11: the act, and its activities in the feed, newest first.

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => void (room = await createRoom(world)))

type Event = Reply<typeof api.activities.list>['events'][number]
type Said = [verb: string, subject_type: string | null, message: string]

/** The activities that `act` adds to the feed, and the ids of their subjects. */
async function said(act: () => Promise<unknown>): Promise<{ events: Said[]; subjects: (number | null)[] }> {
  const list = () => world.alice.call(api.activities.list, { params: { workspace_id: room.workspace_id } })
  const before = await list()
  await act()
  const { events } = await list()
  const added = events.slice(0, events.length - before.events.length)
  for (const event of added) expectAct(event)
  return {
    events: added.map(({ verb, subject_type, message }) => [verb, subject_type, message]),
    subjects: added.map(({ subject_id }) => subject_id),
  }
}

/** The act and its parameters say the same as verb, subject type and message. */
function expectAct({ act, params, verb, subject_type, message }: Event): void {
  if (!isFeedAct(act)) throw new Error(`unknown act ${act}`)
  expect([verbOf(act), subjectOf(act), sentenceOf({ act, params })]).toEqual([verb, subject_type, message])
}

const inRoom = () => ({ workspace_id: room.workspace_id })
const query = inRoom

describe('files', () => {
  let folder: number
  let other: number
  let file: number
  beforeEach(async () => {
    folder = await room.folder('Finance')
    other = await room.folder('Archive')
    file = (await room.upload(world.alice, folder, 'plan.txt')).id
  })
  const params = () => ({ id: file })
  const into = () => ({ params: params(), body: { ...inRoom(), destination_folder_id: other } })
  const table: [string, () => Promise<unknown>, Said][] = [
    ['added', () => room.upload(world.alice, folder, 'new.txt'), ['created', 'Asset', 'added the file: new.txt']],
    ['updated', () => room.upload(world.alice, folder, 'plan.txt'), ['updated', 'Asset', 'updated the file: plan.txt']],
    [
      'deleted',
      () => world.alice.call(api.files.remove, { params: params(), query: query() }),
      ['deleted', 'Asset', 'deleted the file: plan.txt'],
    ],
    [
      'downloaded',
      () => world.alice.call(api.downloads.getFile, { params: { file_id: file }, query: query() }),
      ['downloaded', 'Asset', 'downloaded the file: plan.txt'],
    ],
    [
      'renamed',
      () => world.alice.call(api.files.update, { params: params(), body: { ...inRoom(), file: { title: 'Budget' } } }),
      ['updated_name', 'Asset', 'renamed the file "plan.txt" to "Budget.txt"'],
    ],
    [
      'copied',
      () => world.alice.call(api.files.copy, into()),
      ['copied', 'Asset', 'copied the file "plan.txt" from "Finance" into the folder "Archive"'],
    ],
    [
      'moved',
      () => world.alice.call(api.files.move, into()),
      ['moved', 'Asset', 'moved the file "plan.txt" from "Finance" into the folder "Archive"'],
    ],
  ]
  it.each(table)('are %s', async (_name, act, expected) => {
    expect((await said(act)).events).toEqual([expected])
  })

  it('are restored', async () => {
    await world.alice.call(api.files.remove, { params: params(), query: query() })
    expect((await said(restoreNewest)).events).toEqual([['restored', 'Asset', 'restored the file: plan.txt']])
  })
})

async function restoreNewest(): Promise<void> {
  const [newest] = await world.alice.call(api.trash.list, { query: query() })
  const params = { deletion_id: newest?.deletion_id ?? '' }
  await world.alice.call(api.trash.restore, { params, body: inRoom() })
}

describe('folders', () => {
  let folder: number
  let other: number
  beforeEach(async () => {
    folder = await room.folder('Finance')
    other = await room.folder('Archive')
    await room.upload(world.alice, folder, 'plan.txt')
  })
  const params = () => ({ id: folder })
  const into = () => ({ params: params(), body: { ...inRoom(), destination_folder_id: other } })
  const table: [string, () => Promise<unknown>, Said][] = [
    ['added', () => room.folder('Legal'), ['created', 'Folder', 'added the folder: Legal']],
    [
      'deleted',
      () => world.alice.call(api.folders.remove, { params: params(), query: query() }),
      ['deleted', 'Folder', 'deleted the folder: Finance'],
    ],
    [
      'renamed',
      () => world.alice.call(api.folders.update, { params: params(), body: { ...inRoom(), folder: { name: 'Tax' } } }),
      ['updated_name', 'Folder', 'renamed the folder "Finance" to "Tax"'],
    ],
    [
      'moved',
      () => world.alice.call(api.folders.move, into()),
      ['moved', 'Folder', 'moved the folder "Finance" from "All Folders" into the folder "Archive"'],
    ],
  ]
  it.each(table)('are %s', async (_name, act, expected) => {
    expect((await said(act)).events).toEqual([expected])
  })

  it('are restored', async () => {
    await world.alice.call(api.folders.remove, { params: params(), query: query() })
    expect((await said(restoreNewest)).events).toEqual([['restored', 'Folder', 'restored the folder: Finance']])
  })

  it('are copied with their files, one activity each', async () => {
    expect((await said(() => world.alice.call(api.folders.copy, into()))).events).toEqual([
      ['copied', 'Folder', 'copied the folder "Finance" from "All Folders" into the folder "Archive"'],
      ['copied', 'Asset', 'copied the file with its folder: plan.txt'],
    ])
  })

  it('are downloaded with their files, one activity each', async () => {
    const body = { ...inRoom(), download: { folder_ids: [folder], file_ids: [] } }
    const { events } = await said(() => world.alice.call(api.downloads.create, { body }))
    expect(events).toEqual([
      ['downloaded', 'Asset', 'downloaded the file: plan.txt'],
      ['downloaded', 'Folder', 'downloaded the folder: Finance'],
    ])
  })
})

describe('groups', () => {
  const params = () => ({ id: room.group_id })
  const of = <T>(group: T) => ({ params: params(), body: { ...inRoom(), group } })
  const plain = () => ({ params: params(), body: inRoom() })
  const alice = () => world.alice
  const setUp: Record<string, () => Promise<unknown>> = {
    'without access expiry': () =>
      alice().call(api.groups.setAccessExpiry, of({ expire_workspace_access_at: '2199-01-01' })),
    'without DRM expiry': () =>
      alice().call(api.groups.setDrm, of({ drm_enabled: true, drm_expires_after: '2199-01-01' })),
  }
  const create = () => alice().call(api.groups.create, { body: { group: { name: 'Lenders', ...inRoom() } } })
  const table: [string, () => Promise<unknown>, Said[]][] = [
    ['added', create, [['created', 'Group', 'added the group: Lenders']]],
    [
      'saved as they are',
      () => alice().call(api.groups.update, of({ name: 'Bidders' })),
      [['updated', 'Group', 'updated the group: Bidders']],
    ],
    [
      'renamed',
      () => alice().call(api.groups.update, of({ name: 'Buyers' })),
      [['renamed', 'Group', 'renamed the group Bidders to Buyers']],
    ],
    [
      'allowed to manage files',
      () => alice().call(api.groups.update, of({ file_managing_abilities: true })),
      [['updated', 'Group', 'updated file_managing_abilities for group: Bidders']],
    ],
    [
      'given an end',
      () => alice().call(api.groups.setAccessExpiry, of({ expire_workspace_access_at: '2199-01-01' })),
      [['added', 'Group', 'set workspace access to expire on 2199-01-01 for group: Bidders']],
    ],
    [
      'without access expiry',
      () => alice().call(api.groups.removeAccessExpiry, plain()),
      [['revoked', 'Group', 'set workspace access expiration to false for group: Bidders']],
    ],
    [
      'with DRM',
      () => alice().call(api.groups.setDrm, of({ drm_enabled: true })),
      [['granted', 'Group', 'granted DRM rights for group: Bidders']],
    ],
    [
      'without DRM',
      () => alice().call(api.groups.setDrm, of({ drm_enabled: false })),
      [['revoked', 'Group', 'revoked DRM rights for group: Bidders']],
    ],
    [
      'with DRM and an end',
      () => alice().call(api.groups.setDrm, of({ drm_enabled: true, drm_expires_after: '2199-01-01' })),
      [
        ['granted', 'Group', 'granted Drm Expires After rights for group: Bidders'],
        ['granted', 'Group', 'granted DRM rights for group: Bidders'],
      ],
    ],
    [
      'without DRM expiry',
      () => alice().call(api.groups.removeDrmExpiration, plain()),
      [['revoked', 'Group', 'revoked Drm Expires After rights for group: Bidders']],
    ],
    [
      'watermarked',
      () => alice().call(api.groups.setWatermarking, of({ watermarking: true })),
      [
        ['granted', 'Group', 'granted Download Watermarked rights for group: Bidders'],
        ['granted', 'Group', 'granted View Watermarked rights for group: Bidders'],
      ],
    ],
    [
      'watermarked no more',
      () => alice().call(api.groups.setWatermarking, of({ watermarking: false })),
      [
        ['revoked', 'Group', 'revoked Download Watermarked rights for group: Bidders'],
        ['revoked', 'Group', 'revoked View Watermarked rights for group: Bidders'],
      ],
    ],
  ]
  it.each(table)('are %s', async (name, act, expected) => {
    await setUp[name]?.()
    const { events, subjects } = await said(act)
    expect(events).toEqual(expected)
    if (act !== create) expect(new Set(subjects)).toEqual(new Set([room.group_id]))
  })

  it('are deleted', async () => {
    const { id } = await create()
    const remove = () => alice().call(api.groups.remove, { params: { id }, query: query() })
    expect(await said(remove)).toEqual({ events: [['deleted', 'Group', 'deleted the group: Lenders']], subjects: [id] })
  })

  const rights = (['view', 'download', 'upload'] as Flag[]).flatMap((flag): ['grant' | 'revoke', Flag, Said][] => [
    ['grant', flag, ['added', 'Group', `granted ${flag} access to Finance for group: Bidders`]],
    ['revoke', flag, ['removed', 'Group', `revoked ${flag} access to Finance for group: Bidders`]],
  ])
  it.each(rights)('%s %s', async (verb, flag, expected) => {
    const folder = await room.folder('Finance')
    const { events } = await said(() => (verb === 'grant' ? room.grant(folder, flag) : room.revoke(folder, flag)))
    expect(events).toEqual([expected])
  })
})

describe('users', () => {
  let person: Person
  let serial = 0
  beforeEach(async () => void (person = await createPerson(service, `person${++serial}`)))
  const add = () => addMember(world.alice, room.workspace_id, room.group_id, person)
  const removeFrom = (id: number) =>
    world.alice.call(api.groups.removeMember, { params: { id }, query: { ...inRoom(), user_id: person.id } })
  const name = () => `Person${serial} Tester`

  it('are added to a group and so to the workspace', async () => {
    expect((await said(add)).events).toEqual([
      ['created', 'Membership', `added ${person.email} to this workspace`],
      ['created', 'GroupMembership', `added ${person.email} to group Bidders`],
    ])
  })

  it('are removed from one of their groups, then from the last one and thereby from the workspace', async () => {
    await add()
    const second = await room.group('Second')
    await addMember(world.alice, room.workspace_id, second, person)
    expect((await said(() => removeFrom(second))).events).toEqual([
      ['deleted', 'GroupMembership', `removed ${name()} from group Second`],
    ])
    expect((await said(() => removeFrom(room.group_id))).events).toEqual([
      ['deleted', 'Membership', `removed ${name()} from this workspace`],
      ['deleted', 'GroupMembership', `removed ${name()} from group Bidders`],
    ])
  })

  it('are removed with their account', async () => {
    await add()
    const remove = () => world.olivia.call(api.users.remove, { query: { user: { id: person.id } } })
    expect((await said(remove)).events).toEqual([['deleted', 'Membership', `removed ${name()} from this workspace`]])
  })

  it('join and visit', async () => {
    await add()
    const { events, subjects } = await said(() =>
      person.call(api.workspaces.get, { params: { id: room.workspace_id } }),
    )
    expect(events).toEqual([
      ['viewed', 'Workspace', 'viewed this workspace'],
      ['joined', null, 'joined this Workspace'],
    ])
    expect(subjects).toEqual([room.workspace_id, null])
  })

  it('are invited, then reminded', async () => {
    await add()
    const remind = () => world.alice.call(api.users.remind, { params: { id: person.id }, body: inRoom() })
    expect((await said(remind)).events).toEqual([['invited', 'Membership', `invited ${name()}`]])
    expect((await said(remind)).events).toEqual([['reminded', 'Membership', `reminded ${name()}`]])
  })
})

describe('the workspace', () => {
  const params = () => ({ id: room.workspace_id })
  it('is opened and closed to API keys', async () => {
    const enable = () => world.alice.call(api.workspaces.enableApiAccess, { params: params() })
    const disable = () => world.alice.call(api.workspaces.disableApiAccess, { params: params() })
    expect((await said(enable)).events).toEqual([['enabled', 'Workspace', 'enabled API access']])
    expect((await said(enable)).events).toEqual([])
    expect((await said(disable)).events).toEqual([['disabled', 'Workspace', 'disabled API access']])
  })

  it('begins with its creator joining', async () => {
    const fresh = await world.alice.call(api.workspaces.create, {
      body: { workspace: { name: 'Fresh', team_id: world.team_id } },
    })
    const { events } = await world.alice.call(api.activities.list, { params: { workspace_id: fresh.id } })
    expect(events.map(({ verb, subject_type, message }) => [verb, subject_type, message])).toEqual([
      ['joined', null, 'joined this Workspace'],
    ])
  })

  it('has no activities for refused attempts', async () => {
    const { events } = await said(() =>
      upload(world.bob, { ...inRoom(), folder_id: 0, file_name: 'a.txt' }).catch(() => {}),
    )
    expect(events).toEqual([])
  })
})
