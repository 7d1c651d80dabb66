import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { api, type Client, createClient } from '../src/client/index.ts'
import type { Flag } from '../src/contract/endpoints/permissions.ts'
import { signInCodes } from '../src/contract/endpoints/sign-in-codes.ts'
import { samplePdf } from '../src/service/testing/documents/sample-pdf.ts'
import { stack } from './people.ts'

// A room for journeys that need a user in each role, made through the API.

export const ROLES = [
  'organization admin',
  'team owner',
  'workspace admin',
  'reader',
  'downloader',
  'uploader',
  'watermarked',
  'sealed',
] as const
export type Role = (typeof ROLES)[number]

interface Group {
  flag: Flag
  watermarking?: true
  drm_enabled?: true
}

/** Groups with a single member, by the role of that member. */
const GROUPS = {
  reader: { flag: 'view' },
  downloader: { flag: 'download' },
  uploader: { flag: 'upload' },
  watermarked: { flag: 'download', watermarking: true },
  sealed: { flag: 'download', drm_enabled: true },
} satisfies Partial<Record<Role, Group>>

/** The content of "Memo.pdf". */
export const MEMO = new Uint8Array(samplePdf([{}, { box: [0, 0, 842, 595] }, {}]))

export interface Room {
  organization: string
  /** The user meant to become organization admin. The test assigns the role: other journeys need Ines as only admin. */
  adminId: number
  name: string
  teamId: number
  teamName: string
  workspaceId: number
  /** "Papers", with the file "Memo.pdf" of three pages; "Draft.txt" was deleted there. */
  folderId: number
  fileId: number
  /** The group of the reader. */
  groupId: number
  addresses: Record<Role, string>
}

export const clientOf = (token: string): Client => {
  const { apiUrl, credentials } = stack()
  return createClient({ url: apiUrl, key: credentials.apiKey, secret: credentials.apiSecret, token })
}

/** A client of the organization's first admin, who is Ines Carvalho in the demo. */
export const asAdmin = (): Client => clientOf(stack().credentials.adminToken)

interface Person {
  id: number
  email: string
  client: Client
}

/** Creates a user named after the role. */
async function createPerson(role: Role, mark: string): Promise<Person> {
  const email = `${role.replace(' ', '.')}.${mark}@rooms.example`
  const user = { email, first_name: role.replace(/^./, (letter) => letter.toUpperCase()), last_name: mark }
  const { id, user_token } = await asAdmin().call(api.users.create, { body: { user } })
  return { id, email, client: clientOf(user_token) }
}

export async function makeRoom(): Promise<Room> {
  const mark = randomBytes(3).toString('hex')
  const name = `Room ${mark}`
  const ines = asAdmin()
  const made = await Promise.all(ROLES.map(async (role) => [role, await createPerson(role, mark)] as const))
  const people = Object.fromEntries(made) as Record<Role, Person>
  const team = await ines.call(api.teams.create, { body: { team: { name: `Team ${mark}`, suppress_emails: false } } })
  const workspace = await ines.call(api.workspaces.create, { body: { workspace: { name, team_id: team.id } } })
  const place = { workspaceId: workspace.id, ...(await fill(ines, workspace.id)) }
  const groupId = await makeGroups(ines, workspace.id, people)
  await handOver(ines, team.id, people['team owner'].id)
  const addresses = Object.fromEntries(made.map(([role, { email }]) => [role, email])) as Room['addresses']
  const { name: organization } = await ines.call(api.organization.get)
  const adminId = people['organization admin'].id
  return { organization, adminId, name, teamId: team.id, teamName: team.name, ...place, groupId, addresses }
}

async function fill(admin: Client, workspace_id: number) {
  const folder = { workspace_id, parent_id: 0, name: 'Papers' }
  const { id: folder_id } = await admin.call(api.folders.create, { body: folder })
  const query = { workspace_id, folder_id, file_name: 'Memo.pdf' }
  const { id } = await admin.call(api.files.upload, { query }, MEMO)
  const draft = await admin.call(api.files.upload, { query: { ...query, file_name: 'Draft.txt' } }, 'first thoughts')
  await admin.call(api.files.remove, { params: { id: draft.id }, query: { workspace_id } })
  return { folderId: folder_id, fileId: id }
}

async function makeGroups(admin: Client, workspace_id: number, people: Record<Role, Person>): Promise<number> {
  const groups = await admin.call(api.groups.list, { query: { workspace_id } })
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')
  const addTo = (id: number, { email }: Person) =>
    admin.call(api.groups.addMember, { params: { id }, body: { workspace_id, email, send_email: false } })
  await addTo(admins?.id ?? 0, people['workspace admin'])
  const ids = {} as Record<keyof typeof GROUPS, number>
  for (const role of Object.keys(GROUPS) as (keyof typeof GROUPS)[]) {
    const { flag, watermarking, drm_enabled }: Group = GROUPS[role]
    const { id } = await admin.call(api.groups.create, { body: { group: { name: `Group ${role}`, workspace_id } } })
    const change = { workspace_id, group_id: id, verb: 'grant' as const, folder_action: flag }
    await admin.call(api.permissions.set, { params: { id: 0 }, body: change })
    const params = { id }
    if (watermarking) {
      await admin.call(api.groups.setWatermarking, { params, body: { workspace_id, group: { watermarking } } })
    }
    if (drm_enabled) await admin.call(api.groups.setDrm, { params, body: { workspace_id, group: { drm_enabled } } })
    await addTo(id, people[role])
    ids[role] = id
  }
  return ids.reader
}

/** Makes a user the owner of the team; the admin stays a member. */
async function handOver(admin: Client, id: number, user_id: number): Promise<void> {
  await admin.call(api.teams.addMember, { params: { id }, body: { user_id } })
  await admin.call(api.teams.update, { params: { id }, body: { team: { team_owner_id: user_id } } })
}

/** Opens a separate browser context and signs in with the code that a mail would contain. */
export async function enterAs(browser: Browser, email: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: stack().url, ...options })
  await signInWith(context, email)
  return context.newPage()
}

/** Signs a user in, with the profile of a first visit given, replacing any user of this browser context. */
export async function signInWith(context: BrowserContext, email: string): Promise<void> {
  const { url } = stack()
  const secret = randomBytes(32).toString('base64url')
  await context.addCookies([{ name: 'strongroom-code', value: secret, url }])
  const { code } = await asAdmin().call(signInCodes.create, { body: { email, browser: secret } })
  const data = { email, code }
  // The journeys sign in more often than one address may.
  const [high, low] = randomBytes(2)
  const headers = { origin: url, 'x-forwarded-for': `198.18.${high}.${low}` }
  const response = await context.request.post('/auth/sign-in', { data, headers })
  if (!response.ok()) throw new Error(`${email} could not sign in: ${await response.text()}`)
  const { user } = (await response.json()) as { user: { profile_due: boolean } }
  if (!user.profile_due) return
  const profile = { data: { user: { company: 'Newcomers' } }, headers: { origin: url } }
  const told = await context.request.put('/api/v1/users/me', profile)
  if (!told.ok()) throw new Error(`${email} could not give a profile: ${await told.text()}`)
}
