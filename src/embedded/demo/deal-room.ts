import { api } from '../../contract/index.ts'
import type { Secrets } from '../credentials.ts'
import { type Caller, createCaller } from './call.ts'
import {
  addWorkspaceAdmin,
  ensureFolders,
  ensureGroup,
  ensureTeam,
  ensureUser,
  ensureWorkspace,
  type User,
} from './fill.ts'
import { DEMO_GROUPS } from './groups.ts'
import { DEMO_PEOPLE, INES, MARTA, TOM } from './people.ts'
import { BOARD_PAPERS, HARBOUR, OFFER } from './room.ts'

/** The whole demo, through the API; what is there already stays. */
export async function fillDealRoom(apiUrl: string, secrets: Secrets, signal: AbortSignal): Promise<void> {
  const admin = createCaller(apiUrl, secrets, secrets.adminToken, signal)
  await admin.call(api.organization.update, { body: { name: 'Harbour Terminals', location: 'Rotterdam' } })
  const users = new Map<string, User>()
  for (const person of DEMO_PEOPLE) users.set(person.email, await ensureUser(admin, person))
  const ines = await enterInes(admin, users)
  const team = await ensureTeam(ines, 'Deal team')

  const harbour = await ensureWorkspace(ines, team, 'Project Harbour')
  const folders = await ensureFolders(ines, harbour, HARBOUR)
  for (const group of DEMO_GROUPS) await ensureGroup(ines, harbour, group, folders, users)
  const marta = users.get(MARTA.email)
  if (marta) await addWorkspaceAdmin(ines, harbour, marta)

  const board = await ensureWorkspace(ines, team, 'Board papers')
  await ensureFolders(ines, board, BOARD_PAPERS)
  for (const user of users.values()) await visit(ines.as(user.user_token), harbour)
  const tom = users.get(TOM.email)
  if (tom) await handIn(ines.as(tom.user_token), harbour, folders.get('Bids') ?? 0)
}

/** The first admin may be somebody else, by BOOTSTRAP_ADMIN_EMAIL: the rooms are hers all the same. */
async function enterInes(admin: Caller, users: Map<string, User>): Promise<Caller> {
  const user = users.get(INES.email)
  if (!user) throw new Error('The demo has no Ines.')
  await admin.call(api.organization.addAdmin, { body: { user_id: user.id } })
  const ines = admin.as(user.user_token)
  const { first_name, last_name, time_zone } = INES
  await ines.call(api.users.updateMe, { body: { user: { first_name, last_name, time_zone } } })
  return ines
}

/** So that the record of the room begins with people in it. */
async function visit(person: Caller, workspaceId: number): Promise<void> {
  await person.call(api.users.signIn, {})
  await person.call(api.workspaces.get, { params: { id: workspaceId } })
}

async function handIn(tom: Caller, workspace_id: number, folder_id: number): Promise<void> {
  const bids = await tom.call(api.folders.get, { params: { id: folder_id }, query: { workspace_id } })
  if (bids.immediate_subfiles.some(({ file_name }) => file_name === OFFER.name)) return
  await tom.upload({ workspace_id, folder_id, file_name: OFFER.name }, OFFER.content())
}
