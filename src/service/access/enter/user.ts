import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { notFound } from '../../base/errors.ts'
import type { Workspace } from '../scopes.ts'
import { type Fragment, isKnownTo } from '../sql.ts'
import { take } from './known.ts'

export interface NamedUser {
  id: number
  email: string
  first_name: string
  last_name: string
}

interface Caller<Value> {
  organizationId: Value
  callerId: Value
  organizationAdmin: Value
}

/** A user whom the caller knows. Gives one row or none, for a lateral join. */
export const userFor = (caller: Caller<Fragment>, userId: Fragment): Fragment => sql`(
  select other.id, other.email, other.first_name, other.last_name from users other
  where other.organization_id = ${caller.organizationId} and other.id = ${userId} and other.deleted_at is null
    and ${isKnownTo('other', caller.callerId, caller.organizationAdmin)})`

const userRows = statement<Record<'organizationId' | 'callerId' | 'userId', number> & { admin: boolean }, NamedUser>(
  ({ userId, organizationId, callerId, admin }) => sql`
    select known.* from ${userFor({ organizationId, callerId, organizationAdmin: sql`${admin}::boolean` }, userId)} known`,
)

/** Returns a user whom the caller knows, without a lock. @throws ApiError 404 for strangers too */
export async function nameUser(db: Db, workspace: Workspace, userId: number): Promise<NamedUser> {
  const { organization_id: organizationId, actor } = workspace
  const known = take<NamedUser>(workspace, 'user', userId)
  const caller = { organizationId, callerId: actor.id, admin: actor.organization_admin }
  const user = known ? known.row : (await userRows(db, { ...caller, userId }))[0]
  if (!user) throw notFound()
  return user
}
