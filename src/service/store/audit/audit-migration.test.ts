import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { canonical, GENESIS, hashOf, statementOf } from '../../audit/chain.ts'
import { createSigner } from '../../audit/signer.ts'
import { verifyTrail } from '../../audit/verify.ts'
import { migrate } from '../../db/migrate.ts'
import { type Db, openPool } from '../../db/pool.ts'
import { openVault } from '../../base/secrets.ts'
import { databaseNamed, runAsAdmin } from '../../testing/database/postgres.ts'
import { exportTrail } from './audit-export.ts'

// A trail from before organizations had a trail and before personal data was sealed.

const MIGRATION = '0009_organization_audit.sql'
const FOLDER = new URL('../../db/migrations/', import.meta.url)
const name = `test_${randomBytes(6).toString('hex')}`
const vault = openVault('ab'.repeat(32))
const signer = createSigner(vault.keyFor('audit trail'))
const signed_at = '2026-11-01T08:00:00.000Z'
const workspace_id = 5

let db: Db
beforeAll(async () => {
  await runAsAdmin(inject('databaseUrl'), `create database ${name}`)
  db = openPool(databaseNamed(inject('databaseUrl'), name), 2)
  await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(db)
  const names = (await readdir(FOLDER)).filter((each) => each.endsWith('.sql') && each < MIGRATION).toSorted()
  for (const each of names) {
    await sql.raw(await readFile(new URL(each, FOLDER), 'utf8')).execute(db)
    await sql`insert into migrations (name) values (${each})`.execute(db)
  }
  await sql`insert into organizations (id, name) values (1, 'Old')`.execute(db)
  await sql`insert into teams (organization_id, id, name, team_owner_id) values (1, 1, 'Old', 7)`.execute(db)
  await sql`insert into workspaces (id, organization_id, team_id, name) values (${workspace_id}, 1, 1, 'Old')`.execute(
    db,
  )
})
afterAll(async () => {
  await db.destroy()
  await runAsAdmin(inject('databaseUrl'), `drop database ${name} with (force)`)
})

const entryOf = (message: string) => ({
  user_id: 7,
  user_name: 'Zoë',
  user_email: 'zoe@example.com',
  personal_key_id: null,
  ip: '192.0.2.1',
  request_id: null,
  verb: 'viewed',
  message,
  subject_type: null,
  subject_id: null,
  changes: null,
  refusal: null,
})

/** Writes two records and their checkpoint in the old form. @returns the export of that time */
async function writeOldTrail(): Promise<string[]> {
  const lines: object[] = [{ type: 'trail', format: 'strongroom-audit/1', workspace_id, public_key: signer.publicKey }]
  let hash = GENESIS
  for (const seq of [1, 2]) {
    const entry = { ...entryOf(`did ${seq}`), at: signed_at }
    hash = hashOf({ workspace_id, seq, previous: hash, entry })
    lines.push({ type: 'record', seq, hash, entry })
    await sql`insert into audit_records values (${workspace_id}, ${seq}, ${canonical(entry)}, ${hash})`.execute(db)
  }
  const mark = { workspace_id, seq: 2, hash, signed_at }
  const signature = signer.sign(statementOf('checkpoint', mark))
  await sql`insert into audit_checkpoints values (${workspace_id}, 2, ${hash}, ${signed_at}, ${signature})`.execute(db)
  const head = { seq: 2, hash, signed_at }
  lines.push({ type: 'checkpoint', ...head, signature })
  lines.push({ type: 'head', ...head, signature: signer.sign(statementOf('head', mark)) })
  return lines.map(canonical)
}

it('continues and verifies after the migration, including entries that still waited', async () => {
  const before = await writeOldTrail()
  const earlier = await verifyTrail(before)
  const waiting = JSON.stringify(entryOf('waited'))
  await sql`insert into audit_inbox (workspace_id, entry) values (${workspace_id}, ${waiting}), (0, ${waiting})`.execute(
    db,
  )

  await migrate(databaseNamed(inject('databaseUrl'), name))
  await sql`insert into audit_inbox (workspace_id, entry) values
    (${workspace_id}, ${JSON.stringify({ ...entryOf('new'), personal: [{ of: 7, erased: { user_name: 'erased' } }] })})`.execute(
    db,
  )

  const workspace = { id: workspace_id, organization_id: 1 } as unknown as AdministeredWorkspace
  const lines: string[] = []
  const now = () => new Date()
  for await (const line of await exportTrail(db, workspace, { signer, vault }, now)) lines.push(JSON.stringify(line))

  expect(await verifyTrail(lines, earlier)).toMatchObject({ head: { workspace_id, seq: 4 } })
  expect(lines.slice(1, 4)).toEqual(before.slice(1, 4))
  expect(lines.map((line) => line.includes('"personal":'))).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
    false,
    false,
  ])
  expect(lines[4]).toContain('"message":"waited"')
})
