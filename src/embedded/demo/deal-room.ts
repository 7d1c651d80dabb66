import { api } from '../../contract/index.ts'
import type { Secrets } from '../credentials.ts'
import { type Caller, createCaller } from './call.ts'
import {
  addWorkspaceAdmin,
  ensureFile,
  ensureFolders,
  ensureGroup,
  ensureTeam,
  ensureTeamMember,
  ensureUser,
  ensureWorkspace,
  findByPath,
  type FolderIds,
  idOf,
  isInTrash,
  removeFile,
  type User,
} from './fill.ts'
import { ADVISERS, BUYERS, COUNSEL, type DemoGroup, INVESTORS, LENDERS } from './groups.ts'
import { type History, openHistory } from './history.ts'
import { workday } from './moments.ts'
import { AYESHA, DEMO_PEOPLE, type DemoPerson, INES, JONAS, LENA, MARTA, OTHER_PEOPLE, TOM } from './people.ts'
import type { DemoFolder } from './files.ts'
import { TERM_SHEET } from './room/finance.ts'
import { HARBOUR } from './room/harbour.ts'
import { OFFER, SECOND_SPA, WITH_NAMES } from './room/legal.ts'
import { BOARD_PAPERS, SERIES_B } from './room/others.ts'
import { HARBOUR_VISITS, SERIES_B_VISITS, type Visit } from './visits.ts'

interface Means {
  apiUrl: string
  databaseUrl: string
  secrets: Secrets
  signal: AbortSignal
}

/** The whole demo and its last three weeks; what is there already stays. */
export async function fillDealRoom({ apiUrl, databaseUrl, secrets, signal }: Means): Promise<void> {
  const history = openHistory(databaseUrl)
  try {
    const admin = createCaller(apiUrl, secrets, secrets.adminToken, signal)
    const teller = new Teller(admin, history)
    const begin = teller.moment(16, '08:00')
    await teller.at(16, '08:00', 30, () => teller.gather())
    await tellHarbour(teller)
    await tellOthers(teller)
    const { id } = await admin.call(api.organization.get, {})
    if (teller.hasReadings) await history.admit(id, teller.user(INES), begin)
  } finally {
    await history.close()
  }
}

async function tellHarbour(teller: Teller): Promise<void> {
  const ines = teller.as(INES)
  const room = new Room(teller, 'Project Harbour')
  await teller.at(15, '09:10', 20, async () => {
    const team = await ensureTeam(ines, 'Deal team')
    await ensureWatermark(ines, team)
    room.id = await ensureWorkspace(ines, team, room.name)
    await addWorkspaceAdmin(ines, room.id, teller.user(MARTA))
  })
  const [overview, corporate, finance, ...others] = HARBOUR
  await room.fill(MARTA, 14, '09:30', [overview, corporate])
  await room.fill(MARTA, 14, '13:40', [finance])
  for (const [at, folder] of others.entries())
    await room.fill(MARTA, 13 - Math.floor(at / 4), `${10 + (at % 4)}:15`, [folder])
  const people = { workspace_id: room.id, folder_id: idOf(room.folders, 'People') }
  const marta = teller.as(MARTA)
  if (!(await isInTrash(marta, room.id, WITH_NAMES))) {
    await teller.at(12, '15:05', 1, () => ensureFile(marta, people, WITH_NAMES))
    await teller.at(12, '15:20', 1, () => removeFile(marta, people, WITH_NAMES))
  }
  await room.open(MARTA, 11, '09:00', COUNSEL)
  await room.open(MARTA, 10, '09:20', BUYERS)
  await room.open(MARTA, 10, '10:45', LENDERS)
  await room.open(MARTA, 7, '11:30', ADVISERS)
  await room.visit(HARBOUR_VISITS)

  const place = (folder: string) => ({ workspace_id: room.id, folder_id: idOf(room.folders, folder) })
  await teller.at(4, '09:15', 1, () => ensureFile(teller.as(JONAS), place('Legal/Transaction'), SECOND_SPA, 2))
  await teller.at(2, '13:50', 1, () => ensureFile(teller.as(TOM), place('Bids'), OFFER))
  await teller.at(1, '14:35', 1, () => ensureFile(teller.as(AYESHA), place('Finance/Term sheets'), TERM_SHEET))
}

async function tellOthers(teller: Teller): Promise<void> {
  const ines = teller.as(INES)
  const board = new Room(teller, 'Board papers')
  await teller.at(8, '16:00', 10, async () => {
    board.id = await ensureWorkspace(ines, await ensureTeam(ines, 'Deal team'), board.name)
  })
  await board.fill(INES, 8, '16:15', BOARD_PAPERS)

  const round = new Room(teller, 'Series B')
  const lena = teller.as(LENA)
  await teller.at(6, '09:00', 10, async () => {
    const team = await ensureTeam(ines, 'Ventures')
    await ensureTeamMember(ines, team, teller.user(LENA))
    await lena.call(api.users.signIn, {})
    round.id = await ensureWorkspace(lena, team, round.name)
  })
  await round.fill(LENA, 6, '10:00', SERIES_B)
  await round.open(LENA, 5, '09:00', INVESTORS)
  await round.visit(SERIES_B_VISITS)
}

/** Marks pages across, so that one sees it and still can read. */
async function ensureWatermark(ines: Caller, team_id: number): Promise<void> {
  const found = await ines.call(api.teams.listWatermarkSettings, { params: { id: team_id } })
  if (found.length > 0) return
  const look = { color: '#0b5d66', opacity: 0.25, font_size: 22, rotation: 30, display_workspace_name: true }
  await ines.call(api.watermarks.create, { body: { team_id, custom_text: 'Strictly confidential', ...look } })
}

/** The people of the demo, and when they act. */
class Teller {
  readonly history: History
  /** A reading was written in this run. */
  hasReadings = false
  private readonly admin: Caller
  private readonly users = new Map<string, User>()
  private readonly today = new Date()

  constructor(admin: Caller, history: History) {
    this.admin = admin
    this.history = history
  }

  /** The first admin may be somebody else, by BOOTSTRAP_ADMIN_EMAIL: the rooms are those of Ines all the same. */
  async gather(): Promise<void> {
    await this.admin.call(api.organization.update, { body: { name: 'Harbour Terminals', location: 'Rotterdam' } })
    for (const person of [...DEMO_PEOPLE, ...OTHER_PEOPLE])
      this.users.set(person.email, await ensureUser(this.admin, person))
    await this.admin.call(api.organization.addAdmin, { body: { user_id: this.user(INES).id } })
    const { first_name, last_name, time_zone } = INES
    await this.as(INES).call(api.users.updateMe, { body: { user: { first_name, last_name, time_zone } } })
    for (const person of DEMO_PEOPLE) await this.as(person).call(api.users.signIn, {})
  }

  user({ email }: DemoPerson): User {
    const user = this.users.get(email)
    if (!user) throw new Error(`The demo has no ${email}.`)
    return user
  }

  as(person: DemoPerson): Caller {
    return this.admin.as(this.user(person).user_token)
  }

  moment(day: number, time: string): Date {
    return workday(this.today, day, time)
  }

  at(day: number, time: string, minutes: number, work: () => Promise<void>): Promise<void> {
    return this.history.at(this.moment(day, time), minutes, work)
  }

  get everybody(): Map<string, User> {
    return this.users
  }
}

/** One workspace as its story goes on. */
class Room {
  id = 0
  readonly name: string
  readonly folders: FolderIds = new Map([['', 0]])
  private readonly teller: Teller

  constructor(teller: Teller, name: string) {
    this.teller = teller
    this.name = name
  }

  async fill(by: DemoPerson, day: number, time: string, folders: (DemoFolder | undefined)[]): Promise<void> {
    const wanted = folders.filter((folder) => folder !== undefined)
    await this.teller.at(day, time, 35, async () => {
      await this.enter(by)
      await ensureFolders(this.teller.as(by), this.id, wanted, this.folders)
    })
  }

  async open(by: DemoPerson, day: number, time: string, group: DemoGroup): Promise<void> {
    await this.teller.at(day, time, 12, () =>
      ensureGroup(this.teller.as(by), this.id, group, this.folders, this.teller.everybody),
    )
  }

  /** Once: who broke off in the middle begins again, and a reading more does no harm. */
  async visit(visits: Visit[]): Promise<void> {
    if (await this.teller.history.hasReadings(this.id)) return
    for (const visit of visits) {
      await this.teller.at(visit.day, visit.time, visit.minutes, () => this.read(visit))
    }
    this.teller.hasReadings = true
  }

  private async enter(person: DemoPerson): Promise<Caller> {
    const caller = this.teller.as(person)
    await caller.call(api.users.signIn, {})
    await caller.call(api.workspaces.get, { params: { id: this.id } })
    return caller
  }

  private async read({ person, views = [], downloads = [] }: Visit): Promise<void> {
    const caller = await this.enter(person)
    const user = this.teller.user(person)
    const readings = [
      ...views.map((path) => ({ verb: 'viewed' as const, path })),
      ...downloads.map((path) => ({ verb: 'downloaded' as const, path })),
    ]
    for (const { verb, path } of readings) {
      const file = await findByPath(caller, this.id, this.folders, path)
      await this.teller.history.addReading(this.id, user, { verb, file })
    }
  }
}
