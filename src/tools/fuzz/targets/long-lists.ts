import fc from 'fast-check'
import { sql } from 'kysely'
import { api } from '../../../contract/index.ts'
import { urlOf } from '../../../contract/url.ts'
import { openPool } from '../../../service/db/pool.ts'
import { askProxy, askService, statusOf } from '../send.ts'
import type { Stand } from '../stand.ts'
import { target } from '../target.ts'

/** Folders of the room, and members. */
const LENGTH = 5000

let filled: Promise<unknown> | undefined

/** Fills the room of the stand with many folders and members. */
async function fill({ databaseUrl, workspaceId, groupId }: Stand): Promise<void> {
  const db = openPool(databaseUrl, 1)
  const { rows } = await sql<{
    id: number
  }>`select organization_id as id from workspaces where id = ${workspaceId}`.execute(db)
  const organization = rows[0]?.id
  await sql`
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select ${workspaceId}, 1000000 + n, 0, 'Folder ' || n, 1000 + n, array[0, 1000000 + n], 1
    from generate_series(1, ${LENGTH}) n`.execute(db)
  await sql`
    insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select workspace_id, ${groupId}, 'view', id, id_path, true from folders
    where workspace_id = ${workspaceId} and id % 3 = 0 and id > 1000000`.execute(db)
  await sql`
    with person as (
      insert into users (organization_id, id, email, first_name, last_name, token_hash, token_sealed, status)
      select ${organization}, 1000000 + n, 'person' || n || '@example.com', 'Person', 'Number ' || n,
        sha256(n::text::bytea), '\\x00', 'active' from generate_series(1, ${LENGTH}) n returning id
    ), member as (
      insert into workspace_memberships (workspace_id, user_id, organization_id) select ${workspaceId}, id, ${organization}
      from person returning user_id
    )
    select from member`.execute(db)
  await sql`
    insert into group_memberships (workspace_id, group_id, user_id)
    select workspace_id, ${groupId}, user_id from workspace_memberships
    where workspace_id = ${workspaceId} and user_id > 1000000`.execute(db)
  await db.destroy()
}

const LISTS = {
  folder: ({ workspaceId }: Stand) => urlOf(api.workspaces.home, { params: { id: workspaceId } }),
  members: ({ workspaceId }: Stand) => urlOf(api.workspaces.listMembers, { params: { id: workspaceId } }),
  rights: ({ workspaceId, groupId }: Stand) => {
    return urlOf(api.permissions.list, { params: { id: 0 }, query: { workspace_id: workspaceId, group_id: groupId } })
  },
  people: ({ workspaceId }: Stand) => {
    return urlOf(api.permissions.listPeople, { params: { id: 1000002 }, query: { workspace_id: workspaceId } })
  },
  sheet: ({ workspaceId, groupId }: Stand) => {
    const query = { workspace_id: workspaceId, group_ids: [groupId], below: 0 }
    return urlOf(api.permissions.sheet, { query })
  },
}

export default [
  target({
    name: 'long lists',
    input: fc.record({
      lists: fc.array(fc.constantFrom(...(Object.keys(LISTS) as (keyof typeof LISTS)[])), {
        minLength: 1,
        maxLength: 6,
      }),
      throughProxy: fc.boolean(),
    }),
    shortRun: 6,
    attempt: async ({ lists, throughProxy }, stand) => {
      const it = await stand()
      await (filled ??= fill(it))
      const ask = throughProxy ? askProxy : askService
      // At the same time: the turns of several long replies must not add up.
      const answers = await Promise.all(lists.map((name) => ask(it, { method: 'GET', target: LISTS[name](it) })))
      for (const answer of answers) if (statusOf(answer) !== 200) throw new Error(`answered: ${answer.slice(0, 500)}`)
    },
  }),
]
