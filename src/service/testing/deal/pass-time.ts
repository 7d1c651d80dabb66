import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Lets time pass for all that news are made of, by moving what is stored into the past. */
export async function passTime(db: Db, minutes: number): Promise<void> {
  const span = sql`make_interval(mins => ${Math.round(minutes)}::int)`
  await sql`update activities set created_at = created_at - ${span}`.execute(db)
  await sql`update workspace_memberships set mailed_until = mailed_until - ${span}, joined_at = joined_at - ${span},
    mail_retry_at = mail_retry_at - ${span}, questions_from = questions_from - ${span}`.execute(db)
  await sql`update question_views set viewed_at = viewed_at - ${span}`.execute(db)
  await sql`update questions set asked_at = asked_at - ${span}, answered_at = answered_at - ${span},
    told_all_at = told_all_at - ${span}, assigned_at = assigned_at - ${span}, approver_at = approver_at - ${span}`.execute(
    db,
  )
  await sql`update question_receivers set told_at = told_at - ${span}`.execute(db)
  await sql`update question_entries set created_at = created_at - ${span}`.execute(db)
  await sql`update question_passes set asked_at = asked_at - ${span}, replied_at = replied_at - ${span}`.execute(db)
}
