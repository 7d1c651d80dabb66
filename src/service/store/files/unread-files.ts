import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Group, Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { viewable } from '../../access/grants.ts'
import { kindOf } from './file-types.ts'

type UnreadFile = Reply<Api['activities']['unread']>['files'][number]

interface Unread {
  members: number
  viewable: number
  total_items: number
  files: UnreadFile[]
}

/**
 * Lists the files that the group can view and that no member has viewed, opened or downloaded, newest first.
 * @param asGroup the workspace as the group enters it (`viewAs`)
 */
export async function listUnreadFiles(
  db: Db,
  { id: groupId }: Group,
  asGroup: Workspace,
  { page, per_page }: { page: number; per_page: number },
): Promise<Unread> {
  const { id } = asGroup
  const { rows } = await sql<Unread>`
    with member as (
      select user_id from group_memberships where workspace_id = ${id} and group_id = ${groupId}
    ), touched as materialized (
      select distinct a.subject_id from member m
      join activities a on a.workspace_id = ${id} and a.user_id = m.user_id
      where a.subject_type = 'Asset' and a.verb in ('viewed', 'opened', 'downloaded')
    ), folder as materialized (
      select d.id, d.id_path from folders d
      where d.workspace_id = ${id} and d.deleted_at is null and ${viewable(asGroup, sql`d.id_path`)}
    ), file as materialized (
      select f.id, f.folder_id, f.title, f.file_content_type, f.created_at, f.updated_at, t.subject_id is null as unread, d.id_path
      from folder d
      join files f on f.workspace_id = ${id} and f.folder_id = d.id and f.deleted_at is null
      left join touched t on t.subject_id = f.id
    )
    select (select count(*)::int from member) as members, (select count(*)::int from file) as viewable,
      (select count(*)::int from file where unread) as total_items,
      coalesce((
        select jsonb_agg(jsonb_build_object('file_id', p.id, 'folder_id', p.folder_id, 'title', p.title,
          'kind', ${kindOf(sql`p.file_content_type`)}, 'created_at', ${iso(sql`p.created_at`)}, 'updated_at', ${iso(sql`p.updated_at`)}, 'path', (
            select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '')
            from folders a where a.workspace_id = ${id} and a.id = any(p.id_path) and a.id <> 0))
          order by p.created_at desc, p.id desc)
        from (select * from file where unread order by created_at desc, id desc
          limit ${per_page} offset ${(page - 1) * per_page}) p
      ), '[]') as files`.execute(db)
  return rows[0] ?? { members: 0, viewable: 0, total_items: 0, files: [] }
}

const iso = (time: ReturnType<typeof sql>) => sql`to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
