import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { recordDamage } from '../store/documents/damage.ts'
import { noteInfection } from '../store/terms/unscanned-pdfs.ts'
import { draftPdf } from '../testing/deal/terms.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { takeMails } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createWorld, type World } from '../testing/world.ts'

const URL = 'http://dashboard.test'

let service: TestService
let world: World
let room: Room
let admins: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const team = { allowed_workspaces: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
})
afterAll(() => service.close())
beforeEach(async () => {
  await setAddress(world.wendy.email)
  room = await createRoom(world)
  const groups = await world.alice.call(api.groups.list, { query: inRoom() })
  admins = groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
  await addMember(world.alice, room.workspace_id, admins, world.wendy)
  await sql`delete from jobs`.execute(service.services.db)
})

const inRoom = () => ({ workspace_id: room.workspace_id })

const damageFile = async () => {
  const { db } = service.services
  const { id } = await room.upload(world.alice, await room.folder('Finance'), 'Plan.txt', 'the plan')
  const { blob_id } = await db
    .selectFrom('files')
    .select('blob_id')
    .where('workspace_id', '=', room.workspace_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await recordDamage(db, blob_id, 'bytes', URL)
}

const storePdf = async () => {
  await draftPdf(world.alice, room.workspace_id, samplePdf([{}]))
  return service.services.db
    .selectFrom('terms_pdfs')
    .select(['workspace_id', 'id', 'blob_id'])
    .where('workspace_id', '=', room.workspace_id)
    .executeTakeFirstOrThrow()
}

const damageTerms = async () => recordDamage(service.services.db, (await storePdf()).blob_id, 'bytes', URL)
const infectTerms = async () =>
  noteInfection(service.services.db, await storePdf(), { infection: 'Eicar-Signature', url: URL })

const removeAdmin = () =>
  world.alice.call(api.groups.removeMember, { params: { id: admins }, query: { ...inRoom(), user_id: world.wendy.id } })
const setAddress = (email: string) =>
  sql`update users set email = ${email} where id = ${world.wendy.id}`.execute(service.services.db)

describe.each([
  ['a damaged file', damageFile, / damaged$/],
  ['damaged terms', damageTerms, /are damaged$/],
  ['infected terms', infectTerms, /are infected$/],
] as const)('a notice of %s', (_, happen, subject) => {
  const told = async () =>
    (await takeMails(service))
      .filter((mail) => subject.test(mail.subject))
      .map(({ to }) => to)
      .toSorted()

  test('reaches all admins of the workspace', async () => {
    await happen()
    expect(await told()).toEqual([world.alice.email, world.wendy.email].toSorted())
  })

  test.each([
    ['is no admin any more', removeAdmin],
    ['has another address by now', () => setAddress('w@new.test')],
  ])('K111: does not reach whoever %s when it is sent', async (__, meanwhile) => {
    await happen()
    await meanwhile()
    expect(await told()).toEqual([world.alice.email])
  })
})
