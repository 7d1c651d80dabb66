import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrateToBefore } from '../testing/database/migrate-to-before.ts'
import { databaseNamed, runAsAdmin } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

test('the upgrade takes the user who deleted an item from the record and makes folder names searchable', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 1)
  try {
    await migrateToBefore(db, '0017')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into users (organization_id, id, email, token_hash, token_sealed)
        values (1, 1, 'a@example.com', '\\x01', ''), (1, 2, 'b@example.com', '\\x02', '');
        insert into teams (organization_id, id, name, team_owner_id) values (1, 1, 'T', 1);
        insert into workspaces (organization_id, id, team_id, name) values (1, 1, 1, 'W');
        insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id, deleted_at, deletion_id)
        values (1, 0, null, '', 1, '{0}', 1, null, null), (1, 1, 0, 'Käufer, 2025', 1, '{0,1}', 1, null, null),
          (1, 2, 0, 'Old', 2, '{0,2}', 1, now(), gen_random_uuid()), (1, 3, 0, 'Lost', 3, '{0,3}', 1, now(), gen_random_uuid());
        insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
        values (1, 1, 'A', 'deleted', '', 'Folder', 2, now() - interval '2 days'), (1, 2, 'B', 'deleted', '', 'Folder', 2, now()),
          (1, 1, 'A', 'deleted', '', 'Asset', 3, now()), (1, 1, 'A', 'deleted', '', 'Folder', 1, now() - interval '1 day')`,
      )
      .execute(db)
    await migrate(databaseNamed(databaseUrl, name))

    const folders = await db.selectFrom('folders').select(['id', 'name_words', 'deleted_by_id']).orderBy('id').execute()
    expect(folders.map((each) => [each.name_words, each.deleted_by_id])).toEqual([
      ['', null],
      ['kaufer 2025', null],
      ['old', 2],
      ['lost', null],
    ])
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})
