import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { recordBackup } from '../store/health/backups.ts'
import { issuePdfTerms } from '../testing/deal/terms.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { ON_DISK, startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'
import { checkDatabase } from './check-database.ts'
import { examine } from './examine.ts'

let service: TestService
let world: World
let room: Room

beforeEach(async () => {
  service = await startTestService(ON_DISK)
  world = await createWorld(service)
  room = await createRoom(world)
  await world.alice.call(api.audit.export, { params: { id: room.workspace_id } })
  await world.olivia.call(api.audit.exportOrganization, {})
})
afterEach(() => service.close())

const errors = async (overrides = {}) => {
  const findings = await examine({ ...service.config, ...overrides })
  return findings.filter(({ state }) => state === 'error')
}
const warnings = async (check: string) => {
  const findings = await examine(service.config)
  return findings.filter((each) => each.check === check && each.state === 'warning').map(({ message }) => message)
}

const pathOf = (blobId: string) => join(service.config.dataDir, 'blobs', blobId.slice(0, 2), blobId.slice(2, 4), blobId)

async function uploadBlob(name = 'a.txt'): Promise<string> {
  const { id } = await room.upload(world.alice, 0, name, 'twelve bytes')
  const { db } = service.services
  return (await db.selectFrom('file_versions').select('blob_id').where('file_id', '=', id).executeTakeFirstOrThrow())
    .blob_id
}

test('an undamaged installation has no errors', async () => {
  await uploadBlob()
  expect(await errors()).toEqual([])
  const findings = await examine(service.config)
  expect(findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'The schema is the one of this release.',
      'The content is complete: 1 file in full length.',
    ]),
  )
})

test('settings that connections lack are named', async () => {
  const { db } = service.services
  await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = on`.execute(tx)
    await sql`set local statement_timeout = '2min'`.execute(tx)
    const { findings } = await checkDatabase(tx, () => new Date())
    expect(findings.filter(({ state }) => state !== 'ok').map(({ message }) => message)).toEqual([
      'Connections to the database lack settings: enable_seqscan = off, statement_timeout = 60000.',
    ])
  })
})

test('missing and shortened content is named', async () => {
  const [gone, cut] = [await uploadBlob(), await uploadBlob('b.txt')]
  await rm(pathOf(gone))
  await writeFile(pathOf(cut), 'twelve')
  expect((await errors()).map(({ message }) => message)).toEqual([
    `Content is missing (1 file): ${gone}.`,
    `Content has another size (1 file): ${cut}.`,
  ])
})

test('an absent volume is one error, and not a thousand missing files', async () => {
  await uploadBlob()
  const blobs = join(service.config.dataDir, 'blobs')
  await rename(blobs, `${blobs}-away`)
  await mkdir(blobs)
  expect(await errors()).toMatchObject([
    { check: 'content', message: expect.stringContaining('is not here') as string },
  ])
})

test('content that nothing references is counted once it should have been swept', async () => {
  const orphan = 'ab'.repeat(16)
  await mkdir(join(pathOf(orphan), '..'), { recursive: true })
  await writeFile(pathOf(orphan), 'orphan')
  expect(await warnings('content')).toEqual([])
  const yesterday = new Date(Date.now() - 86_400_000)
  await utimes(pathOf(orphan), yesterday, yesterday)
  expect(await warnings('content')).toEqual(['Nothing references 1 file of the content (6 bytes).'])
  expect(await readdir(join(pathOf(orphan), '..'))).toEqual([orphan])
})

test('an altered record of the audit trail, and a wrong master key, are errors', async () => {
  expect(await errors({ masterKey: 'f'.repeat(64) })).toHaveLength(2)
  const { db } = service.services
  await sql`set session_replication_role = replica; update audit_records set entry = replace(entry, '"verb":"', '"verb":"not ')
    where workspace_id = ${sql.lit(room.workspace_id)} and seq = 1; reset session_replication_role`.execute(db)
  expect(await errors()).toMatchObject([
    {
      check: 'audit',
      message: expect.stringContaining(`workspace ${room.workspace_id} is not as it was written`) as string,
    },
  ])
})

test('failed and late jobs are counted by kind', async () => {
  await sql`delete from jobs`.execute(service.services.db)
  await sql`insert into jobs (kind, payload, run_at, parked_at) values
    ('mail', '{}', now() - interval '1 hour', null), ('zip', '{}', now(), now())`.execute(service.services.db)
  expect(await warnings('queue')).toEqual([
    '1 job of kind zip failed in every attempt.',
    'A job of kind mail has been due for 60 minutes.',
  ])
})

test('processes that differ in their scans are named', async () => {
  const { db } = service.services
  expect(await warnings('scanner')).toEqual([])
  await sql`insert into processes (name, kind, host, version, node, started_at, is_scanning, requires_scan, seen_at) values
    ('a', 'worker', 'north', '1', '26', now(), true, true, now()), ('b', 'worker', 'south', '1', '26', now(), true, false, now()),
    ('c', 'worker', 'old', '1', '26', now(), null, null, now()), ('d', 'worker', 'gone', '1', '26', now(), true, true, now() - interval '1 hour')`.execute(
    db,
  )
  expect(await warnings('scanner')).toEqual([
    `Some processes scan for malware, and these do not: ${hostname()} (service).`,
    `Some processes withhold files until they are scanned, and these do not: ${hostname()} (service), south (worker).`,
  ])
})

test('PDFs of terms that wait for a scan, cannot be scanned or are infected are warnings', async () => {
  const { db } = service.services
  const { workspace_id } = room
  await issuePdfTerms(world.alice, workspace_id, samplePdf([{}]))
  expect(await warnings('scanner')).toEqual([])
  await sql`update terms_pdfs set held = true`.execute(db)
  expect(await warnings('scanner')).toEqual([])
  await sql`insert into terms_pdfs (workspace_id, blob_id, file_name, size, sha256, page_widths, page_heights, page_texts,
      uploaded_at, uploaded_by_id, held)
    select workspace_id, repeat('a', 32), file_name, size, sha256, page_widths, page_heights, page_texts,
      now() - interval '1 hour', uploaded_by_id, true from terms_pdfs`.execute(db)
  expect(await warnings('scanner')).toEqual(['PDFs of terms have waited for their scan for 60 minutes (2 files).'])
  await sql`update terms_pdfs set unscannable = true`.execute(db)
  const faulty = (says: string) => `${says} (1 file), in the workspaces ${workspace_id}.`
  expect(await warnings('scanner')).toEqual([
    faulty('PDFs of terms that are drafted or in force are too large or too deep for ClamAV'),
  ])
  await sql`update terms_pdfs set scanned_at = now(), infection = 'Eicar'`.execute(db)
  const infected = [faulty('Malware was found in PDFs of terms that are drafted or in force')]
  expect(await warnings('scanner')).toEqual(infected)
  await sql`update workspaces set terms_id = null where id = ${workspace_id}`.execute(db)
  expect(await warnings('scanner')).toEqual([])
})

test('backups are told where they are recorded: none, recent, old or failed', async () => {
  const { db } = service.services
  const told = async () =>
    (await examine(service.config))
      .filter(({ check }) => check === 'backup')
      .map(({ state, message }) => [state, message])
  const note = (daysAgo: number, failure: string | null = null) => {
    const begun_at = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
    const facts = {
      begun_at,
      ended_at: begun_at,
      target: '/backups',
      database_bytes: 1,
      files: 1,
      bytes: 1,
      new_bytes: 1,
    }
    return recordBackup(db, { ...facts, damaged: 0, failure })
  }
  expect(await told()).toEqual([['ok', 'No backup by npm run backup is recorded.']])
  await note(20, 'The disk is full.')
  const [failed, old] = [
    ['warning', 'The newest backup failed: The disk is full.'],
    ['warning', 'No backup that succeeded is younger than 8 days.'],
  ]
  expect(await told()).toEqual([failed, old])
  await note(9)
  expect(await told()).toEqual([old])
  await note(7.5)
  expect(await told()).toEqual([['ok', 'The newest backup is younger than 8 days.']])
  await note(0, 'The disk is full.')
  expect(await told()).toEqual([failed, ['ok', 'The newest backup is younger than 8 days.']])
})

test('a database of a newer release, and one that is away, are errors', async () => {
  await sql`insert into migrations (name) values ('9999_future.sql')`.execute(service.services.db)
  expect(await errors()).toMatchObject([
    { check: 'database', message: 'The schema is newer than this release: it has 9999_future.sql.' },
  ])
  const away = await errors({ databaseUrl: 'postgresql://nobody@127.0.0.1:1/none' })
  expect(away).toMatchObject([{ check: 'database', advice: expect.stringContaining('DATABASE_URL') as string }])
})

test('a clock that is wrong is a warning', async () => {
  const findings = await examine(service.config, () => new Date(Date.now() - 60_000))
  expect(findings).toContainEqual(
    expect.objectContaining({ state: 'warning', message: expect.stringMatching(/(59|60|61) seconds ahead/) as string }),
  )
})

test('a scanner and a mail server that are no such things are errors', async () => {
  const server = createServer((socket) => socket.end('220-not what you think\r\n')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const found = await errors({ clamdUrl: `tcp://127.0.0.1:${port}`, smtpUrl: `smtp://127.0.0.1:${port}` })
  server.close()
  expect(found.map(({ check }) => check)).toEqual(['mail', 'scanner'])
})
