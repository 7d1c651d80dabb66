import { sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { passesTo } from '../../access/experts.ts'
import type { AdministeredWorkspace, Workspace } from '../../access/scopes.ts'
import { workspaceAdmins } from '../../access/sql.ts'
import { visibleQuestions } from '../../access/visible-questions.ts'
import { todayOf } from '../../auth/actor.ts'
import { unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { type Person, personOf } from './question-rows.ts'
import { routesOf, setRoutes } from './routes.ts'

export type QuestionSettings = Reply<Api['questions']['getSettings']>
/** What a group may ask until an admin says otherwise. */
const MOST = sql.lit(50)

type Sent = Input<Api['questions']['updateSettings']>['body']

export async function getQuestionSettings(db: Db, workspace: Workspace): Promise<QuestionSettings> {
  const { id, admin, group_ids, actor } = workspace
  const may = sql`exists (select from question_groups a where a.workspace_id = ${id} and a.may_ask
    and a.group_id = any(${group_ids}::int[]))`
  const some = admin
    ? sql`true`
    : sql`case when ${may} then true else exists (select from ${visibleQuestions(workspace)} q) end`
  const passed = sql`exists (select from ${passesTo(workspace, actor.id, todayOf(actor))} p)`
  const { rows } = await sql<QuestionSettings>`
    select ${passed} as passed, case when ${passed} then true else ${some} end as shown,
      coalesce((select categories from question_rooms where workspace_id = ${id} and ${some}), '{}') as categories,
      coalesce((select json_agg(json_build_object('group_id', g.id, 'name', g.name,
          'may_ask', coalesce(a.may_ask, false), 'most', coalesce(a.most, ${MOST}), 'days', a.days, 'used', ${used},
          'has_asked', coalesce(a.last_number, 0) > 0) order by g.id)
        from groups g left join question_groups a on a.workspace_id = g.workspace_id and a.group_id = g.id
        where g.workspace_id = ${id} and g.kind = 'custom'
          and (${admin} or (a.may_ask and g.id = any(${group_ids}::int[])))), '[]') as groups,
      ${admin ? adminsOf(workspace) : sql`'[]'::json`} as admins,
      ${admin ? routesOf(workspace) : sql`'[]'::json`} as routes`.execute(db)
  const settings = rows[0]
  if (!settings) throw new Error('a select without rows')
  return settings
}

/** As `requireLeft` counts them. */
const used = sql`(select count(*) from questions q where q.workspace_id = g.workspace_id and q.group_id = g.id
  and not q.imported and (a.days is null or q.asked_at > now() - a.days * interval '1 day'))`

const adminsOf = ({ id, organization_id }: Workspace) => sql<Person[]>`coalesce((
  select json_agg(person order by person ->> 'name', user_id) from (
    select a.user_id, ${personOf(organization_id, sql`a.user_id`)} as person from ${workspaceAdmins} a
    where a.workspace_id = ${id} group by a.user_id) admins
  where person is not null), '[]')`

/** @throws ApiError 422 for a group that is not one of those that admins have added, and for a route that cannot be */
export async function setQuestionSettings(db: Db, workspace: AdministeredWorkspace, sent: Sent): Promise<void> {
  // In the order in which a question is asked, so that neither waits for the other.
  if (sent.groups.length > 0) await setGroups(db, workspace, sent.groups)
  if (sent.categories !== undefined) await setCategories(db, workspace, sent.categories)
  if (sent.routes !== undefined) await setRoutes(db, workspace, sent.routes)
}

async function setCategories(db: Db, workspace: AdministeredWorkspace, sent: readonly string[]): Promise<void> {
  const categories = [...new Set(sent)]
  // A category of the same name later is another.
  await sql`
    with lost as (
      delete from question_routes where workspace_id = ${workspace.id} and category <> all(${categories}::text[])
    )
    insert into question_rooms (workspace_id, categories) values (${workspace.id}, ${categories}::text[])
    on conflict (workspace_id) do update set categories = excluded.categories`.execute(db)
}

async function setGroups(db: Db, { id }: AdministeredWorkspace, groups: Sent['groups']): Promise<void> {
  const ids = [...new Set(groups.map(({ group_id }) => group_id))]
  const { rows } = await sql<Required<Sent['groups'][number]>>`
    select g.id as group_id, coalesce(a.may_ask, false) as may_ask, coalesce(a.most, ${MOST}) as most, a.days from groups g
    left join question_groups a on a.workspace_id = g.workspace_id and a.group_id = g.id
    where g.workspace_id = ${id} and g.id = any(${ids}::int[]) and g.kind = 'custom' for no key update of g`.execute(db)
  if (rows.length < ids.length) throw unprocessable('groups', 'custom_group')
  const given = new Map(groups.map((group) => [group.group_id, group]))
  const values = rows.map((row) => ({ workspace_id: id, ...row, ...definedOf(given.get(row.group_id)) }))
  await db
    .insertInto('question_groups')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'group_id']).doUpdateSet((eb) => ({
        may_ask: eb.ref('excluded.may_ask'),
        most: eb.ref('excluded.most'),
        days: eb.ref('excluded.days'),
      })),
    )
    .execute()
}

const definedOf = (sent: Sent['groups'][number] | undefined) =>
  Object.fromEntries(Object.entries(sent ?? {}).filter(([, value]) => value !== undefined))
