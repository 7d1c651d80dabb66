import pg from 'pg'
import type { Caller } from '../caller.ts'

export interface Places {
  workspace_id: number
  group_id: number
  /** Receives new folders and files. */
  into: number
  /** Has a thousand files. */
  full: number
  /** Has a thousand folders. */
  top: number
  /** Has a thousand folders, some of which have rights of their own, or folders with rights of their own. */
  wide: number
  /** Users who are in no group yet, each used once. */
  users: number[]
  /** Changes a file of the full folder, for no other reason than that its list is new. */
  touch(): Promise<unknown>
  close(): Promise<void>
}

export interface Work {
  name: string
  /** Operations of one round. */
  times: number
  run(caller: Caller, places: Places): Promise<unknown>
}

let serial = 0

export const works: Work[] = [
  { name: 'users/me', times: 400, run: ({ call }) => call('GET', '/users/me') },
  {
    name: 'create a folder',
    times: 200,
    run: ({ call }, { workspace_id, into }) =>
      call('POST', '/folders', { workspace_id, parent_id: into, name: `Folder ${serial++}` }),
  },
  {
    name: 'rename a folder',
    times: 200,
    run: ({ call }, { workspace_id, top }) =>
      call('PUT', `/folders/${top}`, { workspace_id, folder: { name: `Top ${serial++}` } }),
  },
  {
    name: 'set a right',
    times: 200,
    run: ({ call }, { workspace_id, group_id, top }) =>
      call('PUT', `/permissions/folders/${top}`, {
        workspace_id,
        group_id,
        verb: serial++ % 2 ? 'revoke' : 'grant',
        folder_action: 'view',
      }),
  },
  {
    name: 'add a member',
    times: 200,
    run: ({ call }, { workspace_id, group_id, users }) =>
      call('POST', `/groups/${group_id}/memberships`, { workspace_id, user_id: users.pop(), send_email: false }),
  },
  {
    name: 'upload 10 KiB',
    times: 100,
    run: ({ put }, { workspace_id, into }) =>
      put(
        `/files/upload?workspace_id=${workspace_id}&folder_id=${into}&file_name=${serial++}.txt`,
        TEN_KIB,
        TEN_KIB.length,
      ),
  },
  {
    name: 'newest 100 activities',
    times: 200,
    run: ({ call }, { workspace_id }) => call('GET', `/activities/workspace/${workspace_id}?per_page=100`),
  },
  {
    name: 'list 1,000 files',
    times: 50,
    run: async ({ call }, places) => {
      await places.touch()
      return call('GET', listOf(places))
    },
  },
  {
    name: 'list 1,000 files, again',
    times: 100,
    run: ({ call }, places) => call('GET', listOf(places)),
  },
  {
    name: 'list 1,000 files, unchanged (304)',
    times: 200,
    async run(caller, places) {
      const headers = { ...caller.signed(), 'if-none-match': etags.get(caller) ?? '' }
      etags.set(caller, (await caller.read(`/api/v1${listOf(places)}`, headers)).etag)
    },
  },
  {
    name: 'one level of the grid',
    times: 100,
    run: ({ call }, { workspace_id, group_id, wide }) =>
      call('GET', `/permissions/folders/${wide}?workspace_id=${workspace_id}&group_id=${group_id}`),
  },
]

const listOf = ({ workspace_id, full }: Places) => `/folders/${full}?workspace_id=${workspace_id}`
const etags = new WeakMap<Caller, string>()
const TEN_KIB = Buffer.alloc(10 * 1024, 'x')
const USERS = 10_000
const ACTIVITIES = 100_000

/** Creates a workspace through the service, and writes the many rows that only have to be there. */
export async function openPlaces({ call }: Caller, databaseUrl: string): Promise<Places> {
  const team = await call<{ id: number }>('POST', '/teams', { team: { name: 'Price' } })
  const made = await call<{ id: number }>('POST', '/workspaces', { workspace: { name: 'Price', team_id: team.id } })
  const workspace_id = made.id
  const make = async (name: string, parent_id = 0) =>
    (await call<{ id: number }>('POST', '/folders', { workspace_id, parent_id, name })).id
  const group = await call<{ id: number }>('POST', '/groups', { group: { name: 'Price', workspace_id } })
  const [into, full, top, wide] = [await make('Into'), await make('Full'), await make('Top'), await make('Wide')]
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
     select $1, $2, n || '.txt', n || '.txt', n, 1, 'text/plain', '\\x00', 'blob' || n from generate_series(1, 1000) n`,
    [workspace_id, full],
  )
  for (const parent of [top, wide]) {
    await client.query(
      `insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
       select $1, id, $2, 'Below ' || n, n, array[0, $2, id], 1
       from (select n, nextval(pg_get_serial_sequence('folders', 'id'))::int as id from generate_series(1, 1000) n) below`,
      [workspace_id, parent],
    )
  }
  await setRightsBelow(client, { workspace_id, wide, group_id: group.id })
  const { rows } = await client.query<{ id: number }>(
    `insert into users (organization_id, email, token_hash, token_sealed, status)
     select organization_id, 'person' || n || '@example.com', decode(md5(n::text), 'hex'), '', 'active'
     from generate_series(1, ${USERS}) n, (select organization_id from workspaces where id = $1) w returning id`,
    [workspace_id],
  )
  await client.query(
    `insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id, created_at)
     select $1, n % 50, 'Someone', 'file_viewed', '{"title": "Plan"}', 'viewed', 'viewed the file Plan', 'Asset', n,
       now() - make_interval(mins => 10 + n) from generate_series(1, ${ACTIVITIES}) n`,
    [workspace_id],
  )
  await client.query('vacuum analyze')
  return {
    workspace_id,
    group_id: group.id,
    into,
    full,
    top,
    wide,
    users: rows.map(({ id }) => id),
    touch: () =>
      client.query(`update files set pages = pages + 1 where workspace_id = $1 and folder_id = $2 and index = 500`, [
        workspace_id,
        full,
      ]),
    close: () => client.end(),
  }
}

/** Gives the group rights at every twentieth folder, and at one of three folders in every twentieth. */
async function setRightsBelow(client: pg.Client, at: Record<'workspace_id' | 'wide' | 'group_id', number>) {
  await client.query(
    `insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
     select f.workspace_id, inside.id, f.id, 'Inside', n, f.id_path || inside.id, 1
     from folders f cross join lateral (
       select n, nextval(pg_get_serial_sequence('folders', 'id'))::int as id from generate_series(1, 3) n where f.id > 0
     ) inside
     where f.workspace_id = $1 and f.parent_id = $2 and f.index % 20 = 10`,
    [at.workspace_id, at.wide],
  )
  await client.query(
    `insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
     select workspace_id, $3, flag, id, id_path, true
     from folders cross join unnest(array['view', 'download']) flag
     where workspace_id = $1 and (parent_id = $2 and index % 20 = 5 or id_path[2] = $2 and cardinality(id_path) = 4 and index = 1)`,
    [at.workspace_id, at.wide, at.group_id],
  )
}
