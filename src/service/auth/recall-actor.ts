import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import type { Actor } from './actor.ts'

type Circumstances = Pick<Actor, 'ip' | 'now'>
type Known = Pick<Actor, 'id' | 'organization_id'>

/** A user who is known from an expiring URL that the service made, not from a signature. */
export async function recallActor(
  db: Db,
  { id, organization_id }: Known,
  at: Circumstances,
): Promise<Actor | undefined> {
  const { rows } = await sql<Omit<Actor, keyof Circumstances | 'request_id' | 'omit_user_tokens' | 'personal_key'>>`
    select organization_id, id, email, first_name, last_name, status,
      organization_admin_since is not null as organization_admin
    from users where organization_id = ${organization_id} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0] && { ...rows[0], ...at, request_id: null, omit_user_tokens: true, personal_key: undefined }
}
