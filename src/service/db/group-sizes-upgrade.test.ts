import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrateToBefore } from '../testing/database/migrate-to-before.ts'
import { databaseNamed, runAsAdmin } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { type Db, openPool } from './pool.ts'

const TRIGGERS = '0096_group_sizes.sql'

const add = (db: Db, group: number, user: number) =>
  sql`insert into group_memberships (workspace_id, group_id, user_id) values (1, ${group}, ${user})`.execute(db)
const remove = (db: Db, group: number, user: number) =>
  sql`delete from group_memberships where workspace_id = 1 and group_id = ${group} and user_id = ${user}`.execute(db)

test('the upgrade counts the members of groups, also while members come and go', async () => {
  const databaseUrl = inject('databaseUrl')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name}`)
  const db = openPool(databaseNamed(databaseUrl, name), 3)
  try {
    await migrateToBefore(db, '0096')
    await sql
      .raw(
        `insert into organizations (id, name) values (1, 'O');
        insert into users (organization_id, id, email, token_hash, token_sealed)
        select 1, n, n || '@example.com', decode(md5(n::text), 'hex'), '' from generate_series(1, 5) n;
        insert into teams (organization_id, id, name, team_owner_id, creator_id) values (1, 1, 'T', 1, 1);
        insert into workspaces (organization_id, id, team_id, name) values (1, 1, 1, 'W');
        insert into workspace_memberships (workspace_id, user_id, organization_id) select 1, n, 1 from generate_series(1, 5) n;
        insert into groups (workspace_id, id, name) values (1, 1, 'Busy'), (1, 2, 'Calm'), (1, 3, 'Empty');
        insert into group_memberships (workspace_id, group_id, user_id) values (1, 1, 1), (1, 1, 2), (1, 2, 3)`,
      )
      .execute(db)
    const sizes = async () => {
      const { rows } = await sql<{ sizes: (number | null)[]; counted: number[] }>`
        select json_agg(members_count order by id) as sizes,
          json_agg(count_group_members(workspace_id, id) order by id) as counted from groups`.execute(db)
      return rows[0]
    }
    await sql.raw(await readFile(new URL(`migrations/${TRIGGERS}`, import.meta.url), 'utf8')).execute(db)
    await sql`insert into migrations (name) values (${TRIGGERS})`.execute(db)
    expect(await sizes()).toEqual({ sizes: [null, null, null], counted: [2, 1, 0] })

    let counting: Promise<unknown> | undefined
    await db.transaction().execute(async (tx) => {
      await add(tx, 1, 4)
      await remove(tx, 1, 1)
      await add(tx, 1, 5)
      counting = migrate(databaseNamed(databaseUrl, name))
      await untilWaiting(db)
    })
    await counting
    expect(await sizes()).toEqual({ sizes: [3, 1, 0], counted: [3, 1, 0] })

    await add(db, 3, 5)
    await sql`delete from group_memberships where user_id in (2, 4, 5)`.execute(db)
    await sql`delete from groups where id = 2`.execute(db)
    expect(await sizes()).toEqual({ sizes: [0, 0], counted: [0, 0] })
  } finally {
    await db.destroy()
    await runAsAdmin(databaseUrl, `drop database ${name} with (force)`)
  }
})

/** Waits until the migration waits for the row of the group. */
async function untilWaiting(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%update groups g set members_count%'`.execute(db)
    if (rows.length > 0) return
    await sleep(20)
  }
}
