import { type RawBuilder, sql } from 'kysely'
import { isUnsettled } from '../../access/experts.ts'
import type { Fragment } from '../../access/sql.ts'

/** The user whose turn it is with the question `q`: its approver once an answer was submitted, else its answerer. */
export const whoseTurn: RawBuilder<number | null> = sql`(
  case q.status when 'to_approve' then q.approver_id else q.assignee_id end)`

/** Whether a user is to answer the question `q` or, once an answer was submitted, to approve it. */
export const awaits = (userId: Fragment): RawBuilder<boolean> => sql`(${isUnsettled} and ${whoseTurn} = ${userId})`
