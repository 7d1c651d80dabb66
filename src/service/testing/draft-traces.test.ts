import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { type MailServer, startMailServer } from '../../mail/testing/mail-server.ts'
import { everyReading, mailsOfNews, readEach, type Reading } from './deal/every-reading.ts'
import { readZip } from './documents/read-zip.ts'
import { readEvents } from './event-reader.ts'
import { runJobs } from './jobs.ts'
import { createRoom, type Room } from './room.ts'
import { startTestService, type TestService } from './start-service.ts'
import { createWorld, type World } from './world.ts'

// A room with a draft whose names occur nowhere else, and whose ids are far from all others.

const FOREIGN = 'Zephyrine'
const FAR = 7_000_000

let service: TestService
let world: World
let room: Room
let workspace_id: number
let finance: number
let report: number
let mail: MailServer
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  mail = await startMailServer()
  room = await createRoom(world)
  workspace_id = room.workspace_id
  finance = await room.folder('Finance')
  await room.folder('Reports', finance)
  await room.grant(0, 'download')
  report = (await room.upload(world.alice, finance, 'report.txt', 'a quarterly report')).id
  await runJobs(service)
})
afterAll(async () => {
  await mail.close()
  await service.close()
})

interface Hidden {
  folders: number[]
  files: number[]
}

/** Makes, fills, changes and moves drafts at the top and in a visible folder. */
async function addDrafts(): Promise<Hidden> {
  const { alice } = world
  const { db } = service.services
  for (const table of ['folders', 'files'])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${FAR}, false)`.execute(db)
  const hidden: Hidden = { folders: [], files: [] }
  for (const parent_id of [0, finance]) {
    const body = { workspace_id, parent_id, name: `${FOREIGN} plans` }
    const { id: draft } = await alice.call(api.drafts.create, { body })
    const inner = await room.folder(`${FOREIGN} inner`, draft)
    for (const folder of [draft, inner]) {
      const { id } = await room.upload(alice, folder, `${FOREIGN} budget.txt`, `the ${FOREIGN} quarterly report`)
      await room.upload(alice, folder, `${FOREIGN} budget.txt`, `the second ${FOREIGN} quarterly report`)
      hidden.files.push(id)
    }
    await room.grant(inner, 'upload')
    await room.revoke(draft, 'download')
    const changes = [{ folder_id: inner, group_id: room.group_id, rights: { view: true } }]
    await alice.call(api.permissions.change, { body: { workspace_id, changes } })
    const renamed = { workspace_id, folder: { name: `${FOREIGN} strategy` } }
    await alice.call(api.folders.update, { params: { id: draft }, body: renamed })
    const destination = { workspace_id, destination_folder_id: finance }
    const { id: copied } = await alice.call(api.folders.copy, { params: { id: inner }, body: destination })
    await alice.call(api.folders.move, { params: { id: inner }, body: destination })
    const { id: doomed } = await alice.call(api.drafts.create, { body: { ...body, name: `${FOREIGN} doomed` } })
    await alice.call(api.folders.remove, { params: { id: doomed }, query: { workspace_id } })
    hidden.folders.push(draft, inner, copied, doomed)
    for (const hours of [1, 2]) {
      const opens_at = new Date(Date.now() + hours * 3600_000).toISOString()
      await alice.call(api.drafts.setSchedule, {
        params: { id: workspace_id },
        body: { folder_ids: [draft], opens_at },
      })
    }
  }
  await runJobs(service)
  return hidden
}

/** A call of every endpoint that only reads, for the room and for what bob sees in it. */
function* readings(): Generator<Reading> {
  const place = { workspace_id, folder_id: finance, file_id: report, group_id: room.group_id }
  yield* everyReading(place, (section) => (section === 'folders' ? 'zephyrine' : 'quarterly'))
  const within = { workspace_id }
  yield ['files.infoBatch', api.files.infoBatch, { body: { ...within, file_ids: [report, FAR, FAR + 1] } }]
  yield ['permissions.sheet', api.permissions.sheet, { query: { ...within, group_ids: [room.group_id], below: 0 } }]
  yield ['permissions.list', api.permissions.list, { params: { id: 0 }, query: { ...within, group_id: room.group_id } }]
  yield ['files.search', api.files.search, { query: { ...within, q: 'zephyrine' } }]
  yield ['folders.get', api.folders.get, { params: { id: finance }, query: { ...within, per_page: 25 } }]
}

const readAll = () => readEach(world.bob, readings())

const mailsToBob = () => mailsOfNews(service, mail)

it('K99: 0 traces of a draft in every reply, event and mail to a member, until it is published', async ({ task }) => {
  const { alice, bob } = world
  await sql`update users set mail_frequency = 'at_once', language = 'en'`.execute(service.services.db)
  await bob.call(api.workspaces.get, { params: { id: workspace_id } })
  await sql`update group_memberships set created_at = created_at - interval '2 hours'`.execute(service.services.db)
  await sql`update activities set created_at = created_at - interval '2 hours'`.execute(service.services.db)
  await sql`update workspace_memberships set mailed_until = now()`.execute(service.services.db)

  await readAll()
  // The views of the first readings are no events of those who follow from now on.
  await sql`update activities set created_at = created_at - interval '1 hour'`.execute(service.services.db)
  const before = await readAll()
  const events = await readEvents(service, bob, workspace_id)
  const hidden = await addDrafts()
  // Whatever the drafts caused has arrived once this has.
  const marker = events.seen.length
  const after = await readAll()
  expect([...after.values()].filter(({ status }) => status === 200).length).toBeGreaterThan(30)
  for (const [name, reply] of after) {
    expect([name, reply]).toEqual([name, before.get(name)])
    expect(`${name} ${reply.text.includes(FOREIGN)} ${/\b70000\d\d\b/.test(reply.text)}`).toBe(`${name} false false`)
  }
  expect(await mailsToBob()).toEqual([])

  const ids = [
    ...hidden.folders.map((id) => ['/folders/', id] as const),
    ...hidden.files.map((id) => ['/files/', id] as const),
  ]
  let asked = 0
  for (const [prefix, id] of ids) {
    for (const endpoint of Object.values(api).flatMap((section) => Object.values(section) as AnyEndpoint[])) {
      if (!endpoint.path.startsWith(`${prefix}{id}`)) continue
      const body = { workspace_id, destination_folder_id: finance, undo_id: 1, ...FOLDER_OR_FILE }
      const call = (of: number): CallParts => ({
        params: { id: of, page_number: 1 },
        query: endpoint.query ? { workspace_id, q: 'report' } : {},
        ...(endpoint.method !== 'GET' && { body }),
      })
      const reply = async (of: number) => {
        const { path, init } = requestOf(endpoint, call(of))
        const response = await bob.fetch(path, init)
        const text = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '', '')
        return `${endpoint.method} ${urlOf(endpoint, call(0))} ${response.status} ${text}`
      }
      expect(await reply(id)).toBe(await reply(FAR * 10))
      asked++
    }
  }
  expect(asked).toBeGreaterThan(100)
  task.meta.attempts = after.size + asked

  await room.upload(alice, finance, 'visible.txt', 'a visible file')
  await expect.poll(() => events.seen.length).toBeGreaterThan(0)
  events.leave()
  expect(marker).toBe(0)
  expect(events.seen.flatMap(({ kinds }) => kinds)).not.toContain('permissions')
})

const ask = async (place: object) => {
  const body = { question: { subject: 'What is it worth?', ...place } }
  return (await world.bob.call(api.questions.ask, { params: { workspace_id }, body })).id
}

async function answer(question_id: string): Promise<void> {
  const params = { workspace_id, question_id }
  await world.alice.call(api.questions.update, { params, body: { question: { draft: `By ${FOREIGN}.` } } })
  await world.alice.call(api.questions.answer, { params, body: { reach: 'all' } })
}

const FOLDER_OR_FILE = { folder: { name: 'Taken' }, file: { title: 'taken.txt' } }

it('K99: 0 traces of a draft that takes in what a member could see, or was seen itself', async () => {
  const { alice } = world
  const { drafts } = await alice.call(api.drafts.list, { params: { id: workspace_id } })
  const into = { workspace_id, destination_folder_id: drafts[0]?.folder_id ?? 0 }
  const [moved, copied] = [
    await room.upload(alice, finance, 'moved.txt', 'seen before'),
    await room.upload(alice, finance, 'copied.txt', 'seen as well'),
  ]
  const [folder, withdrawn] = [await room.folder('Moved', finance), await room.folder('Withdrawn', finance)]
  await alice.call(api.questions.updateSettings, {
    params: { workspace_id },
    body: { groups: [{ group_id: room.group_id, may_ask: true }] },
  })
  const questions = [
    await ask({ file_id: moved.id }),
    await ask({ folder_id: folder }),
    await ask({ folder_id: withdrawn }),
  ]
  await mailsToBob()
  await alice.call(api.files.move, { params: { id: moved.id }, body: into })
  await alice.call(api.files.copy, { params: { id: copied.id }, body: into })
  await alice.call(api.folders.move, { params: { id: folder }, body: into })
  await alice.call(api.drafts.withdraw, { params: { id: withdrawn }, body: { workspace_id } })
  const renamed = { workspace_id, folder: { name: `${FOREIGN} withdrawn` } }
  await alice.call(api.folders.update, { params: { id: withdrawn }, body: renamed })
  for (const question_id of questions) await answer(question_id)
  await runJobs(service)
  expect((await mailsToBob()).filter((each) => each.startsWith('bob@'))).toEqual([])
  const named = [...(await readAll())].filter(([, { text }]) => text.includes(FOREIGN)).map(([name]) => name)
  expect(named).toEqual([])
})

it('K99: a zip of the folder above a draft has none of it, nor a manifest that counts it', async () => {
  const { bob } = world
  const { id } = await bob.call(api.downloads.create, {
    body: { workspace_id, download: { folder_ids: [finance], file_ids: [] } },
  })
  await runJobs(service)
  const { expiring_url } = await bob.call(api.downloads.get, { params: { id }, query: { workspace_id } })
  const response = await fetch(service.url + new URL(expiring_url).pathname)
  const zip = await readZip(Buffer.from(await response.arrayBuffer()))
  expect(JSON.stringify(zip)).not.toContain(FOREIGN)
  expect(JSON.stringify(zip)).toContain('report.txt')
})

it('K99: the news tell the files of a draft as new once it is published, in one mail', async () => {
  await mailsToBob()
  const { drafts } = await world.alice.call(api.drafts.list, { params: { id: workspace_id } })
  const folder_ids = drafts.map(({ folder_id }) => folder_id)
  await world.alice.call(api.drafts.publish, { params: { id: workspace_id }, body: { folder_ids, dry_run: false } })
  const mails = await mailsToBob()
  expect(mails).toHaveLength(1)
  expect(mails[0]).toContain(`${FOREIGN} budget.txt`)
  expect(await mailsToBob()).toEqual([])
})
