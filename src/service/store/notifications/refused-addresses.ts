import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Members of a workspace whose mail server took a mail, or refused it for good. */
export interface Outcomes {
  taken: readonly number[]
  refused: readonly number[]
}

export async function noteOutcomes(db: Db, workspaceId: number, { taken, refused }: Outcomes, at: Date): Promise<void> {
  if (taken.length + refused.length === 0) return
  await sql`
    update users u set mail_refused_at = case when told.refused then ${at.toISOString()}::timestamptz end
    from workspaces w cross join (
      select unnest(${refused}::int[]) as id, true as refused union all select unnest(${taken}::int[]), false
    ) told
    where w.id = ${workspaceId} and u.organization_id = w.organization_id and u.id = told.id
      and (told.refused or u.mail_refused_at is not null)`.execute(db)
}
