import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { rightsOf } from '../access/sql.ts'
import { migrateToBefore } from '../testing/database/migrate-to-before.ts'
import { databaseNamed, runAsAdmin } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { type Db, openPool } from './pool.ts'

const FOLDERS = [0, 1, 2, 3, 4]

/** The effective rights of each group on each folder. */
async function effectiveRights(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select f.id || ' ' || g.id || ' ' || r.view || ' ' || r.download || ' ' || r.upload as line
    from folders f cross join groups g cross join lateral ${rightsOf(1, sql<number[]>`array[g.id]`, sql`f.id_path`)} r
    where f.workspace_id = 1 and g.workspace_id = 1 order by f.id, g.id`.execute(db)
  return rows.map(({ line }) => line)
}

test('C12: an upgrade from the first schema keeps every effective right', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 1)
  try {
    await migrateToBefore(db, '0002')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into users (organization_id, id, email, token_hash, token_sealed) values (1, 1, 'a@example.com', '\\x01', '');
        insert into teams (organization_id, id, name, team_owner_id) values (1, 1, 'T', 1);
        insert into workspaces (organization_id, id, team_id, name) values (1, 1, 1, 'W');
        insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
        values (1, 0, null, '', 1, '{0}', 1), (1, 1, 0, 'A', 1, '{0,1}', 1), (1, 2, 1, 'B', 1, '{0,1,2}', 1),
          (1, 3, 2, 'C', 1, '{0,1,2,3}', 1), (1, 4, 0, 'D', 2, '{0,4}', 1);
        insert into groups (workspace_id, id, name) values (1, 1, 'G'), (1, 2, 'H');
        insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
        values (1, 1, 'view', 1, '{0,1}', true), (1, 1, 'download', 1, '{0,1}', true), (1, 1, 'view', 2, '{0,1,2}', false),
          (1, 1, 'download', 2, '{0,1,2}', false), (1, 1, 'view', 3, '{0,1,2,3}', true), (1, 2, 'view', 0, '{0}', true),
          (1, 2, 'upload', 4, '{0,4}', true)`,
      )
      .execute(db)
    const before = await effectiveRights(db)
    expect(before).toHaveLength(FOLDERS.length * 2)
    expect(before).toEqual(
      expect.arrayContaining([
        '1 1 true true false',
        '2 1 false false false',
        '3 1 true false false',
        '4 2 true false true',
      ]),
    )
    await migrate(databaseNamed(databaseUrl, name))
    expect(await effectiveRights(db)).toEqual(before)
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})
