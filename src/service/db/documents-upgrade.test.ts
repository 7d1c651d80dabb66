import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrateToBefore } from '../testing/database/migrate-to-before.ts'
import { databaseNamed, runAsAdmin } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

test('content uploaded before there were documents is processed after the upgrade', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 1)
  try {
    await migrateToBefore(db, '0007')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into users (organization_id, id, email, token_hash, token_sealed) values (1, 1, 'a@example.com', '', '');
        insert into teams (organization_id, id, name, team_owner_id) values (1, 1, 'T', 1);
        insert into workspaces (organization_id, id, team_id, name) values (1, 1, 1, 'W');
        insert into folders (workspace_id, id, name, index, id_path, last_updated_user_id) values (1, 0, '', 1, '{0}', 1);
        insert into files (workspace_id, id, folder_id, title, file_name, index, version, file_size, file_content_type,
          sha256, blob_id, viewer_status)
        values (1, 1, 0, 'plan.pdf', 'plan.pdf', 1, 2, 9, 'application/pdf', '\\x02', 'second', 'Pending'),
          (1, 2, 0, 'copy.pdf', 'copy.pdf', 2, 1, 9, 'application/pdf', '\\x02', 'second', 'Pending'),
          (1, 3, 0, 'data.bin', 'data.bin', 3, 1, 9, 'application/octet-stream', '\\x03', 'third', 'Unsupported');
        insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32, uploaded_by_id)
        values (1, 1, 1, 'first', 9, 'application/pdf', '\\x01', 0, 1), (1, 1, 2, 'second', 9, 'application/pdf', '\\x02', 0, 1),
          (1, 2, 1, 'second', 9, 'application/pdf', '\\x02', 0, 1), (1, 3, 1, 'third', 9, 'application/octet-stream', '\\x03', 0, 1)`,
      )
      .execute(db)
    await migrate(databaseNamed(databaseUrl, name))

    const documents = await db.selectFrom('documents').select(['blob_id', 'status']).orderBy('blob_id').execute()
    expect(documents).toEqual([
      { blob_id: 'first', status: 'Pending' },
      { blob_id: 'second', status: 'Pending' },
      { blob_id: 'third', status: 'Unsupported' },
    ])
    const { rows } = await sql<{ blob_id: string }>`
      select payload ->> 'blob_id' as blob_id from jobs where kind = 'ingest' and run_at > now() - interval '1 hour'
      order by run_at`.execute(db)
    expect(rows.map((row) => row.blob_id)).toEqual(['first', 'second', 'third'])
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})
