import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Group, Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { viewedRanges } from '../../access/sql.ts'
import { numberedPathForAdmins } from '../folders/outlines.ts'
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
 * @param asGroup the workspace as the group enters it (`viewAs`): in this group alone, or in none
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
    ), file as materialized (
      select f.id, f.created_at, t.subject_id is null as unread
      from ${viewableFolders(asGroup)} d cross join lateral (
        select * from files f where f.workspace_id = ${id} and f.folder_id = d.id and f.deleted_at is null offset 0
      ) f left join touched t on t.subject_id = f.id
    )
    select (select count(*)::int from member) as members, (select count(*)::int from file) as viewable,
      (select count(*)::int from file where unread) as total_items,
      coalesce((
        select jsonb_agg(jsonb_build_object('file_id', p.id, 'folder_id', p.folder_id, 'title', p.title,
          'kind', ${kindOf(sql`p.file_content_type`)}, 'created_at', ${iso(sql`p.created_at`)}, 'updated_at', ${iso(sql`p.updated_at`)}, 'path', (
            select '/' || coalesce(string_agg(a.name, '/' order by step.depth), '')
            from unnest(p.id_path) with ordinality step (id, depth) cross join lateral (
              select name from folders a where a.workspace_id = ${id} and a.id = step.id offset 0
            ) a where step.id <> 0), 'numbered_path', ${numberedPathForAdmins(id, sql`p.id_path`)})
          order by p.created_at desc, p.id desc)
        from (
          select f.*, d.id_path
          from (select id from file where unread order by created_at desc, id desc
            limit ${per_page} offset ${(page - 1) * per_page}) newest
          cross join lateral (select * from files f where f.workspace_id = ${id} and f.id = newest.id offset 0) f
          cross join lateral (select id_path from folders d where d.workspace_id = ${id} and d.id = f.folder_id offset 0) d
        ) p
      ), '[]') as files`.execute(db)
  return rows[0] ?? { members: 0, viewable: 0, total_items: 0, files: [] }
}

function viewableFolders({ id, admin, group_ids }: Workspace) {
  if (admin) return sql`(select id from folders where workspace_id = ${id} and deleted_at is null)`
  return sql`(
    select d.id from ${viewedRanges(id, group_ids[0] ?? null)} range cross join lateral (
      select id from folders d where d.workspace_id = ${id} and d.deleted_at is null
        and d.id_path >= range.first and d.id_path < range.beyond order by d.id_path
    ) d)`
}

const iso = (time: ReturnType<typeof sql>) => sql`to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
