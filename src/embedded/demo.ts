import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '../contract/index.ts'
import type { Secrets } from './credentials.ts'
import { type Caller, createCaller } from './demo/call.ts'
import { addWorkspaceAdmin, ensureFolders, ensureGroup, ensureTeam, ensureUser, ensureWorkspace } from './demo/fill.ts'
import { DEMO_GROUPS } from './demo/groups.ts'
import { DEMO_PEOPLE, INES, MARTA, TOM } from './demo/people.ts'
import { BOARD_PAPERS, HARBOUR, OFFER } from './demo/room.ts'

export { DEMO_PEOPLE } from './demo/people.ts'

interface DemoOptions extends Secrets {
  apiUrl: string
  dataDir: string
  log: (line: string) => void
  signal: AbortSignal
}

/** `none`: this data was begun without the demo. */
type DemoState = 'none' | 'begun' | 'made'

const markOf = (dataDir: string) => join(dataDir, 'demo.json')

/**
 * Whether this data folder is a demo. The first start decides for good: one-click sign-in must never come to rooms that
 * were begun without it.
 */
export async function isDemo(dataDir: string, wanted: boolean): Promise<boolean> {
  const state = await readState(dataDir)
  if (state === undefined) await writeState(dataDir, wanted ? 'begun' : 'none')
  return wanted && state !== 'none'
}

async function readState(dataDir: string): Promise<DemoState | undefined> {
  const text = await readFile(markOf(dataDir), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as { demo: DemoState }).demo
}

async function writeState(dataDir: string, demo: DemoState): Promise<void> {
  const file = markOf(dataDir)
  await writeFile(`${file}.part`, JSON.stringify({ demo }))
  await rename(`${file}.part`, file)
}

/** Fills the first organization with a deal room, through the API, at the first start; completes one broken off. */
export async function ensureDemo({ apiUrl, dataDir, log, signal, ...secrets }: DemoOptions): Promise<void> {
  if ((await readState(dataDir)) === 'made') return
  log('Making the demo: the deal room "Project Harbour".')
  await fill(createCaller(apiUrl, secrets, secrets.adminToken, signal))
  await writeState(dataDir, 'made')
}

async function fill(ines: Caller): Promise<void> {
  const { first_name, last_name, time_zone } = INES
  await ines.call(api.users.updateMe, { body: { user: { first_name, last_name, time_zone } } })
  await ines.call(api.organization.update, { body: { name: 'Harbour Terminals', location: 'Rotterdam' } })
  const users = new Map<string, Awaited<ReturnType<typeof ensureUser>>>()
  for (const person of DEMO_PEOPLE) users.set(person.email, await ensureUser(ines, person))
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
