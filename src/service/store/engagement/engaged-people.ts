import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { actsOf, isoTime, members, nameOfUser, type Period, readingOf } from './engaged.ts'

type EngagedPerson = Reply<Api['engagement']['people']>['people'][number]

interface Wanted {
  group_id?: number | undefined
  page: number
  per_page: number
}

/** The members of one group, or of all that are not built in, most reading first. */
export async function listEngagedPeople(
  db: Db,
  workspace: AdministeredWorkspace,
  period: Period,
  { group_id, page, per_page }: Wanted,
): Promise<{ total_items: number; people: EngagedPerson[] }> {
  const { rows } = await sql<{ total_items: number; people: EngagedPerson[] }>`
    with ${members(workspace)}, ${readingOf(workspace, period)}, ${actsOf(workspace, period)}, time as materialized (
      select user_id, sum(ms)::float8 as ms from reading group by user_id
    ), person as materialized (
      select m.user_id, array_agg(m.group_id order by m.group_id) as group_ids, coalesce(max(t.ms), 0) as ms
      from member m left join time t on t.user_id = m.user_id group by m.user_id
      having ${group_id ?? null}::int is null or bool_or(m.group_id = ${group_id ?? null}::int)
    ), doing as materialized (
      select user_id, sum(views)::int as views, sum(downloads)::int as downloads, min(first_at) as first_at,
        max(last_at) as last_at
      from act group by user_id
    ), listed as materialized (
      select * from person order by ms desc, user_id limit ${per_page} offset ${(page - 1) * per_page}
    )
    select (select count(*)::int from person) as total_items, coalesce((
      select json_agg(json_build_object('user_id', l.user_id, 'user_name', ${nameOfUser}, 'group_ids', l.group_ids,
        'ms', l.ms, 'views', coalesce(d.views, 0), 'downloads', coalesce(d.downloads, 0),
        'first_at', ${isoTime(sql`d.first_at`)}, 'last_at', ${isoTime(sql`d.last_at`)}) order by l.ms desc, l.user_id)
      from listed l cross join lateral (
        select u.* from users u where u.organization_id = ${workspace.organization_id} and u.id = l.user_id offset 0
      ) u
      left join doing d on d.user_id = l.user_id
    ), '[]') as people`.execute(db)
  return rows[0] ?? { total_items: 0, people: [] }
}
