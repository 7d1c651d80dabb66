import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, Workspace } from '../../access/scopes.ts'
import { type Fragment, isWorkspaceAdmin } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import { unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { personOf } from './question-rows.ts'

export type Routes = NonNullable<Input<Api['questions']['updateSettings']>['body']['routes']>
export type Route = Reply<Api['questions']['getSettings']>['routes'][number]

const ROLES = ['assignee_id', 'approver_id'] as const

/** A person of the route `r`, or null for one who may answer no questions any more. */
const stillAdmin = (role: (typeof ROLES)[number]) => {
  const person = sql.ref(`r.${role}`)
  return sql`case when ${isWorkspaceAdmin(sql`r.workspace_id`, person)} then ${person} end`
}

/** What a question of a category begins with: no row, or one `(assignee_id, approver_id, due_on)`. */
export const routeFor = ({ id, actor }: Workspace, category: Fragment): RawBuilder<unknown> => sql`(
  select ${stillAdmin('assignee_id')} as assignee_id, ${stillAdmin('approver_id')} as approver_id, ${todayOf(actor)}::date + r.days as due_on
  from question_routes r where r.workspace_id = ${id} and r.category = ${category})`

/** Adds to the trail of the questions of the part `added` that their category has assigned them. */
export const noteRoutes = ({ actor }: Workspace): RawBuilder<unknown> => sql`
  insert into question_entries (workspace_id, question_id, user_id, kind, text)
  select workspace_id, id, ${actor.id}, 'assigned', category from added
  where num_nonnulls(assignee_id, approver_id, due_on) > 0`

/** The routes of the categories that there are. */
export const routesOf = ({ id, organization_id }: Workspace): RawBuilder<Route[]> => sql`coalesce((
  select json_agg(json_build_object('category', r.category, 'assignee', ${personOf(organization_id, stillAdmin('assignee_id'))},
      'approver', ${personOf(organization_id, stillAdmin('approver_id'))}, 'days', r.days)
    order by array_position(room.categories, r.category))
  from question_rooms room join question_routes r on r.workspace_id = room.workspace_id and r.category = any(room.categories)
  where room.workspace_id = ${id}), '[]')`

/**
 * Replaces all routes; what one of them leaves out stays.
 * @throws ApiError 422 for an unknown category, one that is named twice, and people who are no admins
 */
export async function setRoutes(db: Db, { id }: AdministeredWorkspace, routes: Routes): Promise<void> {
  const people = routes.flatMap((route) => ROLES.map((role) => route[role] ?? null))
  // Those who set the categories lock the same row.
  const { rows: found } = await sql<{ categories: string[]; admins: number[] }>`
    with room as (select categories from question_rooms where workspace_id = ${id} for no key update)
    select coalesce((select categories from room), '{}') as categories,
      array(select named.id from unnest(${people}::int[]) as named (id)
        where ${isWorkspaceAdmin(id, sql`named.id`)}) as admins`.execute(db)
  const categories = new Set(found[0]?.categories)
  const admins = new Set(found[0]?.admins)
  for (const [at, route] of routes.entries()) {
    if (!categories.delete(route.category)) throw unprocessable(`routes.${at}.category`, 'known_category')
    for (const role of ROLES) {
      const person = route[role] ?? null
      if (person !== null && !admins.has(person)) throw unprocessable(`routes.${at}.${role}`, 'workspace_admin')
    }
  }
  await sql`
    with kept as (
      insert into question_routes (workspace_id, category, assignee_id, approver_id, days)
      select ${id}, sent.route ->> 'category', ${sentOrStored('assignee_id')}, ${sentOrStored('approver_id')}, ${sentOrStored('days')}
      from jsonb_array_elements(${JSON.stringify(routes)}::jsonb) as sent (route)
      left join question_routes r on r.workspace_id = ${id} and r.category = sent.route ->> 'category'
      on conflict (workspace_id, category) do update set assignee_id = excluded.assignee_id,
        approver_id = excluded.approver_id, days = excluded.days
    )
    delete from question_routes where workspace_id = ${id} and category <> all(${routes.map(({ category }) => category)}::text[])`.execute(
    db,
  )
}

const sentOrStored = (field: (typeof ROLES)[number] | 'days') =>
  sql`case when sent.route ? ${sql.lit(field)} then (sent.route ->> ${sql.lit(field)})::int else ${sql.ref(`r.${field}`)} end`
