import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { forgetEmailChanges } from './email-changes.ts'

/** Ends every way into an account except its user token: personal keys, sessions and a pending change of address. */
export async function withdrawCredentials(db: Db, organizationId: number, userId: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
  await forgetEmailChanges(db, organizationId, userId)
  await db.deleteFrom('sessions').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
}
