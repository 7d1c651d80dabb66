import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import { REACH_MS } from '../../../contract/endpoints/deal/engagement.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, ReadableFile } from '../../access/scopes.ts'
import { hasRight } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { actsOf, during, isoTime, members, nameOfUser, type Period } from './engaged.ts'

type FileEngagement = Omit<Reply<Api['engagement']['file']>, keyof Period>

const MOST_PEOPLE = 200

/** How long each page of a version was read by each group and person. @throws ApiError 404 without such a version */
export async function readFileEngagement(
  db: Db,
  workspace: AdministeredWorkspace,
  { id: fileId, folder }: ReadableFile,
  period: Period,
  version: number | undefined,
): Promise<FileEngagement> {
  const { id, organization_id } = workspace
  const access = hasRight({ workspaceId: id, groupId: sql`g.id`, flag: 'view', idPath: folder.id_path })
  const { rows } = await sql<FileEngagement>`
    with ${members(workspace)}, ${actsOf(workspace, period, sql`and subject_id = ${fileId}`)}, paper as materialized (
      select f.id as file_id, v.version, coalesce(cardinality(d.page_widths), 0) as pages
      from files f join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id
        and v.version = coalesce(${version ?? null}::int, f.version)
      left join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
      where f.workspace_id = ${id} and f.id = ${fileId}
    ), page_time as materialized (
      select t.user_id, t.page, sum(t.ms) as ms from reading_times t
      where t.workspace_id = ${id} and t.file_id = ${fileId} and t.version = (select version from paper)
        and t.day ${during(period)}
      group by t.user_id, t.page
    ), reader as materialized (
      select user_id, sum(ms)::float8 as ms, count(*)::int as pages, max(page) filter (where ms >= ${REACH_MS}::int) as last_page
      from page_time group by user_id
    ), size as materialized (
      select m.group_id, count(*)::int as readers from reader r join member m on m.user_id = r.user_id group by m.group_id
    ), person as materialized (
      select user_id, coalesce(r.ms, 0) as ms, coalesce(r.pages, 0) as pages, r.last_page, coalesce(a.views, 0) as views,
        coalesce(a.downloads, 0) as downloads, a.first_at, a.last_at
      from reader r full join act a using (user_id)
      order by coalesce(r.ms, 0) desc, user_id limit ${MOST_PEOPLE}
    ), total as materialized (
      select group_id, sum(ms) as ms, json_agg(json_build_object('page_number', page, 'ms', ms) order by page) as page_times
      from (
        select m.group_id, t.page, sum(t.ms)::float8 as ms from page_time t join member m on m.user_id = t.user_id
        group by m.group_id, t.page
      ) x group by group_id
    ), stop as materialized (
      select group_id, json_agg(json_build_object('page_number', last_page, 'readers', readers) order by last_page) as stops
      from (
        select m.group_id, r.last_page, count(*) as readers from reader r join member m on m.user_id = r.user_id
        where r.last_page is not null group by m.group_id, r.last_page
      ) x group by group_id
    )
    select p.file_id, p.version, p.pages, (select coalesce(sum(ms), 0) from reader) as ms,
      (select count(*)::int from reader) as readers, coalesce((
      select json_agg(json_build_object('group_id', g.id, 'name', g.name, 'access', ${access}, 'ms', coalesce(t.ms, 0),
        'readers', coalesce(z.readers, 0), 'page_times', coalesce(t.page_times, '[]'), 'stops', coalesce(s.stops, '[]'))
        order by g.id)
      from groups g left join size z on z.group_id = g.id left join total t on t.group_id = g.id left join stop s on s.group_id = g.id
      where g.workspace_id = ${id} and g.kind = 'custom' and not g.is_draft
    ), '[]') as groups, coalesce((
      select json_agg(json_build_object('user_id', w.user_id, 'user_name', ${nameOfUser}, 'group_ids', array(
          select m.group_id from member m where m.user_id = w.user_id order by m.group_id), 'ms', w.ms, 'pages', w.pages,
        'last_page', w.last_page, 'views', w.views, 'downloads', w.downloads,
        'first_at', ${isoTime(sql`w.first_at`)}, 'last_at', ${isoTime(sql`w.last_at`)}) order by w.ms desc, w.user_id)
      from person w join users u on u.organization_id = ${organization_id} and u.id = w.user_id
    ), '[]') as people
    from paper p`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}
