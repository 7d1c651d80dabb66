import { api } from '../../contract/index.ts'
import type { Secrets } from '../credentials.ts'
import { type Caller, createCaller } from './call.ts'
import {
  addWorkspaceAdmin,
  ensureFile,
  ensureTeam,
  ensureWorkspace,
  handOver,
  idOf,
  isInTrash,
  removeFile,
} from './fill.ts'
import { openHistory } from './history.ts'
import { AYESHA, INES, JONAS, LENA, MARTA, TOM } from './people.ts'
import { handedIn, ROOMS } from './room.ts'
import { Teller } from './teller.ts'
import { brandMails, brandRoom } from './told-branding.ts'
import { tellNextPhase } from './told-phase.ts'
import { tellQuestions } from './told-questions.ts'
import { ToldRoom } from './told-room.ts'
import { issueTerms } from './told-terms.ts'

const SECOND_SPA = handedIn('Share purchase agreement.docx')
const OFFER = handedIn('Indicative offer Northgate.pdf')
const TERM_SHEET = handedIn('Term sheet Meridian Bank.pdf')
const WITH_NAMES = handedIn('Employees, with names.xlsx')

interface Means {
  apiUrl: string
  databaseUrl: string
  secrets: Secrets
  signal: AbortSignal
}

/** Makes the whole demo and its last three weeks. Keeps whatever exists already. */
export async function fillDealRoom({ apiUrl, databaseUrl, secrets, signal }: Means): Promise<void> {
  const history = openHistory(databaseUrl)
  try {
    const admin = createCaller(apiUrl, secrets, secrets.adminToken, signal)
    const teller = new Teller(admin, history)
    const begin = teller.moment(16, '08:00')
    await teller.at(16, '08:00', 30, () => teller.gather())
    await teller.at(16, '08:45', 10, () => brandMails(teller))
    await tellHarbour(teller)
    await tellOthers(teller)
    const { id } = await admin.call(api.organization.get, {})
    await history.admit(id, teller.user(INES), begin)
  } finally {
    await history.close()
  }
}

async function tellHarbour(teller: Teller): Promise<void> {
  const ines = teller.as(INES)
  const room = new ToldRoom(teller, ROOMS.harbour.name)
  await teller.at(15, '09:10', 20, async () => {
    const team = await ensureTeam(ines, 'Deal team')
    await ensureWatermark(ines, team)
    room.id = await ensureWorkspace(ines, team, room.name)
    await addWorkspaceAdmin(ines, room.id, teller.user(MARTA))
    await room.enter(INES)
  })
  const { folders, groups, visits, questions, terms, next } = ROOMS.harbour
  const [overview, corporate, finance, ...others] = folders
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
  await room.welcome(MARTA, 11, '08:40', ROOMS.harbour.welcome)
  await issueTerms(teller, room, MARTA, 1, terms?.[0])
  await room.open(MARTA, 11, '09:00', groups.counsel)
  await room.open(MARTA, 10, '09:20', groups.buyers)
  await room.open(MARTA, 10, '10:45', groups.lenders)
  await room.open(MARTA, 7, '11:30', groups.advisers)
  await room.visit(visits)
  if (questions) await tellQuestions(teller, room, questions)
  if (next) await tellNextPhase(teller, room, next)
  await teller.at(3, '10:10', 5, () => keepTemplate(ines, room.id, 'Sale of a company'))
  // Ines looks in from time to time; Marta reads what comes.
  const until = teller.moment(5, '17:00').toISOString()
  await ines.call(api.news.markRead, { body: { until, workspace_id: room.id } })
  for (const admin of [ines, marta])
    await admin.call(api.notifications.setWeeklyReport, { params: { id: room.id }, body: { weekly_report: true } })

  await teller.at(4, '09:15', 5, () => room.handIn(JONAS, 'Legal/Transaction', SECOND_SPA, 2))
  await teller.at(2, '13:50', 5, () => room.handIn(TOM, 'Bids', OFFER))
  await teller.at(1, '14:35', 5, () => room.handIn(AYESHA, 'Finance/Term sheets', TERM_SHEET))
  await teller.history.settleVisits(room.id)
}

async function tellOthers(teller: Teller): Promise<void> {
  const ines = teller.as(INES)
  const board = new ToldRoom(teller, ROOMS.board.name)
  await teller.at(8, '16:00', 10, async () => {
    board.id = await ensureWorkspace(ines, await ensureTeam(ines, 'Deal team'), board.name)
  })
  await teller.at(8, '16:05', 5, () => brandRoom(teller, board, INES, 'harbour'))
  await board.fill(INES, 8, '16:15', ROOMS.board.folders)
  await teller.history.settleVisits(board.id)

  const round = new ToldRoom(teller, ROOMS.seriesB.name)
  const { folders, groups, visits, welcome, terms } = ROOMS.seriesB
  const lena = teller.as(LENA)
  await teller.at(6, '09:00', 10, async () => {
    const team = await ensureTeam(ines, 'Ventures')
    await teller.arrive(LENA)
    await handOver(ines, lena, team, teller.user(LENA), teller.user(INES))
    round.id = await ensureWorkspace(lena, team, round.name)
  })
  await teller.at(6, '09:20', 5, () => brandRoom(teller, round, LENA, 'tidewater'))
  await round.fill(LENA, 6, '10:00', folders)
  await round.welcome(LENA, 5, '08:50', welcome)
  await issueTerms(teller, round, LENA, 1, terms?.[0])
  await round.open(LENA, 5, '09:00', groups.investors)
  await round.visit(visits)
  // Marta has accepted the new version too. Ayesha, who was here before, is asked.
  await issueTerms(teller, round, LENA, 2, terms?.[1])
  await teller.at(1, '12:05', 1, async () => void (await round.enter(MARTA)))
  await teller.history.settleVisits(round.id)
}

async function keepTemplate(admin: Caller, id: number, name: string): Promise<void> {
  const { team_id } = await admin.call(api.workspaces.get, { params: { id } })
  const { templates } = await admin.call(api.templates.list, { params: { id: team_id }, query: {} })
  if (templates.some((template) => template.name === name)) return
  await admin.call(api.templates.create, { params: { id }, body: { template: { name } } })
}

async function ensureWatermark(ines: Caller, team_id: number): Promise<void> {
  const found = await ines.call(api.teams.listWatermarkSettings, { params: { id: team_id } })
  if (found.length > 0) return
  const look = { color: '#0b5d66', opacity: 0.25, font_size: 22, rotation: 30, display_workspace_name: true }
  await ines.call(api.watermarks.create, { body: { team_id, custom_text: 'Strictly confidential', ...look } })
}
