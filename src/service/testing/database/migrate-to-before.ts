import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

const FOLDER = new URL('../../db/migrations/', import.meta.url)

/** Creates the schema as it was before a migration, given by the beginning of its name: "0007". */
export async function migrateToBefore(db: Db, name: string): Promise<void> {
  await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(db)
  const earlier = (await readdir(FOLDER)).filter((each) => each < name).toSorted()
  for (const each of earlier) {
    const text = await readFile(new URL(each, FOLDER), 'utf8')
    const statements = text.startsWith('-- form: concurrent')
      ? text.split(/;\s*$/m).filter((one) => one.trim())
      : [text]
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql`insert into migrations (name) values (${each})`.execute(db)
  }
}
