import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { type Api, api } from '../../contract/index.ts'
import { askForCode } from '../documents/sealed/release-key.ts'
import { openUnsubscribeTokens } from '../mail/unsubscribe-token.ts'
import { hashOfCode } from '../store/people/email-changes.ts'
import { runJobs } from './jobs.ts'
import { insertCopy } from './documents/sealed-copy.ts'
import { samplePdf } from './documents/sample-pdf.ts'
import { createRoom } from './room.ts'
import { createPerson, type Person, type World } from './world.ts'
import type { TestService } from './start-service.ts'

export const ROLES = ['olivia', 'tina', 'alice', 'wendy', 'bob', 'mallory'] as const
export type Role = (typeof ROLES)[number]

/** Names of the roles in the readable table. */
export const ROLE_NAMES: Record<Role, string> = {
  olivia: 'organization admin',
  tina: 'team owner',
  alice: 'workspace admin in the team',
  wendy: 'workspace admin',
  bob: 'group member',
  mallory: 'outsider',
}

type Outcome = 'ok' | 403 | 404

export interface Row<E extends AnyEndpoint> {
  /** A call that is valid for the permitted roles; created anew for each cell. */
  call: (world: World, service: TestService) => Promise<Call<E>> | Call<E>
  /** The body of a raw endpoint that does not take just any bytes. */
  content?: Uint8Array<ArrayBuffer> | ((world: World) => Uint8Array<ArrayBuffer>)
  /** In the order of ROLES. */
  outcomes: [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome]
}

/** The body of a call; any bytes if the row names none. */
export function contentOf(row: Pick<Row<AnyEndpoint>, 'content'> | undefined, world: World): Uint8Array<ArrayBuffer> {
  const content = row?.content ?? ANY_BYTES
  return typeof content === 'function' ? content(world) : content
}

const ANY_BYTES = new TextEncoder().encode('bytes')

type Rows = {
  [S in keyof Api]: { [K in keyof Api[S]]: Api[S][K] extends AnyEndpoint ? Row<Api[S][K]> : never }
}

/** Every user of the organization. */
const ANYONE: Row<AnyEndpoint>['outcomes'] = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']
const ORGANIZATION_ADMINS: Row<AnyEndpoint>['outcomes'] = ['ok', 403, 403, 403, 403, 403]
const WORKSPACE_MEMBERS: Row<AnyEndpoint>['outcomes'] = [404, 404, 'ok', 'ok', 'ok', 404]
const WORKSPACE_ADMINS: Row<AnyEndpoint>['outcomes'] = [404, 404, 'ok', 'ok', 403, 404]
/** Organization admins may see a team but change nothing in it. */
const TEAM_MEMBERS: Row<AnyEndpoint>['outcomes'] = [403, 'ok', 'ok', 404, 404, 404]
/** The object belongs to one user, and the roles of the others do not matter. */
const ALICE: Row<AnyEndpoint>['outcomes'] = [404, 404, 'ok', 404, 404, 404]
const BOB: Row<AnyEndpoint>['outcomes'] = [404, 404, 404, 404, 'ok', 404]
/** Alice made the change. Another admin cannot undo it, and a member is no admin. */
const OWN_CHANGE: Row<AnyEndpoint>['outcomes'] = [404, 404, 'ok', 404, 403, 404]

/** One row for each endpoint; the compiler rejects a missing one. */
export const accessMatrix: Rows = {
  files: {
    search: { call: ({ workspace_id }) => ({ query: { workspace_id, q: 'report' } }), outcomes: WORKSPACE_MEMBERS },
    upload: {
      call: async (world) => ({
        query: { workspace_id: world.workspace_id, folder_id: await viewableFolder(world), file_name: 'a.txt' },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    infoBatch: {
      call: ({ workspace_id }) => ({ body: { workspace_id, file_ids: [1] } }),
      outcomes: WORKSPACE_MEMBERS,
    },
    get: {
      call: async (world) => ({ params: { id: await viewableFile(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_MEMBERS,
    },
    update: {
      call: async (world) => ({
        params: { id: await viewableFile(world) },
        body: { ...inWorkspace(world), file: { title: 'renamed.txt' } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    remove: {
      call: async (world) => ({ params: { id: await viewableFile(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    pages: {
      call: async (world) => ({ params: { id: await viewableFile(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_MEMBERS,
    },
    // Bidders may view, but the text of pages comes with the download.
    text: {
      call: async (world, service) => ({
        params: { id: await readFile(world, service), page_number: 1 },
        query: inWorkspace(world),
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    find: {
      call: async (world) => ({
        params: { id: await viewableFile(world) },
        query: { ...inWorkspace(world), q: 'report' },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    versions: {
      call: async (world) => ({ params: { id: await viewableFile(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    copy: { call: intoAnotherFolder(viewableFile), outcomes: WORKSPACE_ADMINS },
    move: { call: intoAnotherFolder(viewableFile), outcomes: WORKSPACE_ADMINS },
    undo: { call: undoOf(api.files.move, viewableFile), outcomes: OWN_CHANGE },
  },
  activities: {
    list: { call: ({ workspace_id }) => ({ params: { workspace_id } }), outcomes: WORKSPACE_MEMBERS },
    feed: { call: ({ workspace_id }) => ({ params: { workspace_id } }), outcomes: WORKSPACE_MEMBERS },
    summary: { call: ({ workspace_id }) => ({ params: { workspace_id } }), outcomes: WORKSPACE_ADMINS },
    unread: {
      call: ({ workspace_id, group_id }) => ({ params: { workspace_id, group_id } }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  downloads: {
    create: {
      call: async (world) => ({
        body: { ...inWorkspace(world), download: { folder_ids: [await viewableFolder(world)], file_ids: [] } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    listStatus: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_MEMBERS },
    get: {
      call: async (world, service) => {
        const id = await downloadOfAlice(world)
        await runJobs(service)
        return { params: { id }, query: inWorkspace(world) }
      },
      outcomes: ALICE,
    },
    remove: {
      call: async (world) => ({ params: { id: await downloadOfAlice(world) }, query: inWorkspace(world) }),
      outcomes: ALICE,
    },
    getFile: {
      call: async (world) => ({ params: { file_id: await viewableFile(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  folders: {
    search: { call: ({ workspace_id }) => ({ query: { workspace_id, q: 'finance' } }), outcomes: WORKSPACE_MEMBERS },
    create: {
      call: async (world) => ({ body: { ...inWorkspace(world), name: 'New', parent_id: await viewableFolder(world) } }),
      outcomes: WORKSPACE_ADMINS,
    },
    get: {
      call: async (world) => ({ params: { id: await viewableFolder(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_MEMBERS,
    },
    update: {
      call: async (world) => ({
        params: { id: await viewableFolder(world) },
        body: { ...inWorkspace(world), folder: { name: 'Renamed' } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    remove: {
      call: async (world) => ({ params: { id: await viewableFolder(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    copy: { call: intoAnotherFolder(viewableFolder), outcomes: WORKSPACE_ADMINS },
    move: { call: intoAnotherFolder(viewableFolder), outcomes: WORKSPACE_ADMINS },
    renumber: {
      call: async (world) => ({ params: { id: await unorderedFolder(world) }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    undo: { call: undoOf(api.folders.move, viewableFolder), outcomes: OWN_CHANGE },
  },
  groups: {
    create: {
      call: ({ workspace_id }) => ({ body: { group: { name: 'Lenders', workspace_id } } }),
      outcomes: WORKSPACE_ADMINS,
    },
    list: { call: ({ workspace_id }) => ({ query: { workspace_id } }), outcomes: WORKSPACE_MEMBERS },
    get: {
      call: (world) => ({ params: { id: world.group_id }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_MEMBERS,
    },
    update: {
      call: (world) => ({
        params: { id: world.group_id },
        body: { ...inWorkspace(world), group: { name: 'Bidders' } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    remove: {
      call: async (world) => ({ params: { id: await emptyGroup(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    setDrm: {
      call: (world) => ({
        params: { id: world.group_id },
        body: { ...inWorkspace(world), group: { drm_enabled: true } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    removeDrmExpiration: {
      call: (world) => ({ params: { id: world.group_id }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    setWatermarking: {
      call: (world) => ({
        params: { id: world.group_id },
        body: { ...inWorkspace(world), group: { watermarking: true } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    setAccessExpiry: {
      call: async (world) => ({
        params: { id: await emptyGroup(world) },
        body: { ...inWorkspace(world), group: { expire_workspace_access_at: '2199-01-01' } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    removeAccessExpiry: {
      call: (world) => ({ params: { id: world.group_id }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    listMembers: {
      call: (world) => ({ params: { id: world.group_id }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    addMember: {
      call: async (world) => ({
        params: { id: await emptyGroup(world) },
        body: { ...inWorkspace(world), user_id: world.bob.id, send_email: false },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    invite: {
      call: async (world, service) => ({
        params: { id: await uninvitedGroup(world, service) },
        body: inWorkspace(world),
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    removeMember: {
      call: async (world) => ({
        params: { id: await groupWithBob(world) },
        query: { ...inWorkspace(world), user_id: world.bob.id },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  organization: {
    get: { call: () => ({}), outcomes: ANYONE },
    update: { call: () => ({ body: { location: 'Lisbon' } }), outcomes: ORGANIZATION_ADMINS },
    updateSupportInformation: { call: () => ({ body: { phone_number: '1' } }), outcomes: ORGANIZATION_ADMINS },
    listMembers: { call: () => ({}), outcomes: ORGANIZATION_ADMINS },
    addAdmin: {
      call: async (_world, service) => ({ body: { user_id: (await somebody(service)).id } }),
      outcomes: ORGANIZATION_ADMINS,
    },
    removeAdmin: {
      call: async (world, service) => {
        const { id: user_id } = await somebody(service)
        await world.olivia.call(api.organization.addAdmin, { body: { user_id } })
        return { query: { user_id } }
      },
      outcomes: ORGANIZATION_ADMINS,
    },
  },
  brandings: {
    getForOrganization: { call: () => ({}), outcomes: ORGANIZATION_ADMINS },
    updateForOrganization: {
      call: () => ({ body: { branding: { display_name: randomUUID() } } }),
      outcomes: ORGANIZATION_ADMINS,
    },
    getLogoForOrganization: { call: withLogoOfOrganization, outcomes: ORGANIZATION_ADMINS },
    setLogoForOrganization: { call: async () => ({ body: await someLogo() }), outcomes: ORGANIZATION_ADMINS },
    previewForOrganization: { call: () => ({ body: { language: 'en' } }), outcomes: ORGANIZATION_ADMINS },
    get: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    update: {
      call: (world) => ({ ...byWorkspace(world), body: { branding: { display_name: randomUUID() } } }),
      outcomes: WORKSPACE_ADMINS,
    },
    getLogo: {
      call: async (world) => {
        await world.alice.call(api.brandings.setLogo, { ...byWorkspace(world), body: await someLogo() })
        return byWorkspace(world)
      },
      outcomes: WORKSPACE_MEMBERS,
    },
    setLogo: {
      call: async (world) => ({ ...byWorkspace(world), body: await someLogo() }),
      outcomes: WORKSPACE_ADMINS,
    },
    preview: {
      call: (world) => ({ ...byWorkspace(world), body: { language: 'de' } }),
      outcomes: WORKSPACE_ADMINS,
    },
    sendTest: {
      // Five an hour, and there are more tests than that.
      call: async (world, { services }) => {
        await services.db.deleteFrom('mail_budgets').where('name', 'like', 'test by user %').execute()
        return { ...byWorkspace(world), body: { language: 'de' } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
  },
  system: {
    get: { call: () => ({}), outcomes: ORGANIZATION_ADMINS },
    examine: { call: () => ({}), outcomes: ORGANIZATION_ADMINS },
  },
  engagement: {
    record: {
      call: async (world, service) => ({
        params: { id: await readFile(world, service) },
        body: { ...inWorkspace(world), version: 1, batch_id: randomUUID(), pages: [{ page_number: 1, ms: 5000 }] },
      }),
      outcomes: WORKSPACE_MEMBERS,
    },
    groups: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    documents: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    folders: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    print: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    people: {
      call: (world) => ({ ...byWorkspace(world), query: { group_id: world.group_id } }),
      outcomes: WORKSPACE_ADMINS,
    },
    file: {
      call: async (world, service) => ({ params: { id: await readFile(world, service) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  questions: {
    list: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_MEMBERS },
    count: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_MEMBERS },
    listTexts: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_MEMBERS },
    import: {
      call: (world) => ({
        params: inWorkspace(world),
        body: { questions: [{ group_id: world.group_id, subject: 'Who pays?' }] },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    importLines: {
      call: (world) => ({ params: inWorkspace(world) }),
      content: ({ group_id }) => new TextEncoder().encode(JSON.stringify({ group_id, subject: 'Who pays?' })),
      outcomes: WORKSPACE_ADMINS,
    },
    get: {
      call: async (world) => ({ params: await askedQuestion(world) }),
      outcomes: WORKSPACE_MEMBERS,
    },
    ask: {
      call: async (world) => ({
        params: inWorkspace(world),
        body: { question: { subject: 'Who pays?', group_id: await askingGroup(world) } },
      }),
      outcomes: WORKSPACE_MEMBERS,
    },
    withdraw: {
      call: async (world) => ({ params: await askedQuestion(world) }),
      outcomes: WORKSPACE_MEMBERS,
    },
    update: {
      call: async (world) => ({
        params: await askedQuestion(world),
        body: { question: { draft: 'The seller.' } },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    note: {
      call: async (world) => ({
        params: await askedQuestion(world),
        body: { text: 'Ask the lawyers' },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    move: {
      call: async (world) => ({ params: await draftedQuestion(world), body: { step: 'submit' } }),
      outcomes: WORKSPACE_ADMINS,
    },
    answer: {
      call: async (world) => ({ params: await draftedQuestion(world), body: { reach: 'all' } }),
      outcomes: WORKSPACE_ADMINS,
    },
    writeFaq: {
      call: (world) => ({
        params: inWorkspace(world),
        body: { question: { subject: 'Who pays?', answer: 'The seller.' }, reach: 'all' },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    editFaq: {
      call: async (world) => ({ params: await writtenFaq(world), body: { question: { answer: 'The buyer.' } } }),
      outcomes: WORKSPACE_ADMINS,
    },
    placeFaq: {
      call: async (world) => ({ params: await writtenFaq(world), body: { after: null } }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewAs: {
      call: (world) => ({ params: inWorkspace(world), query: { group_id: world.group_id } }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewThreadAs: {
      call: async (world) => ({ params: await askedQuestion(world), query: { user_id: world.bob.id } }),
      outcomes: WORKSPACE_ADMINS,
    },
    getSettings: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_MEMBERS },
    updateSettings: {
      call: (world) => ({
        params: inWorkspace(world),
        body: {
          categories: [`Finance ${++serial}`],
          groups: [{ group_id: world.group_id, may_ask: true, most: 1000 }],
          routes: [{ category: `Finance ${serial}`, assignee_id: world.alice.id, days: 5 }],
        },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  experts: {
    list: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_ADMINS },
    add: {
      call: async (world, service) => ({
        params: inWorkspace(world),
        body: { user_id: await invitedMember(world, await somebody(service)) },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    remove: {
      call: async (world, service) => ({ params: await namedExpert(world, service) }),
      outcomes: WORKSPACE_ADMINS,
    },
    pass: {
      call: async (world, service) => {
        const params = await askedQuestion(world)
        const { user_id } = await namedExpert(world, service)
        return { params, body: { user_ids: [user_id], text: 'Is this so?' } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    withdraw: {
      call: async (world, service) => ({ params: await passedQuestion(world, await namedExpert(world, service)) }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewAs: {
      call: async (world, service) => ({ params: await passedQuestion(world, await namedExpert(world, service)) }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewPassedAs: {
      call: async (world, service) => {
        const { workspace_id, user_id } = await passedQuestion(world, await namedExpert(world, service))
        return { params: { workspace_id, user_id } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    listPassed: { call: (world) => ({ params: inWorkspace(world) }), outcomes: WORKSPACE_MEMBERS },
    getPassed: { call: async (world) => ({ params: await passedToBob(world) }), outcomes: BOB },
    reply: {
      call: async (world) => {
        const params = await passedToBob(world)
        const { asked_at } = await world.bob.call(api.experts.getPassed, { params })
        return { params, body: { kind: 'draft', text: 'The seller.', asked_at } }
      },
      outcomes: BOB,
    },
  },
  permissions: {
    list: {
      call: async (world) => ({
        params: { id: await viewableFolder(world) },
        query: { ...inWorkspace(world), group_id: world.group_id },
      }),
      outcomes: WORKSPACE_MEMBERS,
    },
    set: {
      call: async (world) => ({
        params: { id: await viewableFolder(world) },
        body: { ...inWorkspace(world), group_id: world.group_id, verb: 'grant', folder_action: 'view' },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    sheet: {
      call: async (world) => ({
        query: { ...inWorkspace(world), group_ids: [world.group_id], below: await viewableFolder(world) },
      }),
      outcomes: WORKSPACE_MEMBERS,
    },
    listPeople: {
      call: async (world) => ({ params: { id: await viewableFolder(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    listFilePeople: {
      call: async (world) => ({ params: { id: await viewableFile(world) }, query: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    reach: {
      call: async (world) => ({ query: { ...inWorkspace(world), folder_ids: [await viewableFolder(world)] } }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewAs: {
      call: async (world) => ({
        params: { id: await viewableFolder(world) },
        query: { ...inWorkspace(world), group_id: world.group_id },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewFileAs: {
      call: async (world) => ({
        params: { id: await viewableFile(world) },
        query: { ...inWorkspace(world), group_id: world.group_id },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    viewPagesAs: {
      call: async (world) => ({
        params: { id: await viewableFile(world) },
        query: { ...inWorkspace(world), group_id: world.group_id },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    searchFilesAs: {
      call: async (world) => {
        await viewableFile(world)
        return { query: { ...inWorkspace(world), group_id: world.group_id, q: 'file' } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    searchFoldersAs: {
      call: async (world) => {
        await viewableFolder(world)
        return { query: { ...inWorkspace(world), group_id: world.group_id, q: 'folder' } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    downloadAs: {
      call: async (world) => ({
        query: { ...inWorkspace(world), group_id: world.group_id, file_ids: [await downloadableFile(world)] },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    matrix: { call: (world) => ({ query: inWorkspace(world) }), outcomes: WORKSPACE_ADMINS },
    change: {
      call: async (world) => {
        const folder_id = await viewableFolder(world)
        return {
          body: { ...inWorkspace(world), changes: [{ folder_id, group_id: world.group_id, rights: { upload: true } }] },
        }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    foresee: {
      call: async (world) => ({
        body: {
          ...inWorkspace(world),
          verb: 'move',
          folder_ids: [await viewableFolder(world)],
          file_ids: [await viewableFile(world)],
          destination_folder_id: await viewableFolder(world),
        },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  teams: {
    list: { call: () => ({}), outcomes: ANYONE },
    create: { call: () => ({ body: { team: { name: 'Litigation' } } }), outcomes: ORGANIZATION_ADMINS },
    get: { call: ({ team_id }) => ({ params: { id: team_id } }), outcomes: ['ok', 'ok', 'ok', 404, 404, 404] },
    update: {
      call: ({ team_id }) => ({ params: { id: team_id }, body: { team: { name: 'Deals' } } }),
      outcomes: TEAM_MEMBERS,
    },
    listMembers: { call: ({ team_id }) => ({ params: { id: team_id } }), outcomes: TEAM_MEMBERS },
    addMember: {
      call: async ({ team_id }, service) => ({
        params: { id: team_id },
        body: { email: (await somebody(service)).email },
      }),
      outcomes: TEAM_MEMBERS,
    },
    listWatermarkSettings: { call: ({ team_id }) => ({ params: { id: team_id } }), outcomes: TEAM_MEMBERS },
    usage: { call: ({ team_id }) => ({ params: { id: team_id } }), outcomes: TEAM_MEMBERS },
    removeMember: {
      call: async ({ team_id, tina }, service) => {
        const { id: user_id, email } = await somebody(service)
        await tina.call(api.teams.addMember, { params: { id: team_id }, body: { email } })
        return { params: { id: team_id }, query: { user_id } }
      },
      outcomes: TEAM_MEMBERS,
    },
  },
  users: {
    create: {
      call: () => ({ body: { user: { email: unusedEmail(), first_name: 'New', last_name: 'User' } } }),
      outcomes: ORGANIZATION_ADMINS,
    },
    remove: {
      call: async (_world, service) => ({ query: { user: { id: (await somebody(service)).id } } }),
      outcomes: ORGANIZATION_ADMINS,
    },
    me: { call: () => ({}), outcomes: ANYONE },
    updateMe: { call: () => ({ body: { user: { time_zone: 'Europe/Lisbon' } } }), outcomes: ANYONE },
    remind: {
      call: async (world, service) => {
        const { id, email } = await somebody(service)
        const { workspace_id, group_id } = world
        const body = { workspace_id, email, send_email: false }
        await world.alice.call(api.groups.addMember, { params: { id: group_id }, body })
        return { params: { id }, body: { workspace_id } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    confirmEmail: {
      call: async (world, service) => ({ body: { code: await pendingChanges(world, service) } }),
      outcomes: ANYONE,
    },
    resendEmailCode: { call: withPendingChanges, outcomes: ANYONE },
    cancelEmailChange: { call: withPendingChanges, outcomes: ANYONE },
    signIn: { call: () => ({}), outcomes: ANYONE },
    workspaces: { call: () => ({}), outcomes: ANYONE },
    expirations: { call: () => ({}), outcomes: ANYONE },
    news: { call: () => ({}), outcomes: ANYONE },
  },
  news: {
    list: { call: ({ workspace_id }) => ({ query: { workspace_id } }), outcomes: WORKSPACE_MEMBERS },
    markRead: {
      call: ({ workspace_id }) => ({ body: { workspace_id, until: '2026-11-01T00:00:00Z' } }),
      outcomes: WORKSPACE_MEMBERS,
    },
    listUnread: { call: (world) => ({ params: { id: world.workspace_id } }), outcomes: WORKSPACE_MEMBERS },
  },
  notifications: {
    get: { call: () => ({}), outcomes: ANYONE },
    update: { call: () => ({ body: { notifications: { frequency: 'at_once' } } }), outcomes: ANYONE },
    setForWorkspace: {
      call: (world) => ({ params: { id: world.workspace_id }, body: { frequency: 'weekly' } }),
      outcomes: WORKSPACE_MEMBERS,
    },
    setWeeklyReport: {
      call: (world) => ({ params: { id: world.workspace_id }, body: { weekly_report: true } }),
      outcomes: WORKSPACE_ADMINS,
    },
    showUnsubscribe: { call: linkInMail, outcomes: ORGANIZATION_ADMINS },
    unsubscribe: { call: linkInMail, outcomes: ORGANIZATION_ADMINS },
  },
  apiKeys: {
    list: { call: () => ({}), outcomes: ANYONE },
    create: { call: () => ({ body: { name: 'Script', scopes: ['files:read'] } }), outcomes: ANYONE },
    listAvailableScopes: { call: () => ({}), outcomes: ANYONE },
    update: {
      call: async (world) => ({ params: { id: await keyOfAlice(world) }, body: { name: 'Robot' } }),
      outcomes: ALICE,
    },
    rotate: { call: async (world) => ({ params: { id: await keyOfAlice(world) } }), outcomes: ALICE },
  },
  watermarks: {
    create: { call: ({ team_id }) => ({ body: { team_id, custom_text: 'Draft' } }), outcomes: TEAM_MEMBERS },
    get: { call: async (world) => ({ params: { id: await watermark(world) } }), outcomes: TEAM_MEMBERS },
    update: {
      call: async (world) => ({ params: { id: await watermark(world) }, body: { opacity: 0.2 } }),
      outcomes: TEAM_MEMBERS,
    },
    remove: { call: async (world) => ({ params: { id: await watermark(world) } }), outcomes: TEAM_MEMBERS },
    preview: { call: ({ team_id }) => ({ body: { team_id } }), outcomes: TEAM_MEMBERS },
    previewForMember: {
      call: (world) => ({ params: { id: world.group_id }, query: { ...inWorkspace(world), user_id: world.bob.id } }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  workspaces: {
    create: {
      call: ({ team_id }) => ({ body: { workspace: { name: 'Second', team_id } } }),
      outcomes: TEAM_MEMBERS,
    },
    list: { call: ({ team_id }) => ({ query: { team_id } }), outcomes: ['ok', 'ok', 'ok', 'ok', 'ok', 404] },
    get: { call: byWorkspace, outcomes: WORKSPACE_MEMBERS },
    update: {
      call: (world) => ({ ...byWorkspace(world), body: { workspace: { name: 'Harbour' } } }),
      outcomes: WORKSPACE_ADMINS,
    },
    listMembers: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    getWelcome: { call: (world) => ({ params: { id: world.workspace_id } }), outcomes: WORKSPACE_MEMBERS },
    viewWelcomeAs: {
      call: (world) => ({ params: { id: world.workspace_id }, query: { group_id: world.group_id } }),
      outcomes: WORKSPACE_ADMINS,
    },
    updateWelcome: {
      call: (world) => ({ params: { id: world.workspace_id }, body: { welcome: { description: 'A sale' } } }),
      outcomes: WORKSPACE_ADMINS,
    },
    setFavourite: {
      call: (world) => ({ params: { id: world.workspace_id }, body: { favourite: true } }),
      outcomes: WORKSPACE_MEMBERS,
    },
    acceptName: {
      call: async (world, service) => {
        const { first_name, last_name } = await withOtherName(world.bob, service)
        return { params: { id: world.workspace_id, user_id: world.bob.id }, body: { first_name, last_name } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    getApiAccess: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    enableApiAccess: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    disableApiAccess: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    listApiAccessMembers: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    home: { call: byWorkspace, outcomes: WORKSPACE_MEMBERS },
    listIndex: { call: byWorkspace, outcomes: WORKSPACE_MEMBERS },
    printIndex: { call: byWorkspace, outcomes: WORKSPACE_MEMBERS },
  },
  templates: {
    list: { call: ({ team_id }) => ({ params: { id: team_id } }), outcomes: TEAM_MEMBERS },
    create: {
      call: (world) => ({ ...byWorkspace(world), body: { template: { name: 'Sale' } } }),
      outcomes: [404, 404, 'ok', 403, 403, 404],
    },
    remove: {
      call: async (world) => ({ params: { id: world.team_id, template_id: await templateOfAlice(world) } }),
      outcomes: TEAM_MEMBERS,
    },
  },
  drafts: {
    list: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    create: { call: (world) => ({ body: { ...inWorkspace(world), name: 'Plans' } }), outcomes: WORKSPACE_ADMINS },
    withdraw: {
      call: async (world) => ({ params: { id: await viewableFolder(world) }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    publish: {
      call: async (world) => ({ ...byWorkspace(world), body: { folder_ids: [await draftFolder(world)] } }),
      outcomes: WORKSPACE_ADMINS,
    },
    getSchedule: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    setSchedule: {
      call: async (world) => ({ ...byWorkspace(world), body: await openingTomorrow(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    removeSchedule: {
      call: async (world) => {
        await world.alice.call(api.drafts.setSchedule, { ...byWorkspace(world), body: await openingTomorrow(world) })
        return byWorkspace(world)
      },
      outcomes: WORKSPACE_ADMINS,
    },
  },
  draftGroups: {
    listWaiting: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    withdraw: {
      call: async (world) => ({ params: { id: await emptyGroup(world) }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
    publish: {
      call: async (world) => ({ params: { id: await draftGroup(world) }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  stagedRights: {
    list: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    stage: {
      call: async (world) => ({ ...byWorkspace(world), body: { changes: [await stagedUpload(world)] } }),
      outcomes: WORKSPACE_ADMINS,
    },
    discard: {
      call: async (world) => {
        const change = await stagedUpload(world)
        await world.alice.call(api.stagedRights.stage, { ...byWorkspace(world), body: { changes: [change] } })
        const { folder_id, group_id } = change
        return { ...byWorkspace(world), query: { folder_id, group_id } }
      },
      outcomes: WORKSPACE_ADMINS,
    },
    foresee: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    publish: {
      call: async (world) => {
        const changes = [await stagedUpload(world)]
        await world.alice.call(api.stagedRights.discard, { ...byWorkspace(world), query: {} })
        await world.alice.call(api.stagedRights.stage, { ...byWorkspace(world), body: { changes } })
        return { ...byWorkspace(world), body: {} }
      },
      outcomes: WORKSPACE_ADMINS,
    },
  },
  audit: {
    export: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    exportOrganization: { call: () => ({}), outcomes: ORGANIZATION_ADMINS },
  },
  trash: {
    list: { call: (world) => ({ query: inWorkspace(world) }), outcomes: WORKSPACE_ADMINS },
    restore: {
      call: async (world) => ({ params: { deletion_id: await deletion(world) }, body: inWorkspace(world) }),
      outcomes: WORKSPACE_ADMINS,
    },
  },
  documents: {
    list: { call: (world) => ({ query: inWorkspace(world) }), outcomes: WORKSPACE_ADMINS },
    retry: { call: (world) => ({ body: inWorkspace(world) }), outcomes: WORKSPACE_ADMINS },
  },
  sessions: {
    list: { call: () => ({}), outcomes: ANYONE },
    create: { call: () => ({ body: { method: 'code' } }), outcomes: ANYONE },
    remove: { call: async (world) => ({ params: { id: await sessionOfAlice(world) } }), outcomes: ALICE },
    removeAll: { call: () => ({}), outcomes: ANYONE },
  },
  signInCodes: {
    create: { call: () => ({ body: { email: unusedEmail() } }), outcomes: ORGANIZATION_ADMINS },
    redeem: { call: () => ({ body: { email: unusedEmail(), code: '000000' } }), outcomes: ORGANIZATION_ADMINS },
    vouch: { call: () => ({ body: { email: unusedEmail() } }), outcomes: ORGANIZATION_ADMINS },
    invitation: {
      call: (world) => ({ body: { token: `${world.workspace_id}.unknown` } }),
      outcomes: ORGANIZATION_ADMINS,
    },
  },
  sealedCopies: {
    list: { call: (world) => ({ query: inWorkspace(world) }), outcomes: WORKSPACE_ADMINS },
    openings: {
      call: async (world, service) => ({
        params: { copy_id: await sealedCopyOfAlice(world, service) },
        query: inWorkspace(world),
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    revoke: {
      call: async (world, service) => ({
        params: { copy_id: await sealedCopyOfAlice(world, service) },
        body: inWorkspace(world),
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    restore: {
      call: async (world, service) => ({
        params: { copy_id: await sealedCopyOfAlice(world, service, { revoked: true }) },
        body: inWorkspace(world),
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    request: {
      call: async (world, service) => ({ query: { user_code: await waitingCode(world, service) } }),
      outcomes: ALICE,
    },
    /** Succeeds for other members too: the reply tells them that the copy does not open. */
    open: {
      call: async (world, service) => ({
        params: { copy_id: await sealedCopyOfAlice(world, service) },
        body: { ...inWorkspace(world), challenge: randomBytes(32).toString('base64url') },
      }),
      outcomes: WORKSPACE_MEMBERS,
    },
  },
  uploads: {
    create: {
      call: async (world) => ({
        body: { ...inWorkspace(world), folder_id: await viewableFolder(world), file_name: 'a.txt', size: '5' },
      }),
      outcomes: WORKSPACE_ADMINS,
    },
    append: {
      call: async (world) => ({
        query: { ...inWorkspace(world), id: await uploadOfAlice(world, '1000'), offset: '0' },
      }),
      outcomes: ALICE,
    },
    get: {
      call: async (world) => ({ params: { id: await uploadOfAlice(world) }, query: inWorkspace(world) }),
      outcomes: ALICE,
    },
    finish: {
      call: async (world) => ({ params: { id: await uploadOfAlice(world) }, body: inWorkspace(world) }),
      outcomes: ALICE,
    },
    remove: {
      call: async (world) => ({ params: { id: await uploadOfAlice(world) }, query: inWorkspace(world) }),
      outcomes: ALICE,
    },
  },
  terms: {
    mine: { call: byWorkspace, outcomes: WORKSPACE_MEMBERS },
    accept: {
      call: async (world) => ({ ...(await termsInForce(world)), body: { has_read: true, may_accept: true } }),
      outcomes: WORKSPACE_MEMBERS,
    },
    decline: { call: termsInForce, outcomes: WORKSPACE_MEMBERS },
    pages: { call: pdfTermsInForce, outcomes: WORKSPACE_MEMBERS },
    listVersions: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    getVersion: { call: termsOfNobody, outcomes: WORKSPACE_ADMINS },
    withdraw: { call: termsOfNobody, outcomes: WORKSPACE_ADMINS },
    getDraft: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    saveDraft: {
      call: (world) => ({ ...byWorkspace(world), body: { title: 'Terms', text: 'Keep it secret.' } }),
      outcomes: WORKSPACE_ADMINS,
    },
    setDraftPdf: {
      call: (world) => ({ ...byWorkspace(world), query: { file_name: 'Terms.pdf' } }),
      content: new Uint8Array(samplePdf([{}])),
      outcomes: WORKSPACE_ADMINS,
    },
    draftPages: {
      call: async (world) => {
        await pdfDraft(world)
        return byWorkspace(world)
      },
      outcomes: WORKSPACE_ADMINS,
    },
    removeDraft: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
    issue: {
      call: async (world) => ({ ...byWorkspace(world), body: await termsDraft(world, await emptyGroup(world)) }),
      outcomes: WORKSPACE_ADMINS,
    },
    foresee: {
      call: (world) => ({ ...byWorkspace(world), query: { group_id: world.group_id } }),
      outcomes: WORKSPACE_ADMINS,
    },
    listAnswers: {
      call: async (world) => ({ params: { id: (await termsInForce(world)).params.id } }),
      outcomes: WORKSPACE_ADMINS,
    },
    printAnswers: { call: byWorkspace, outcomes: WORKSPACE_ADMINS },
  },
  events: {
    follow: {
      call: ({ workspace_id }) => ({ params: { id: workspace_id }, query: { seconds: 0 } }),
      outcomes: WORKSPACE_MEMBERS,
    },
  },
}

async function linkInMail(world: World, { services }: TestService) {
  const { workspace_id, bob, alice } = world
  const members = await alice.call(api.workspaces.listMembers, { params: { id: workspace_id } })
  const membership_id = members.find(({ user }) => user.id === bob.id)?.id ?? 0
  const tokens = openUnsubscribeTokens(services.vault)
  return { body: { token: tokens.make({ workspace_id, user_id: bob.id, membership_id, mails: 'news' }) } }
}

export interface MatrixRow {
  /** `section.key` */
  name: string
  endpoint: AnyEndpoint
  row: Row<AnyEndpoint>
}

/** Every endpoint of the contract with its row. */
export const matrixRows: MatrixRow[] = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints as Record<string, AnyEndpoint>).map(([key, endpoint]) => {
    const row = (accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>)[section]?.[key]
    if (!row) throw new Error(`${section}.${key} has no row in the access matrix`)
    return { name: `${section}.${key}`, endpoint, row }
  }),
)

/** The first role that may make the call. */
export const rightfulCaller = (world: World, { outcomes }: Row<AnyEndpoint>) =>
  world[ROLES[outcomes.indexOf('ok')] ?? 'alice']

const inWorkspace = ({ workspace_id }: World) => ({ workspace_id })

function byWorkspace({ workspace_id }: World) {
  return { params: { id: workspace_id } }
}

let serial = 0
const unusedEmail = () => `person${++serial}@example.com`
const somebody = (service: TestService) => createPerson(service, `extra${++serial}`)

const CODE = '123456'

/** Gives every role a pending address change with the same code. */
async function pendingChanges(world: World, { services: { db, vault } }: TestService): Promise<string> {
  const { organization_id } = await db.selectFrom('users').select('organization_id').executeTakeFirstOrThrow()
  await db.deleteFrom('mail_budgets').execute()
  for (const role of ROLES) {
    const change = { organization_id, user_id: world[role].id, email: unusedEmail() }
    const at = new Date()
    const code = { code_hash: hashOfCode(vault, change, CODE), code_expires_at: new Date(at.getTime() + 60_000) }
    await db.deleteFrom('email_changes').where('user_id', '=', change.user_id).execute()
    await db
      .insertInto('email_changes')
      .values({ ...change, ...code, created_at: at })
      .execute()
  }
  return CODE
}

/** Makes marks show a former name of the person. */
async function withOtherName({ id }: Person, { services: { db } }: TestService) {
  await db
    .updateTable('workspace_memberships')
    .set({ marked_first_name: 'Former', marked_last_name: 'Name', name_changed_at: new Date() })
    .where('user_id', '=', id)
    .execute()
  const name = db.selectFrom('users').select(['first_name', 'last_name']).where('id', '=', id)
  return name.executeTakeFirstOrThrow()
}

async function withPendingChanges(world: World, service: TestService) {
  await pendingChanges(world, service)
  return {}
}

/** Creates a folder that Bidders may only view. */
async function viewableFolder({ alice, workspace_id, group_id }: World): Promise<number> {
  const { id } = await alice.call(api.folders.create, { body: { workspace_id, name: `Folder ${++serial}` } })
  const body = { workspace_id, group_id, verb: 'grant', folder_action: 'view' } as const
  await alice.call(api.permissions.set, { params: { id }, body })
  return id
}

async function downloadableFile(world: World): Promise<number> {
  const folder_id = await viewableFolder(world)
  const grant = { ...inWorkspace(world), group_id: world.group_id, verb: 'grant', folder_action: 'download' } as const
  await world.alice.call(api.permissions.set, { params: { id: folder_id }, body: grant })
  const query = { ...inWorkspace(world), folder_id, file_name: 'report.txt' }
  return (await world.alice.call(api.files.upload, { query }, 'the report')).id
}

async function termsDraft({ alice, workspace_id: id }: World, group_id?: number) {
  const body = { title: 'Terms', text: 'Keep it secret.', group_id }
  const { sha256 } = await alice.call(api.terms.saveDraft, { params: { id }, body })
  return { group_id, sha256 }
}

async function pdfDraft({ alice, workspace_id: id }: World, group_id?: number) {
  const call = { params: { id }, query: { file_name: 'Terms.pdf', group_id } }
  const { sha256 } = await alice.call(api.terms.setDraftPdf, call, new Uint8Array(samplePdf([{}])))
  return { group_id, sha256 }
}

async function issuedTerms(world: World, group_id?: number, draft = termsDraft) {
  const id = world.workspace_id
  const body = await draft(world, group_id)
  return { params: { id, terms_id: (await world.alice.call(api.terms.issue, { params: { id }, body })).id } }
}

async function termsOfNobody(world: World) {
  return issuedTerms(world, await emptyGroup(world))
}

async function termsInForce(world: World) {
  return inForce(world, termsDraft)
}

async function pdfTermsInForce(world: World) {
  return inForce(world, pdfDraft)
}

/** In a workspace of its own: a member who has not accepted could do nothing else in the common one. */
async function inForce(world: World, draft: typeof termsDraft) {
  const { alice, wendy, bob } = world
  const { workspace_id, group_id } = await createRoom(world)
  const groups = await alice.call(api.groups.list, { query: { workspace_id } })
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')
  // By id: another row may have changed their addresses.
  const add = (id: number, { id: user_id }: Person) =>
    alice.call(api.groups.addMember, { params: { id }, body: { workspace_id, user_id, send_email: false } })
  await add(admins?.id ?? 0, wendy)
  await add(group_id, bob)
  return issuedTerms({ ...world, workspace_id }, undefined, draft)
}

/** Creates a folder with subfolders in another order than that of their names. */
async function unorderedFolder(world: World): Promise<number> {
  const parent_id = await viewableFolder(world)
  for (const name of ['B', 'A']) {
    await world.alice.call(api.folders.create, { body: { ...inWorkspace(world), name, parent_id } })
  }
  return parent_id
}

async function viewableFile(world: World): Promise<number> {
  const query = { ...inWorkspace(world), folder_id: await viewableFolder(world), file_name: 'report.txt' }
  return (await world.alice.call(api.files.upload, { query }, 'the report')).id
}

/** Creates a file that Bidders may only view, with one page. */
async function readFile(world: World, { services }: TestService): Promise<number> {
  const id = await viewableFile(world)
  const { db } = services
  const blobs = db.selectFrom('file_versions').select('blob_id').where('file_id', '=', id)
  const change = { status: 'Ready' as const, page_widths: [100], page_heights: [100] }
  await db.updateTable('documents').set(change).where('blob_id', 'in', blobs).execute()
  return id
}

function intoAnotherFolder(make: (world: World) => Promise<number>) {
  return async (world: World) => ({
    params: { id: await make(world) },
    body: { ...inWorkspace(world), destination_folder_id: await viewableFolder(world) },
  })
}

function undoOf(move: typeof api.files.move | typeof api.folders.move, make: (world: World) => Promise<number>) {
  return async (world: World) => {
    const { id, undo_id } = await world.alice.call(move, await intoAnotherFolder(make)(world))
    return { params: { id }, body: { ...inWorkspace(world), undo_id: undo_id ?? 0 } }
  }
}

async function emptyGroup({ alice, workspace_id }: World): Promise<number> {
  const group = await alice.call(api.groups.create, { body: { group: { name: `Group ${++serial}`, workspace_id } } })
  return group.id
}

async function uninvitedGroup(world: World, service: TestService): Promise<number> {
  const id = await emptyGroup(world)
  const { email } = await somebody(service)
  await world.alice.call(api.groups.addMember, {
    params: { id },
    body: { ...inWorkspace(world), email, send_email: false },
  })
  return id
}

async function groupWithBob(world: World): Promise<number> {
  const id = await emptyGroup(world)
  const body = { ...inWorkspace(world), user_id: world.bob.id, send_email: false }
  await world.alice.call(api.groups.addMember, { params: { id }, body })
  return id
}

/** Lets a new group ask, in which every member of the workspace is. */
async function askingGroup(world: World): Promise<number> {
  const group_id = await emptyGroup(world)
  for (const { id: user_id } of [world.alice, world.wendy, world.bob]) {
    const body = { ...inWorkspace(world), user_id, send_email: false }
    await world.alice.call(api.groups.addMember, { params: { id: group_id }, body })
  }
  const body = { groups: [{ group_id, may_ask: true }] }
  await world.alice.call(api.questions.updateSettings, { params: inWorkspace(world), body })
  return group_id
}

async function askedQuestion(world: World) {
  const body = { question: { subject: 'Who pays?', group_id: await askingGroup(world) } }
  const { id: question_id } = await world.bob.call(api.questions.ask, { params: inWorkspace(world), body })
  return { ...inWorkspace(world), question_id }
}

async function draftedQuestion(world: World) {
  const params = await askedQuestion(world)
  await world.alice.call(api.questions.update, { params, body: { question: { draft: 'The seller.' } } })
  return params
}

async function writtenFaq(world: World) {
  const body = { question: { subject: 'Who pays?', answer: 'The seller.' }, reach: 'all' as const }
  const { id: question_id } = await world.alice.call(api.questions.writeFaq, { params: inWorkspace(world), body })
  return { ...inWorkspace(world), question_id }
}

/** Invites a person to a group of their own, which does not ask. */
async function invitedMember(world: World, person: Person): Promise<number> {
  const body = { ...inWorkspace(world), email: person.email, send_email: true }
  await world.alice.call(api.groups.addMember, { params: { id: await emptyGroup(world) }, body })
  return person.id
}

async function namedExpert(world: World, service: TestService) {
  const user_id = await invitedMember(world, await somebody(service))
  await world.alice.call(api.experts.add, { params: inWorkspace(world), body: { user_id } })
  return { ...inWorkspace(world), user_id }
}

async function passedQuestion(world: World, { user_id }: { user_id: number }) {
  const params = await askedQuestion(world)
  await world.alice.call(api.experts.pass, { params, body: { user_ids: [user_id] } })
  return { ...params, user_id }
}

/** In a workspace of its own: in the common one, groups of bob ask, and such people are no experts. */
async function passedToBob(world: World) {
  const { alice, bob } = world
  const { workspace_id, group_id } = await createRoom(world)
  const params = { workspace_id }
  // By id: another row may have changed his address.
  const body = { workspace_id, user_id: bob.id, send_email: false }
  await alice.call(api.groups.addMember, { params: { id: group_id }, body })
  await bob.call(api.workspaces.get, { params: { id: workspace_id } })
  await alice.call(api.experts.add, { params, body: { user_id: bob.id } })
  const question = { subject: 'Who pays?', answer: 'The seller.' }
  const { id } = await alice.call(api.questions.writeFaq, { params, body: { question, reach: 'all' } })
  const at = { ...params, question_id: id }
  await alice.call(api.questions.move, { params: at, body: { step: 'reopen' } })
  await alice.call(api.experts.pass, { params: at, body: { user_ids: [bob.id] } })
  return at
}

async function keyOfAlice({ alice }: World): Promise<number> {
  return (await alice.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['files:read'] } })).id
}

async function sessionOfAlice({ alice }: World): Promise<number> {
  return (await alice.call(api.sessions.create, { body: { method: 'code' } })).id
}

/** An upload of zero bytes is complete. */
async function uploadOfAlice(world: World, size = '0'): Promise<number> {
  const body = { ...inWorkspace(world), folder_id: await viewableFolder(world), file_name: 'part.txt', size }
  return (await world.alice.call(api.uploads.create, { body })).id
}

async function sealedCopyOfAlice(world: World, service: TestService, { revoked = false } = {}): Promise<string> {
  const file_id = await viewableFile(world)
  return insertCopy(service, { ...inWorkspace(world), file_id, user_id: world.alice.id, group_ids: [], revoked })
}

async function waitingCode(world: World, service: TestService): Promise<string> {
  const copyId = await sealedCopyOfAlice(world, service)
  return (await askForCode(service.services, copyId, randomBytes(32).toString('base64url'))).user_code
}

async function watermark({ alice, team_id }: World): Promise<number> {
  return (await alice.call(api.watermarks.create, { body: { team_id, custom_text: 'Draft' } })).id
}

async function draftFolder(world: World): Promise<number> {
  return (await world.alice.call(api.drafts.create, { body: { ...inWorkspace(world), name: 'Plans' } })).id
}

async function draftGroup({ alice, workspace_id }: World): Promise<number> {
  const group = { name: 'Lenders', workspace_id, is_draft: true }
  return (await alice.call(api.groups.create, { body: { group } })).id
}

async function stagedUpload(world: World) {
  return { folder_id: await viewableFolder(world), group_id: world.group_id, rights: { upload: true } }
}

async function openingTomorrow(world: World) {
  const opens_at = new Date(Date.now() + 24 * 3600_000).toISOString()
  return { folder_ids: [await draftFolder(world)], opens_at }
}

async function templateOfAlice(world: World): Promise<number> {
  const { id } = await world.alice.call(api.templates.create, {
    ...byWorkspace(world),
    body: { template: { name: 'Sale' } },
  })
  return id ?? 0
}

async function downloadOfAlice(world: World): Promise<number> {
  const download = { folder_ids: [], file_ids: [await viewableFile(world)] }
  return (await world.alice.call(api.downloads.create, { body: { ...inWorkspace(world), download } })).id
}

async function deletion(world: World): Promise<string> {
  await world.alice.call(api.files.remove, { params: { id: await viewableFile(world) }, query: inWorkspace(world) })
  const [newest] = await world.alice.call(api.trash.list, { query: inWorkspace(world) })
  return newest?.deletion_id ?? ''
}

/** A logo of another colour each time, so that setting it is a change. */
async function someLogo() {
  const [r = 0, g = 0, b = 0] = randomBytes(3)
  const picture = sharp({ create: { width: 4, height: 2, channels: 3, background: { r, g, b } } })
  return { logo: { scheme: 'light' as const, image: (await picture.png().toBuffer()).toString('base64') } }
}

async function withLogoOfOrganization({ olivia }: World) {
  await olivia.call(api.brandings.setLogoForOrganization, { body: await someLogo() })
  return {}
}
