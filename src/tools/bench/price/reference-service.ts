/* oxlint-disable oxc/no-async-endpoint-handlers -- Fastify waits for its handlers. */
import { createHash, createHmac, createSecretKey, hash, type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

// What a request costs at least: the framework, one statement that authenticates and enters, one that does the work with
// the locks, names, activities and audit entries that the contract asks for. Uses the database of a service and none of
// its code. Started by measure-price.ts.

const { DATABASE_URL = '', API_KEY = '', API_SECRET = '', FOLDER = '' } = process.env
/** Those of the service: a plan that was made while a table was small would read it whole for ever. */
const OPTIONS = '-c timezone=UTC -c jit=off -c enable_seqscan=off'
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20, options: OPTIONS })
const folder = await open(FOLDER)
const secrets = new Map<string, KeyObject>([[API_KEY, createSecretKey(Buffer.from(API_SECRET))]])

interface Entered {
  user_id: number
  organization_id: number
  name: string
  email: string
  admin: boolean
  id_path: number[]
  folder_name: string
  group_name: string
  member_name: string
}

/** The caller, their workspace, a folder or the root, and their rights there. */
const enterWith = (columns = '', joins = '') => `
  select u.organization_id, u.id as user_id, u.first_name || ' ' || u.last_name as name, u.email, standing.admin,
    f.id_path, f.name as folder_name, rights.flags ${columns}
  from api_keys k
  join users u on u.organization_id = k.organization_id and u.token_hash = $2 and u.deleted_at is null
  left join workspaces w on w.organization_id = u.organization_id and w.id = $3
  left join workspace_memberships m on m.workspace_id = w.id and m.user_id = u.id
  left join lateral (
    select bool_or(g.kind = 'workspace_admins') as admin, array_agg(g.id) as group_ids
    from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
    where gm.workspace_id = m.workspace_id and gm.user_id = m.user_id
      and (g.expire_workspace_access_at is null or g.expire_workspace_access_at > now())
  ) standing on true
  left join folders f on f.workspace_id = m.workspace_id and f.id = $4 and f.deleted_at is null
  left join lateral (
    select array_agg(flag) filter (where value) as flags from (
      select distinct on (p.group_id, p.flag) p.flag, p.value from folder_permissions p
      where p.workspace_id = f.workspace_id and p.group_id = any(standing.group_ids) and p.folder_id = any(f.id_path)
      order by p.group_id, p.flag, cardinality(p.id_path) desc) nearest
  ) rights on true ${joins}
  where k.public_key = $1 and k.revoked_at is null`

const GROUP = 'left join groups g on g.workspace_id = m.workspace_id and g.id = $5'
/** The group and a user whom the caller knows, both for their names. */
const MEMBER = `${GROUP}
  left join users other on other.organization_id = u.organization_id and other.id = $6 and other.deleted_at is null
    and (u.organization_admin_since is not null
      or exists (select from workspace_memberships mine join workspace_memberships theirs
        on theirs.organization_id = mine.organization_id and theirs.workspace_id = mine.workspace_id
        where mine.organization_id = u.organization_id and mine.user_id = u.id and theirs.user_id = other.id)
      or exists (select from team_memberships mine join team_memberships theirs
        on theirs.organization_id = mine.organization_id and theirs.team_id = mine.team_id
        where mine.organization_id = u.organization_id and mine.user_id = u.id and theirs.user_id = other.id))`

const ENTER = {
  enter: enterWith(),
  'enter a group': enterWith(', g.name as group_name', GROUP),
  'enter for a member': enterWith(
    ", g.name as group_name, concat(other.first_name || ' ' || other.last_name) as member_name",
    MEMBER,
  ),
}

async function enter({ headers }: FastifyRequest, workspaceId = 0, folderId = 0, ...more: number[]): Promise<Entered> {
  const [key, token, signature, expires] = ['key', 'user-token', 'signature', 'exp-date'].map((name) =>
    String(headers[`x-api-${name}`]),
  ) as [string, string, string, string]
  const secret = secrets.get(key)
  if (!secret || Number(expires) < Date.now() / 1000) throw new Error('unknown')
  const mac = createHmac('sha256', secret).update(key).update(token).update(expires).digest()
  if (!timingSafeEqual(mac, Buffer.from(signature.slice(-64), 'hex'))) throw new Error('forged')
  const how = more.length === 2 ? 'enter for a member' : more.length === 1 ? 'enter a group' : 'enter'
  const hashed = createHash('sha256').update(token).digest()
  const [entered] = await run<Entered>(how, ENTER[how], [key, hashed, workspaceId, folderId, ...more])
  if (!entered || (workspaceId && !entered.admin)) throw new Error('outside')
  return entered
}

async function run<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await pool.query({ name, text, values })).rows as Row[]
}

/** Records an act that the statement's part `row` found, with its audit entry. */
const recorded = (changes = "'null'") => `, audited as (
    insert into audit_inbox (workspace_id, entry)
    select $1, replace(replace($2, '"subject_id":null', concat('"subject_id":', id)), '"changes":null',
      concat('"changes":', ${changes})) from row
  ), noted as (
    insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id)
    select $1, $3, $4, $5, $8::jsonb, 'changed', $6, $7, row.id from row)`

const RECORD = recorded()

interface Act {
  act: string
  message: string
  subject: string
  params: Record<string, string>
  /** A user whom the message names, and the message without the name. */
  about?: { id: number; message: string }
}

function entryOf({ ip, id }: FastifyRequest, by: Entered, { act, message, subject, about }: Act): string {
  const erased = { user_name: 'erased', user_email: 'erased', ip: 'erased' }
  return JSON.stringify({
    user_id: by.user_id,
    user_name: by.name,
    user_email: by.email,
    personal_key_id: null,
    ip,
    request_id: id,
    verb: act,
    message,
    subject_type: subject,
    subject_id: null,
    changes: null,
    refusal: null,
    personal: [{ of: by.user_id, erased }, ...(about ? [{ of: about.id, erased: { message: about.message } }] : [])],
  })
}

function acted(request: FastifyRequest, by: Entered, workspaceId: number, act: Act): unknown[] {
  const entry = entryOf(request, by, act)
  return [workspaceId, entry, by.user_id, by.name, act.act, act.message, act.subject, JSON.stringify(act.params)]
}

const CREATE = `
  with tree as materialized (select from workspaces where id = $1 for share),
  parent as materialized (select f.id, f.id_path from tree, folders f
    where f.workspace_id = $1 and f.id = $9 and f.deleted_at is null for update of f),
  row as (
    insert into folders (workspace_id, parent_id, name, index, id_path, last_updated_user_id, id)
    select $1, parent.id, $10, next_folder_index($1, parent.id), parent.id_path || new.id, $3, new.id
    from parent, (select nextval(pg_get_serial_sequence('folders', 'id'))::int as id) new returning *)${RECORD}
  select id, name, index, parent_id, id_path, created_at, updated_at, 0 as children,
    (select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
      where a.workspace_id = $1 and a.id = any(row.id_path) and a.id <> 0) as path from row`

const RENAME = `
  with row as (update folders set name = $10, updated_at = now(), last_updated_user_id = $3
    where workspace_id = $1 and id = $9 and deleted_at is null returning *)${RECORD}
  select id, name, index, parent_id, id_path, created_at, updated_at,
    (select count(*) from folders c where c.workspace_id = $1 and c.parent_id = row.id and c.deleted_at is null) as children,
    (select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
      where a.workspace_id = $1 and a.id = any(row.id_path) and a.id <> 0) as path from row`

/**
 * Sets flags on the folder and deletes what is set there and below, which the audit entry tells. A function, because a
 * statement that waits for the locks does not see what was committed meanwhile.
 */
const RIGHT = `
  with tree as materialized (select from workspaces where id = $1 for share),
  locked as materialized (select f.id, f.id_path, f.name from tree, folders f
    where f.workspace_id = $1 and f.id = $9 and f.deleted_at is null for update of f),
  held as materialized (select g.id from locked, groups g
    where g.workspace_id = $1 and g.id = $10 and g.name = $13 and locked.name = $14 for no key update of g),
  row as (select held.id, set_rights($1, held.id, locked.id, locked.id_path, $11, $12) as changes from locked, held)${recorded('changes')}
  select now() as created_at, now() as updated_at, $6 as message from row`

/**
 * A new member is in the group and in All Members, with an activity for the group and one for the workspace. Members of a
 * workspace change one after the other; a caller who is no longer an admin changes none. A name that its owner chose and
 * the caller has not accepted does not reach marks.
 */
const ADD_MEMBER = `
  with person as materialized (select u.* from users u where organization_id = $9 and id = $8 and deleted_at is null for share),
  held as materialized (select m.workspace_id from person, groups m
    where m.workspace_id = $1 and m.kind = 'all_members' for no key update of m),
  administering as materialized (select m.id from held, groups a, group_memberships m
    where a.workspace_id = held.workspace_id and a.kind = 'workspace_admins' and m.workspace_id = $1 and m.group_id = a.id
      and m.user_id = $3 for key share of m),
  target as materialized (select g.id from held, groups g where g.workspace_id = $1 and g.id = $7 and g.name = $10 for share of g),
  newcomer as materialized (select person.* from person, administering, target),
  joined as (insert into workspace_memberships (workspace_id, user_id, organization_id, awaits_invitation,
      marked_first_name, marked_last_name, name_changed_at)
    select $1, id, organization_id, true, case when self_named then coalesce(seen.first_name, '') end,
      case when self_named then coalesce(seen.last_name, '') end, case when self_named then now() end
    from newcomer left join lateral (
      select coalesce(m.marked_first_name, newcomer.first_name) as first_name,
        coalesce(m.marked_last_name, newcomer.last_name) as last_name
      from workspace_memberships m where newcomer.self_named and m.organization_id = $9 and m.user_id = newcomer.id
        and m.name_accepted_by_id = $3 order by m.name_changed_at desc limit 1) seen on true
    on conflict do nothing returning id),
  grouped as (insert into group_memberships (workspace_id, group_id, user_id)
    select $1, g.id, newcomer.id from newcomer, groups g where g.workspace_id = $1 and (g.id = $7 or g.kind = 'all_members')
    on conflict do nothing returning id, group_id),
  row as (
    select id, 'group_member_added' as act, $5 as message, $11 as erased, $13 as params, $2 as entry from grouped
    where group_id = $7
    union all select id, 'member_added', $6, $12, $14, $15 from joined),
  audited as (insert into audit_inbox (workspace_id, entry)
    select $1, replace(entry, '"subject_id":null', concat('"subject_id":', id)) from row),
  noted as (insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id,
      about_user_id, erased_message)
    select $1, $3, $4, act, params::jsonb, 'added', message, 'Membership', id, $8, erased from row)
  select id, email, first_name, last_name, status, time_zone, created_at, updated_at, $7 as group_id,
    exists (select from administering) as is_allowed, exists (select from target) as is_there from person`

const UPLOAD = `
  with folder as materialized (select id from folders where workspace_id = $1 and id = $9 for update),
  row as (
    insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
    select $1, id, $10, $10, (select coalesce(max(index), 0) + 1 from files
      where workspace_id = $1 and folder_id = $9 and deleted_at is null), $11, 'text/plain', $12, $13 from folder
    returning *),
  version as (insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256,
    crc32, uploaded_by_id) select $1, id, 1, blob_id, file_size, file_content_type, sha256, 0, $3 from row),
  document as (insert into documents (workspace_id, blob_id, content_type) select $1, blob_id, 'text/plain' from row),
  job as (insert into jobs (kind, payload)
    select 'ingest', jsonb_build_object('workspace_id', $1::int, 'blob_id', blob_id) from row)${RECORD}
  select id, title, file_name, file_size::text, index, created_at, updated_at, folder_id, version from row`

const LIST = `
  select json_build_object('folder', (select row_to_json(f) from (
      select id, name, index, id_path, created_at, updated_at from folders where workspace_id = $1 and id = $2) f),
    'immediate_subfolders', (select coalesce(json_agg(row_to_json(f)), '[]') from (
      select id, name, index, id_path, created_at, updated_at, (select count(*) from folders c where c.workspace_id = $1
        and c.parent_id = f.id and c.deleted_at is null) as children
      from folders f where workspace_id = $1 and parent_id = $2 and deleted_at is null order by index) f),
    'immediate_subfiles', (select coalesce(json_agg(row_to_json(f)), '[]') from (
      select id, title, file_name, file_size::text, file_content_type, index, created_at, updated_at, folder_id, version,
        pages, infected, damaged, viewer_status, 'text' as kind
      from files where workspace_id = $1 and folder_id = $2 and deleted_at is null order by index) f))::text as reply`

const ACTIVITIES = `
  select coalesce(json_agg(row_to_json(a)), '[]')::text as events,
    (select count(*) from activities where workspace_id = $1 and created_at > now() - interval '5 minutes') as recent
  from (select id, user_id, user_name, workspace_id, verb, message, subject_type, subject_id, created_at, act, params
    from activities where workspace_id = $1 order by created_at desc, id desc limit $2) a`

const BITS = `case p.flag when 'view' then 1 when 'download' then 2 else 4 end`

const PARENT = `
  select (select string_agg(index::text, '.' order by cardinality(id_path)) from folders
      where workspace_id = $1 and id = any($2) and id <> 0) as outline, (
    select coalesce(sum(bit), 0)::int from (select distinct on (p.flag) p.value, ${BITS} as bit from folder_permissions p
      where p.workspace_id = $1 and p.group_id = $3 and p.folder_id = any($2)
      order by p.flag, cardinality(p.id_path) desc) nearest where value) as rights`

const GRID = `
  select f.id, f.name, f.index, (select coalesce(max(c.index), 0) from folders c where c.workspace_id = $1
    and c.parent_id = f.id and c.deleted_at is null) as children
  from folders f where f.workspace_id = $1 and f.parent_id = $2 and f.deleted_at is null order by f.index`

/** What is set at each subfolder and below it, as bits, and how many of its subfolders have rights of their own. */
const SET_BELOW = `
  select p.id_path[cardinality($2::int[]) + 1] as id, bit_or(${BITS} * case when depth > 1 then 0 else 1 + 8 * value::int end) as own,
    bit_or(${BITS} * case when depth = 1 then 0 when value then 1 else 8 end) as below,
    count(*) filter (where flag = 'view' and depth = 2)::int as view,
    count(*) filter (where flag = 'download' and depth = 2)::int as download,
    count(*) filter (where flag = 'upload' and depth = 2)::int as upload
  from folder_permissions p cross join lateral (select cardinality(p.id_path) - cardinality($2::int[]) as depth) d
  where p.workspace_id = $1 and p.group_id = $3 and p.flag in ('view', 'download', 'upload')
    and p.id_path > $2::int[] and p.id_path < id_path_end($2::int[])
  group by 1`

type Parent = { id: number; path: string; outline: string; tree: number | undefined; rights: number }
type GridRow = Record<'id' | 'index' | 'children', number> & { name: string }
type SetRow = Record<'id' | 'own' | 'below' | 'view' | 'download' | 'upload', number>

function gridEntry({ id, index, name, children }: GridRow, parent: Parent, set: SetRow | undefined) {
  const { own = 0, below = 0 } = set ?? {}
  const have = (parent.rights & ~own) | (own >> 3)
  const [granted, revoked] = [below & 7, below >> 3]
  const other = (have & revoked) | (~have & granted)
  const same = (have & granted) | (~have & revoked)
  const mixed = (bit: number, overridden = 0) => (other & bit) !== 0 && ((same & bit) !== 0 || children > overridden)
  return {
    id,
    id_tree: parent.tree ?? id,
    name,
    view: (have & 1) !== 0,
    download: (have & 2) !== 0,
    upload: (have & 4) !== 0,
    position: index,
    index,
    is_mixed_view: mixed(1, set?.view),
    is_mixed_download: mixed(2, set?.download),
    is_mixed_upload: mixed(4, set?.upload),
    id_path: `${parent.path}.${id}`,
    outline: parent.outline === '' ? String(index) : `${parent.outline}.${index}`,
    parent_id: parent.id,
    children,
  }
}

const app = Fastify({ genReqId: () => randomUUID() })
app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
// The contract asks every reply for these headers, and every GET for an ETag.
app.addHook('onSend', (request, reply, payload, done) => {
  reply.headers({ 'X-Request-Id': request.id, 'Cache-Control': 'private, no-store' })
  if (request.method === 'GET') reply.header('ETag', `W/"${hash('sha1', payload as string | Buffer, 'base64url')}"`)
  done(null, payload)
})
const json = (text: string) => Buffer.from(text)

const folderAct = (done: string, name: string): Act => {
  return { act: `folder_${done}`, message: `${done} the folder ${name}`, subject: 'Folder', params: { name } }
}

type Ask = { Params: { id: string }; Querystring: Record<string, string>; Body: Record<string, never> }

app.get('/api/v1/users/me', async (request) => {
  const { user_id, organization_id } = await enter(request)
  const columns = 'id, email, first_name, last_name, time_zone, status, created_at, updated_at'
  const text = `select ${columns} from users where organization_id = $1 and id = $2`
  return (await run('me', text, [organization_id, user_id]))[0]
})
app.post<Ask>('/api/v1/folders', async (request, reply) => {
  const { workspace_id, parent_id, name } = request.body as unknown as Record<string, number>
  const by = await enter(request, workspace_id, parent_id)
  const values = [...acted(request, by, Number(workspace_id), folderAct('added', String(name))), parent_id, name]
  return reply.code(201).send((await run('create', CREATE, values))[0])
})
app.put<Ask>('/api/v1/folders/:id', async (request) => {
  const { workspace_id, folder } = request.body as unknown as { workspace_id: number; folder: { name: string } }
  const by = await enter(request, workspace_id, Number(request.params.id))
  const values = [
    ...acted(request, by, workspace_id, folderAct('renamed', folder.name)),
    request.params.id,
    folder.name,
  ]
  return (await run('rename', RENAME, values))[0]
})
app.put<Ask>('/api/v1/permissions/folders/:id', async (request) => {
  const { workspace_id, group_id, verb } = request.body as unknown as Record<string, number>
  const by = await enter(request, workspace_id, Number(request.params.id), Number(group_id))
  const isGrant = String(verb) === 'grant'
  const flags = isGrant ? ['view'] : ['view', 'download', 'upload']
  const params = { folder: by.folder_name, group: by.group_name }
  const message = `${isGrant ? 'granted' : 'revoked'} view of ${params.folder} for ${params.group}`
  const act = { act: isGrant ? 'view_granted' : 'view_revoked', message, subject: 'Group', params }
  const values = [...acted(request, by, Number(workspace_id), act), request.params.id, group_id, flags]
  return (await run('right', RIGHT, [...values, flags.map(() => isGrant), params.group, params.folder]))[0]
})
app.post<Ask>('/api/v1/groups/:id/memberships', async (request, reply) => {
  const { workspace_id, user_id } = request.body as unknown as { workspace_id: number; user_id: number }
  const id = Number(request.params.id)
  const by = await enter(request, workspace_id, 0, id, user_id)
  const { group_name: group, member_name: user } = by
  const common = { subject: 'Membership' }
  const inGroup = `added a member to the group ${group}`
  const grouped: Act = {
    ...common,
    act: 'group_member_added',
    message: `added ${user} to the group ${group}`,
    params: { group, user },
    about: { id: user_id, message: inGroup },
  }
  const inside = 'added a member'
  const joined: Act = {
    ...common,
    act: 'member_added',
    message: `added the member ${user}`,
    params: { user },
    about: { id: user_id, message: inside },
  }
  const [groupEntry, entry] = [entryOf(request, by, grouped), entryOf(request, by, joined)]
  const places = [id, user_id, by.organization_id, group, inGroup, inside]
  const params = [JSON.stringify(grouped.params), JSON.stringify(joined.params)]
  const values = [
    workspace_id,
    groupEntry,
    by.user_id,
    by.name,
    grouped.message,
    joined.message,
    ...places,
    ...params,
    entry,
  ]
  return reply.code(201).send((await run('add', ADD_MEMBER, values))[0])
})
app.put<Ask>('/api/v1/files/upload', async (request) => {
  const { workspace_id, folder_id, file_name } = request.query
  const by = await enter(request, Number(workspace_id), Number(folder_id))
  const blob = randomUUID()
  const sha256 = createHash('sha256')
  const file = await open(join(FOLDER, blob), 'w')
  let size = 0
  for await (const chunk of request.raw) {
    sha256.update(chunk as Buffer)
    size += (chunk as Buffer).length
    await file.write(chunk as Buffer)
  }
  // The name of the file must be durable too.
  await Promise.all([file.sync(), folder.sync()])
  await file.close()
  const fileAct = {
    act: 'file_added',
    message: `added the file ${file_name}`,
    subject: 'Asset',
    params: { title: String(file_name) },
  }
  const values = [...acted(request, by, Number(workspace_id), fileAct), folder_id, file_name, size]
  return (await run('upload', UPLOAD, [...values, sha256.digest(), blob]))[0]
})
app.get<Ask>('/api/v1/folders/:id', async (request, reply) => {
  const { workspace_id } = request.query
  await enter(request, Number(workspace_id), Number(request.params.id))
  const [row] = await run<{ reply: string }>('list', LIST, [workspace_id, request.params.id])
  return reply.type('application/json').send(json(row?.reply ?? ''))
})
app.get<Ask>('/api/v1/activities/workspace/:id', async (request, reply) => {
  await enter(request, Number(request.params.id))
  const values = [request.params.id, request.query['per_page']]
  const [row] = await run<{ events: string; recent: number }>('activities', ACTIVITIES, values)
  return reply.type('application/json').send(json(`{"total_items":${row?.recent},"events":${row?.events}}`))
})
app.get<Ask>('/api/v1/permissions/folders/:id', async (request) => {
  const { workspace_id, group_id } = request.query
  const id = Number(request.params.id)
  const { id_path } = await enter(request, Number(workspace_id), id)
  const [[parent], rows, set] = await Promise.all([
    run<{ outline: string | null; rights: number }>('parent', PARENT, [workspace_id, id_path, group_id]),
    run<GridRow>('grid', GRID, [workspace_id, id]),
    run<SetRow>('set below', SET_BELOW, [workspace_id, id_path, group_id]),
  ])
  const path = { id, path: id_path.join('.'), tree: id_path[1] }
  const above = { ...path, outline: parent?.outline ?? '', rights: parent?.rights ?? 0 }
  const sets = new Map(set.map((row) => [row.id, row]))
  return rows.map((row) => gridEntry(row, above, sets.get(row.id)))
})

console.log(`service: ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
process.on('SIGTERM', () => process.exit(0))
