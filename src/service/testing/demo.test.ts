import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { fillDealRoom } from '../../embedded/demo/deal-room.ts'
import {
  AYESHA,
  DEMO_PEOPLE,
  type DemoPerson,
  INES,
  JONAS,
  KENJI,
  MARTA,
  OTHER_PEOPLE,
  PETRA,
  TOM,
} from '../../embedded/demo/people.ts'
import { ROOMS } from '../../embedded/demo/room.ts'
import { openOfficeEngine } from '../documents/convert/engine/office-engine.ts'
import { verifyTrail } from '../audit/verify.ts'
import type { Client } from './client.ts'
import { readDocuments } from './jobs.ts'
import { startTestService, type TestService } from './start-service.ts'

type File = Reply<typeof api.files.get>

const DAY = 86_400_000
/** The people of the draft group. */
const WAITING = ROOMS.harbour.next?.group.members ?? []

interface Reading {
  id: number
  workspace_id: number
  message: string
  user_id: number
  day: string
}

let service: TestService
let harbour: number
const clients = new Map<string, Client>()
let readings: Reading[]
let lateActs: unknown[]

beforeAll(async () => {
  service = await startTestService()
  const { key: apiKey, secret: apiSecret, token: adminToken } = service.admin.credentials
  const secrets = { apiKey, apiSecret, adminToken, masterKey: service.config.masterKey }
  const { signal } = new AbortController()
  const means = { apiUrl: service.url, databaseUrl: service.config.databaseUrl, secrets, signal }
  await fillDealRoom(means)
  readings = await listReadings()
  // This simulates an interruption among the readings, before the run wrote the audit entry about the demo.
  const lost = readings.filter(({ workspace_id }) => workspace_id === readings[0]?.workspace_id).slice(10)
  await sql`delete from activities where id = any(${lost.map(({ id }) => id)})`.execute(service.services.db)
  await sql`delete from audit_inbox where entry like '%made the demo%'`.execute(service.services.db)
  // The next run completes it. A further one finds everything already there, even if the first admin is not the demo's.
  for (const _ of [2, 3]) await fillDealRoom(means)
  lateActs = await listLateActs()
  const { memberships } = await service.admin.call(api.organization.listMembers, {})
  for (const user of memberships) clients.set(user.email, service.as(user))
  harbour = (await roomsOf(MARTA)).find(({ name }) => name === 'Project Harbour')?.id ?? 0
}, 120_000)
afterAll(() => service.close())

/** Acts of members after they were said to be active last. */
async function listLateActs(): Promise<unknown[]> {
  const { rows } = await sql`
    select m.workspace_id, m.user_id, m.last_active_at, act.at from workspace_memberships m join (
      select workspace_id, user_id, created_at as at from activities
      union all select workspace_id, user_id, created_at from question_entries
    ) act on act.workspace_id = m.workspace_id and act.user_id = m.user_id
    where m.last_active_at is null or m.last_active_at < act.at or m.previous_visit_at >= m.last_active_at`.execute(
    service.services.db,
  )
  return rows
}

async function listReadings(): Promise<Reading[]> {
  const { rows } = await sql<Reading>`
    select id, workspace_id, message, user_id, date_trunc('day', created_at) as day from activities
    where verb in ('viewed', 'downloaded') and subject_type = 'Asset' order by workspace_id, id`.execute(
    service.services.db,
  )
  return rows
}

function as({ email }: DemoPerson): Client {
  const client = clients.get(email)
  if (!client) throw new Error(`There is no ${email}.`)
  return client
}

const roomsOf = async (person: DemoPerson) => (await as(person).call(api.users.workspaces, {})).workspaces

async function listFolder(person: DemoPerson, id: number) {
  return id === 0
    ? as(person).call(api.workspaces.home, { params: { id: harbour } })
    : as(person).call(api.folders.get, { params: { id }, query: { workspace_id: harbour } })
}

/** Paths and ids of the files that the person can see. */
async function listFiles(person: DemoPerson, id = 0, path = ''): Promise<Map<string, number>> {
  const { immediate_subfiles, immediate_subfolders } = await listFolder(person, id)
  const found = new Map(immediate_subfiles.map((file) => [path + file.title, file.id]))
  for (const folder of immediate_subfolders)
    for (const entry of await listFiles(person, folder.id, `${path}${folder.name}/`)) found.set(...entry)
  return found
}

const getFile = (id: number): Promise<File> =>
  as(MARTA).call(api.files.get, { params: { id }, query: { workspace_id: harbour } })

describe('the demo', () => {
  it('is created once, even if the first admin is not the demo’s', async () => {
    const { memberships } = await service.admin.call(api.organization.listMembers, {})
    const people = [...DEMO_PEOPLE, ...OTHER_PEOPLE]
    expect(memberships.map(({ email }) => email)).toEqual(expect.arrayContaining(people.map(({ email }) => email)))
    expect(memberships).toHaveLength(people.length + WAITING.length + 1)
    expect(memberships.find(({ email }) => email === INES.email)).toMatchObject({
      organization_admin: true,
      first_name: 'Ines',
      status: 'active',
    })
    expect((await roomsOf(INES)).map(({ name }) => name).sort()).toEqual(['Board papers', 'Project Harbour'])
    const teams = await as(INES).call(api.teams.list, {})
    expect(teams.map(({ name, owner, member }) => ({ name, owner, member }))).toEqual([
      { name: 'Deal team', owner: true, member: true },
      { name: 'Ventures', owner: false, member: false },
    ])
  })

  it('is a room of about 70 files in about 20 folders, with an earlier version and a file in the trash', async () => {
    const files = await listFiles(MARTA)
    expect(files.size).toBeGreaterThanOrEqual(60)
    expect(files.size).toBeLessThanOrEqual(80)
    const folders = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf('/'))))
    expect(folders.size).toBeGreaterThanOrEqual(20)
    const agreement = await getFile(files.get('Legal/Transaction/Share purchase agreement.docx') ?? 0)
    expect(agreement.version).toBe(2)
    const trash = await as(MARTA).call(api.trash.list, { query: { workspace_id: harbour } })
    expect(trash.map(({ name }) => name)).toEqual(['Employees, with names.xlsx'])
  })

  it('gives each group its intended rights', async () => {
    const [marta, tom, ayesha, jonas, petra] = await Promise.all(
      [MARTA, TOM, AYESHA, JONAS, PETRA].map(async (person) => [...(await listFiles(person)).keys()]),
    )
    const tops = (paths: string[] = []) => [...new Set(paths.map((path) => path.split('/')[0]))]
    expect(tops(tom)).not.toContain('People')
    expect(tom).not.toContain('Legal/Disputes/Opinion of counsel.pdf')
    expect(tom).toContain('Bids/Indicative offer Northgate.pdf')
    expect(tom).not.toContain('Finance/Term sheets/Term sheet Meridian Bank.pdf')
    expect(ayesha).toContain('Finance/Term sheets/Term sheet Meridian Bank.pdf')
    expect(tops(ayesha)).toEqual(['Overview', 'Corporate', 'Finance', 'Property', 'Insurance', 'Questions and answers'])
    expect(tops(jonas)).not.toContain('People')
    expect(jonas?.length).toBeGreaterThan(tom?.length ?? 0)
    expect(marta?.length).toBeGreaterThan(jonas?.length ?? 0)
    expect(tops(petra)).toEqual(['Property', 'Insurance'])

    const groups = await as(MARTA).call(api.groups.list, { query: { workspace_id: harbour } })
    const group = (name: string) => groups.find((each) => each.name === name)
    expect(group('Buyers')).toMatchObject({ watermarked: true, drm_enabled: false, members_count: 2 })
    expect(group('Lenders')).toMatchObject({ drm_enabled: true, drm_expires_after: expect.stringMatching(/^\d{4}-/) })
    expect(group('Insurance advisers')).toMatchObject({ expire_workspace_access: 'true', expired: false })
    expect(group('Counsel')).toMatchObject({ file_managing_abilities: true, watermarked: false })
  })

  it('has an invited user who has not signed in, and a watermark of the team', async () => {
    const members = await as(MARTA).call(api.workspaces.listMembers, { params: { id: harbour } })
    const waiting = members.filter(({ status }) => status === 'invited').map(({ user }) => user.email)
    expect(waiting).toEqual([KENJI.email])
    const [team] = await as(INES).call(api.teams.list, {})
    const marks = await as(INES).call(api.teams.listWatermarkSettings, { params: { id: team?.id ?? 0 } })
    expect(marks).toHaveLength(1)
  })

  it('has a second room with another admin', async () => {
    const rooms = await roomsOf(AYESHA)
    expect(rooms.map(({ name, admin }) => ({ name, admin }))).toEqual(
      expect.arrayContaining([
        { name: 'Project Harbour', admin: false },
        { name: 'Series B', admin: false },
      ]),
    )
    expect((await roomsOf(TOM)).map(({ name }) => name)).toEqual(['Project Harbour'])
  })
})

describe('the deal of the demo', () => {
  const room = () => ({ params: { workspace_id: harbour } })
  const here = () => ({ params: { id: harbour } })
  const seriesB = async () => (await roomsOf(AYESHA)).find(({ name }) => name === 'Series B')?.id ?? 0

  it('has terms that everybody who came in has accepted, in their name', async () => {
    const answers = await as(MARTA).call(api.terms.listAnswers, here())
    const accepted = answers.filter(({ answer }) => answer === 'accepted')
    expect(accepted.map(({ typed_name }) => typed_name).toSorted()).toEqual([
      'Ayesha Rahman',
      'Jonas Lindqvist',
      'Petra Vogel',
      'Priya Nair',
      'Tom Becker',
    ])
    expect(answers.filter(({ answer }) => answer === 'awaited').map(({ email }) => email)).toEqual([KENJI.email])
    const [version] = await as(MARTA).call(api.terms.listVersions, here())
    const issued = Date.parse(version?.issued_at ?? '')
    expect(Date.now() - issued).toBeGreaterThan(14 * DAY)
    for (const { answered_at } of accepted) expect(Date.parse(answered_at ?? '')).toBeGreaterThan(issued)
  })

  it('asks one of its people again, who accepted an earlier PDF, and lets the others in', async () => {
    const params = { id: await seriesB() }
    const { await: awaits, terms } = await as(AYESHA).call(api.terms.mine, { params })
    expect(awaits).toBe(true)
    expect(terms).toMatchObject([{ version: 2, pdf: { pages: 1 }, accepted_at: null, former: { version: 1 } }])
    expect(terms[0]?.text).toContain('24 months')
    expect(terms[0]?.former?.text).toContain('12 months')
    expect(await as(MARTA).call(api.terms.mine, { params })).toMatchObject({ await: false, terms: [{ version: 2 }] })
    for (const person of [INES, MARTA, TOM, AYESHA, JONAS])
      expect(await as(person).call(api.terms.mine, here())).toMatchObject({ await: false })
  })

  it('has a draft folder that is planned to be published, and a draft group whose people wait', async () => {
    const { drafts, schedule } = await as(MARTA).call(api.drafts.list, here())
    expect(drafts).toMatchObject([{ name: 'Second phase', files_count: 3 }])
    expect(schedule).toMatchObject({ folder_ids: drafts.map(({ folder_id }) => folder_id), problem: null })
    expect(Date.parse(schedule?.opens_at ?? '')).toBeGreaterThan(Date.now() + 14 * DAY)
    expect([...(await listFiles(TOM)).keys()].some((path) => path.includes('Second phase'))).toBe(false)
    const groups = await as(MARTA).call(api.groups.list, { query: { workspace_id: harbour } })
    expect(groups.filter(({ is_draft }) => is_draft)).toMatchObject([
      { name: 'Northgate’s advisers', members_count: 2 },
    ])
    for (const email of WAITING)
      expect((await clients.get(email)?.call(api.users.workspaces, {}))?.workspaces).toEqual([])
  })

  it('has staged rights of two groups, which do not apply yet', async () => {
    const { changes } = await as(MARTA).call(api.stagedRights.list, here())
    expect(new Set(changes.map(({ group_name }) => group_name))).toEqual(new Set(['Buyers', 'Lenders']))
    expect(changes).toHaveLength(3)
    expect([...(await listFiles(TOM)).keys()]).not.toContain('Legal/Disputes/Opinion of counsel.pdf')
  })

  it('has an expert who has replied to one question and is asked another', async () => {
    const { questions } = await as(JONAS).call(api.experts.listPassed, { ...room(), query: {} })
    expect(questions.map(({ subject, state }) => [subject, state])).toEqual([
      ['Hearing of the dredging claim', 'waiting'],
      ['Nordlink and a change of control', 'replied'],
    ])
  })

  it('has a FAQ, of which each group sees its part, and an answer that its asker has not read', async () => {
    const faq = async (person: DemoPerson) =>
      (await as(person).call(api.questions.list, { ...room(), query: { faq: true } })).questions.filter(
        (one) => one.faq,
      )
    expect(await faq(MARTA)).toHaveLength(4)
    expect(await faq(TOM)).toHaveLength(4)
    expect(await faq(AYESHA)).toHaveLength(3)
    const { unread_questions } = (await as(TOM).call(api.users.news, {})).workspaces[0] ?? {}
    expect(unread_questions).toBe(1)
  })

  it('has looks of two rooms, and contact people', async () => {
    const lookOf = async (person: DemoPerson, room: string) => {
      const id = (await roomsOf(person)).find(({ name }) => name === room)?.id ?? 0
      return (await as(person).call(api.workspaces.get, { params: { id } })).look
    }
    const logos = { logo_light: expect.any(String), logo_dark: expect.any(String) }
    expect(await lookOf(INES, 'Board papers')).toMatchObject({ display_name: 'Harbour Terminals', ...logos })
    expect(await lookOf(MARTA, 'Series B')).toMatchObject({ display_name: 'Tidewater Robotics', ...logos })
    expect(await lookOf(TOM, 'Project Harbour')).toBeNull()
    expect(await as(TOM).call(api.workspaces.getWelcome, here())).toMatchObject({
      contact: { email: MARTA.email },
      contacts: [{ name: 'Jonas Lindqvist' }, { name: 'Reception of the terminal' }],
    })
  })

  it('has a template of the team, and weekly reports for its admins', async () => {
    const [team] = await as(INES).call(api.teams.list, {})
    const { templates } = await as(INES).call(api.templates.list, { params: { id: team?.id ?? 0 }, query: {} })
    expect(templates.filter(({ shipped }) => !shipped)).toMatchObject([{ name: 'Sale of a company' }])
    for (const person of [INES, MARTA]) {
      const { workspaces } = await as(person).call(api.notifications.get, {})
      expect(workspaces.find(({ workspace_id }) => workspace_id === harbour)).toMatchObject({ weekly_report: true })
    }
  })
})

describe('the history of the demo', () => {
  const activities = async (page: number) =>
    as(MARTA).call(api.activities.list, { params: { workspace_id: harbour }, query: { per_page: 100, page } })

  it('covers more than two weeks and does not reach into the future', async () => {
    const { pagination, events } = await activities(1)
    expect(pagination.total_items).toBeGreaterThan(150)
    const others = await Promise.all(Array.from({ length: pagination.total_pages - 1 }, (_, at) => activities(at + 2)))
    const all = [...events, ...others.flatMap((page) => page.events)]
    const last = all.at(-1)
    const age = (at = '') => (Date.now() - Date.parse(at)) / DAY
    expect(age(last?.created_at)).toBeGreaterThan(17)
    expect(age(events[0]?.created_at)).toBeGreaterThan(0)
    const kinds = new Set(all.map(({ verb }) => verb))
    for (const verb of ['viewed', 'downloaded', 'created', 'added', 'joined', 'updated']) expect(kinds).toContain(verb)
    const doers = new Set(all.map(({ user_name }) => user_name))
    expect(doers.size).toBeGreaterThanOrEqual(6)
  })

  it('has all readings after an interrupted run, each once and on its day', async () => {
    const told = (each: Reading[]) => each.map(({ id: _id, ...reading }) => reading)
    expect(readings.length).toBeGreaterThan(40)
    expect(told(await listReadings())).toEqual(told(readings))
  })

  it('has members who were active last at their last act or later', () => {
    expect(lateActs).toEqual([])
  })

  it('has no unread file that its reader viewed after its last change', async () => {
    const { rows } = await sql`
      select a.user_id, a.message from activities a
      where a.verb = 'viewed' and a.subject_type = 'Asset' and not exists (
        select from file_views v where v.workspace_id = a.workspace_id and v.user_id = a.user_id
          and v.file_id = a.subject_id and v.viewed_at >= a.created_at - interval '1 millisecond')`.execute(
      service.services.db,
    )
    expect(rows).toEqual([])
    const files = await listFiles(TOM)
    const { file_ids } = await as(TOM).call(api.news.listUnread, { params: { id: harbour } })
    expect(file_ids).not.toContain(files.get('Overview/Information memorandum.pdf'))
    expect(file_ids).toContain(files.get('Overview/Teaser.pdf'))
  })

  it('has files as old as their activities', async () => {
    const { events } = await as(MARTA).call(api.activities.list, {
      params: { workspace_id: harbour },
      query: { per_page: 100, verb: 'created', subject_type: 'Asset' },
    })
    const [newest] = events
    const file = await getFile(newest?.subject_id ?? 0)
    expect(file.title).toBe('Term sheet Meridian Bank.pdf')
    expect(Math.abs(Date.parse(file.created_at) - Date.parse(newest?.created_at ?? ''))).toBeLessThan(DAY / 24)
  })

  it('leaves the true times in the audit trail, whose chain verifies', async () => {
    const began = Date.now() - DAY
    for (const path of [`workspaces/${harbour}/audit`, 'organization/audit']) {
      const response = await (path.startsWith('w') ? as(MARTA) : service.admin).fetch(`/api/v1/${path}`)
      const lines = (await response.text()).trimEnd().split('\n')
      expect((await verifyTrail(lines)).head.seq).toBeGreaterThan(10)
      const entries = lines.map((line) => JSON.parse(line) as { entry?: { at: string; message: string } })
      for (const { entry } of entries) if (entry) expect(Date.parse(entry.at)).toBeGreaterThan(began)
      if (path.startsWith('o'))
        expect(entries.filter(({ entry }) => entry?.message.startsWith('made the demo'))).toHaveLength(1)
    }
  })
})

describe('the documents of the demo', () => {
  const engine = openOfficeEngine()
  beforeAll(async () => {
    if (!engine.isPresent) await forgetOfficeFiles()
    await readDocuments(service, {}, engine.isPresent ? engine : undefined)
  }, 900_000)
  afterAll(() => engine.close())

  /** Without the optional package, one document has to do. */
  const forgetOfficeFiles = () =>
    sql`delete from jobs where kind = 'ingest' and payload ->> 'blob_id' in (
      select blob_id from files
      where file_content_type like 'application/vnd.openxmlformats-%' and title not like '%الخليج%')`.execute(
      service.services.db,
    )

  it.skipIf(!engine.isPresent)('can all be viewed on a new machine, where LibreOffice is not installed', async () => {
    const { rows } = await sql`
      select title, viewer_status, reason from files join documents using (workspace_id, blob_id)
      where viewer_status <> 'Ready' or files.pages = 0`.execute(service.services.db)
    expect(rows).toEqual([])
  })

  it.skipIf(!engine.isPresent)('have text on the pages of each Office document', async () => {
    const files = await Promise.all([...(await listFiles(MARTA)).values()].map(getFile))
    const office = files.filter(({ title }) => /\.(docx|xlsx|pptx)$/.test(title))
    expect(office.length).toBeGreaterThan(15)
    for (const { id, title } of office) {
      const params = { id, page_number: 1 }
      const { text } = await as(MARTA).call(api.files.text, { params, query: { workspace_id: harbour } })
      expect(text, title).toMatch(/\p{L}{4}/u)
    }
  })

  it('are ready with their pages if they are PDFs or images', async () => {
    const files = await Promise.all([...(await listFiles(MARTA)).values()].map(getFile))
    const shown = files.filter(({ title }) => /\.(pdf|png|jpg)$/.test(title))
    expect(shown.length).toBeGreaterThan(35)
    expect(shown.filter(({ viewer_status }) => viewer_status !== 'Ready').map(({ title }) => title)).toEqual([])
    const pages = Object.fromEntries(shown.map(({ title, pages }) => [title, pages]))
    expect(pages).toMatchObject({
      'Information memorandum.pdf': 6,
      'Audited accounts 2025.pdf': 4,
      'Quay wall – section.pdf': 1,
      'Environmental permit.pdf': 1,
      'Site plan.png': 1,
    })
  })

  it.each([
    ['Größe', 'Mietvertrag Lagerhalle Duisburg.pdf'],
    ['秘密', '東海海運 業務委託契約書.pdf'],
    ['مناولة الحاويات', 'مذكرة تفاهم – خط الخليج للشحن.docx'],
    ['fair view', 'Audited accounts 2025.pdf'],
  ])('are found by their text: %s', async (words, title) => {
    const found = await as(MARTA).call(api.files.search, { query: { workspace_id: harbour, q: words } })
    expect(found.map((file) => file.title)).toContain(title)
  })
})
