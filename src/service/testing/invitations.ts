import { sql } from 'kysely'
import type { JobPayloads } from '../jobs/queue.ts'
import type { TestService } from './start-service.ts'

/** Mails to an address that are queued and not yet sent, oldest first. */
export async function invitationsTo({ services }: TestService, email: string): Promise<JobPayloads['mail'][]> {
  const { rows } = await sql<{ payload: JobPayloads['mail'] }>`
    select payload from jobs where kind = 'mail' and payload ->> 'to' = ${email} order by id`.execute(services.db)
  return rows.map((row) => row.payload)
}
