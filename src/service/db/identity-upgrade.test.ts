import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrateToBefore } from '../testing/database/migrate-to-before.ts'
import { databaseNamed, runAsAdmin } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

test('K4: addresses that may have been taken without a proof do not count as proved after the upgrade', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 1)
  const changed = (userId: number) =>
    `{"user_id":${userId},"verb":"updated","message":"updated their account","changes":{"email":{"after":"x"}}}`
  try {
    await migrateToBefore(db, '0018')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into users (organization_id, id, email, status, updated_at, token_hash, token_sealed) values
          (1, 1, 'untouched@example.com', 'active', now() - interval '9 days', '\\x01', ''),
          (1, 2, 'taken@example.com', 'active', now() - interval '1 day', '\\x02', ''),
          (1, 3, 'back@example.com', 'active', now() - interval '5 days', '\\x03', ''),
          (1, 4, 'invited@example.com', 'invited', now() - interval '9 days', '\\x04', ''),
          (1, 5, 'taken-lately@example.com', 'active', now() - interval '1 hour', '\\x05', '');
        insert into sessions (organization_id, user_id, method, ip, created_at, last_seen_at) values
          (1, 2, 'code', '', now() - interval '3 days', now()), (1, 3, 'oidc', '', now() - interval '1 day', now()),
          (1, 5, 'demo', '', now(), now());
        insert into audit_records (workspace_id, organization_id, seq, entry, hash) values
          (0, 1, 1, '${changed(2)}', ''), (0, 1, 2, '${changed(3)}', '');
        insert into audit_inbox (workspace_id, organization_id, entry) values (0, 1, '${changed(5)}')`,
      )
      .execute(db)
    await migrate(databaseNamed(databaseUrl, name))
    const proved = await db
      .selectFrom('users')
      .select('id')
      .where('email_verified_at', 'is not', null)
      .orderBy('id')
      .execute()
    expect(proved.map(({ id }) => id)).toEqual([1, 3])
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})

test('a team keeps its creator through the upgrade, as far as the audit trail shows', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 1)
  const entry = (verb: string, subject: string, id: number, userId: number) =>
    JSON.stringify({ user_id: userId, verb, subject_type: subject, subject_id: id })
  try {
    await migrateToBefore(db, '0026')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into users (organization_id, id, email, token_hash, token_sealed) values
          (1, 1, 'a@example.com', '\\x01', ''), (1, 2, 'b@example.com', '\\x02', '');
        insert into teams (organization_id, id, name, team_owner_id) values (1, 1, 'T', 1), (1, 2, 'U', 1), (1, 3, 'V', 2);
        insert into audit_records (workspace_id, organization_id, seq, entry, hash) values
          (0, 1, 1, '${entry('created', 'Team', 1, 2)}', ''), (0, 1, 2, '${entry('created', 'Team', 1, 1)}', ''),
          (0, 1, 3, '${entry('updated', 'Team', 2, 2)}', ''), (0, 1, 4, '${entry('created', 'User', 3, 1)}', '')`,
      )
      .execute(db)
    await migrate(databaseNamed(databaseUrl, name))
    const teams = await db.selectFrom('teams').select(['id', 'creator_id']).orderBy('id').execute()
    expect(teams.map(({ creator_id }) => creator_id)).toEqual([2, 1, 2])
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})

test('K17: a pending sign-in code stays valid through the upgrade, and wrong attempts stay counted', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 1)
  try {
    await migrateToBefore(db, '0027')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into sign_in_codes (organization_id, email, code_sealed, expires_at, attempts, wrong, updated_at, browser_hash)
        values (1, 'live@example.com', '\\x01', now() + interval '5 minutes', 2, 7, now(), '\\x02'),
          (1, 'plain@example.com', '\\x03', now() + interval '5 minutes', 0, 0, now(), null),
          (1, 'late@example.com', '\\x04', now() - interval '5 minutes', 0, 1, now(), '\\x05'),
          (1, 'tried@example.com', '\\x06', now() + interval '5 minutes', 5, 5, now(), '\\x07'),
          (1, 'used@example.com', null, now() + interval '5 minutes', 1, 0, now(), '\\x08')`,
      )
      .execute(db)
    await migrate(databaseNamed(databaseUrl, name))
    const codes = await db.selectFrom('sign_in_codes').selectAll().orderBy('email').execute()
    expect(codes).toMatchObject([
      { email: 'live@example.com', browser_hash: Buffer.from([2]), code_sealed: Buffer.from([1]), attempts: 2 },
      { email: 'plain@example.com', browser_hash: Buffer.alloc(0), code_sealed: Buffer.from([3]), attempts: 0 },
    ])
    const addresses = await db.selectFrom('sign_in_addresses').select(['email', 'wrong']).orderBy('email').execute()
    expect(addresses.map(({ wrong }) => wrong)).toEqual([1, 7, 0, 5, 0])
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})
