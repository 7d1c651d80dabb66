import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, Organization } from '../../access/scopes.ts'
import { type Fragment, isActive, isInGroup } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { workspacesOf } from './workspaces.ts'

type Expiration = Reply<Api['users']['expirations']>['expirations'][number]

/** Days ahead. */
const SOON = 30

/** `(kind, date)` of what ends soon for the group `g`. */
const endsOf = (today: Fragment, days: number): Fragment => sql`(
  select * from (values ('access', g.expire_workspace_access_at),
    ('drm', case when g.drm_enabled then g.drm_expires_after end)) ends (kind, date)
  where ends.date between ${today} and ${today} + ${days}::int)`

/** Lists expirations of groups that have not ended yet. Only admins get those of groups other than their own. */
export async function listExpirations(db: Db, { id, actor }: Organization): Promise<Expiration[]> {
  const today = sql`${todayOf(actor)}::date`
  const { rows } = await sql<Expiration>`
    select w.id as workspace_id, w.name as workspace_name, g.id as group_id, g.name as group_name, e.kind,
      e.date::text as date
    from ${workspacesOf(actor)}
    join groups g on g.workspace_id = w.id and not g.is_draft and (mine.admin or ${isInGroup('g', actor.id)})
      and ${isActive('g', todayOf(actor))}
    cross join lateral ${endsOf(today, SOON)} e
    where w.organization_id = ${id} and not mine.terms_await
    order by e.date, w.name, g.name, w.id, g.id, e.kind`.execute(db)
  return rows
}

export type GroupEnd = Pick<Expiration, 'group_name' | 'kind' | 'date'>

/** The same for the groups of one workspace, within some days. */
export async function listEndsIn(db: Db, { id, actor }: AdministeredWorkspace, days: number): Promise<GroupEnd[]> {
  const { rows } = await sql<GroupEnd>`
    select g.name as group_name, e.kind, e.date::text as date
    from groups g cross join lateral ${endsOf(sql`${todayOf(actor)}::date`, days)} e
    where g.workspace_id = ${id} and not g.is_draft and ${isActive('g', todayOf(actor))} order by e.date, g.name, g.id, e.kind`.execute(
    db,
  )
  return rows
}
