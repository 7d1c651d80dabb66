import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { isKnownTo } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

type Wanted = Input<Api['draftGroups']['listWaiting']>['query']
type WaitingPerson = Reply<Api['draftGroups']['listWaiting']>['people'][number]

/**
 * A page of the people who wait in draft groups and are not in the workspace, in the order in which they were added. Strangers to
 * the caller have no name, and are not found by one.
 */
export async function listWaitingPeople(
  db: Db,
  { id, organization_id, actor }: AdministeredWorkspace,
  { q = '', page, per_page }: Wanted,
): Promise<{ total_items: number; people: WaitingPerson[] }> {
  const text = q.trim()
  const isKnown = isKnownTo('u', actor.id, sql`${actor.organization_admin}::boolean`)
  const shown = (name: string) => sql`case when l.known then u.${sql.id(name)} else '' end`
  const contains = (value: RawBuilder<unknown>) => sql`strpos(${lower(value)}, ${lower(sql`${text}`)}) > 0`
  const groups = sql`groups g where g.workspace_id = ${id} and g.id = any(w.group_ids)`
  const matches = sql`(${contains(sql`u.email`)} or exists (select from ${groups} and ${contains(sql`g.name`)})
    or (${contains(sql`u.first_name || ' ' || u.last_name`)} and ${isKnown}))`
  const account = (row: string) => sql`(
    select u.* from users u where u.organization_id = ${organization_id} and u.id = ${sql.id(row)}.user_id offset 0)`
  const { rows } = await sql<{ total_items: number; people: WaitingPerson[] }>`
    with waiting as materialized (
      select m.user_id, min(m.id) as id, array_agg(m.group_id) as group_ids from draft_memberships m
      where m.workspace_id = ${id} and not exists (
        select from workspace_memberships here where here.workspace_id = m.workspace_id and here.user_id = m.user_id)
      group by m.user_id
    ), matching as materialized (
      select w.* from waiting w cross join lateral ${account('w')} u where ${text === '' ? sql`true` : matches}
    ), w as materialized (
      select * from matching order by id limit ${per_page} offset ${(page - 1) * per_page}
    )
    select (select count(*)::int from matching) as total_items, coalesce((
      select json_agg(json_build_object('user', json_build_object('id', u.id, 'first_name', ${shown('first_name')},
          'last_name', ${shown('last_name')}, 'email', u.email),
        'groups', (select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id desc) from ${groups})) order by w.id)
      from w cross join lateral ${account('w')} u cross join lateral (select ${isKnown} as known) l
    ), '[]') as people`.execute(db)
  return rows[0] ?? { total_items: 0, people: [] }
}

/** Lower case of every script, whatever the locale of the database. */
const lower = (text: RawBuilder<unknown>) => sql`lower((${text})::text collate "und-x-icu")`
