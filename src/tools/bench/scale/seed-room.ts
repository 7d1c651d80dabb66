import { sql } from 'kysely'
import type { Db } from '../../../service/db/pool.ts'

// Writes the rows of a large room as uploads, invitations and acts would leave them. All files share one content.

/** Times of everything at the smallest size: 1,000 folders with 10 files each. */
const FILES_PER_FOLDER = 10
const GROUPS = 200
const PEOPLE = 100
const ACTIVITIES = 10_000
const OTHER_ROOMS = 10
const FOLDERS_OF_OTHERS = 10
const TITLES = 1000

export interface Room {
  workspace_id: number
  organization_id: number
  admin_id: number
  /** A member of the first two groups, and a member of the second one alone. */
  reader_id: number
  guest_id: number
}

export interface Places {
  /** Has 1,000 subfolders. What is below them grows. */
  wide: number
  /** Has 10 subfolders, none of which has any. */
  small: number
  /** The first of 200. */
  group: number
  file_ids: number[]
  /** What an odd group has set below the 1,000 folders: grows with the room. An even group has as much at every size. */
  overrides: number
  viewed: number
  /** The activities of the last 30 days, which are counted for the reading of these days. */
  acts: number
}

/**
 * Two areas: `wide` has 1,000 folders, in each of which the room grows two levels down; `small` is the same at every
 * size. Odd groups view and download everything but one folder in a hundred at the bottom. Even groups view and download
 * only one in a hundred of the 1,000 folders.
 */
export async function seedRoom(db: Db, room: Room, scale: number): Promise<Places> {
  return db.connection().execute(async (connection) => {
    // The triggers of files, the checks of foreign keys and the upkeep of indexes would take most of the time.
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set work_mem = '256MB'`.execute(connection)
    await sql`set maintenance_work_mem = '256MB'`.execute(connection)
    const places = await withoutIndexes(connection, async () => {
      const found = await seedFolders(connection, room, scale)
      await seedFiles(connection, room)
      await seedPeople(connection, room, scale)
      await seedRights(connection, room, found)
      found.acts = await seedActivities(connection, room, scale)
      await seedOtherRooms(connection, room, scale)
      return found
    })
    await sql`set session_replication_role = origin`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
    return places
  })
}

const LARGE = ['folders', 'files', 'file_versions', 'search_entries', 'activities', 'folder_permissions']

/** Builds the indexes of the large tables behind the rows; those of constraints stay. */
async function withoutIndexes<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = any(${LARGE}::regclass[]) and not exists (
      select from pg_constraint c where c.conindid = i.indexrelid)`.execute(db)
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db)
  const result = await work()
  for (const { definition } of rows) await sql.raw(definition).execute(db)
  return result
}

async function seedFolders(db: Db, { workspace_id, admin_id }: Room, scale: number): Promise<Places> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('folders', 'id'))::int as id from generate_series(1, 2)`.execute(db)
  const [wide = 0, small = 0] = rows.map(({ id }) => id)
  await sql`
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select ${workspace_id}::int, id, 0, name, index, array[0, id], ${admin_id}::int
    from (values (${wide}::int, 'Wide', 1), (${small}::int, 'Small', 2)) area (id, name, index)`.execute(db)
  await insertLevel(db, small, 10)
  await insertLevel(db, wide, 1000)
  if (scale >= 10) await insertLevelBelow(db, wide, 9)
  if (scale >= 100) await insertLevelBelow(db, wide, 10)
  return { wide, small, group: 0, file_ids: [], overrides: 0, viewed: 0, acts: 0 }

  async function insertLevel(parents: Db, parent: number, count: number) {
    await sql`
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select p.workspace_id, c.id, p.id, ${nameOf(sql`c.id`)}, c.index, p.id_path || c.id, ${admin_id}::int
      from folders p cross join lateral (
        select nextval(pg_get_serial_sequence('folders', 'id'))::int as id, index
        from generate_series(1, ${count}::int) index where p.id > 0
      ) c where p.workspace_id = ${workspace_id} and p.id = ${parent}`.execute(parents)
  }

  /** Gives `count` subfolders to every folder of the lowest level below `top`. */
  async function insertLevelBelow(parents: Db, top: number, count: number) {
    await sql`
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select p.workspace_id, c.id, p.id, ${nameOf(sql`c.id`)}, c.index, p.id_path || c.id, ${admin_id}::int
      from folders p cross join lateral (
        select nextval(pg_get_serial_sequence('folders', 'id'))::int as id, index
        from generate_series(1, ${count}::int) index where p.id > 0
      ) c
      where p.workspace_id = ${workspace_id} and p.id_path[2] = ${top} and cardinality(p.id_path) = (
        select max(cardinality(id_path)) from folders where workspace_id = ${workspace_id} and id_path[2] = ${top})`.execute(
      parents,
    )
  }
}

/** Only the first thousand have "early" in their names: a search for one has the same hits at every size. */
const nameOf = (id: ReturnType<typeof sql>) =>
  sql`(array['Contracts', 'Finance', 'Personnel', 'Property', 'Taxes'])[1 + ${id} % 5]
    || case when ${id} < ${TITLES}::int then ' early' else ' late' end || ${id}`

async function seedFiles(db: Db, { workspace_id, admin_id }: Room): Promise<void> {
  await sql`
    insert into files (workspace_id, folder_id, title, file_name, index, version, file_size, file_content_type, sha256,
      blob_id, viewer_status)
    select d.workspace_id, d.id, t.title, t.title || '.txt', n, 1, o.file_size, o.file_content_type, o.sha256, o.blob_id,
      o.viewer_status
    from folders d cross join generate_series(1, ${FILES_PER_FOLDER}::int) n
    cross join lateral (select ${titleOf(sql`d.id`, sql`n`)} as title offset 0) t
    cross join (select * from files where workspace_id = ${workspace_id} limit 1) o
    where d.workspace_id = ${workspace_id} and d.id > 0 and not exists (
      select from files f where f.workspace_id = d.workspace_id and f.folder_id = d.id)`.execute(db)
  await sql`
    insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
      uploaded_by_id)
    select f.workspace_id, f.id, 1, f.blob_id, f.file_size, f.file_content_type, f.sha256, o.crc32, ${admin_id}::int
    from files f cross join (select crc32 from file_versions where workspace_id = ${workspace_id} limit 1) o
    where f.workspace_id = ${workspace_id}
    on conflict do nothing`.execute(db)
  await sql`
    with title as materialized (
      select s.title, w.words, title_terms(${workspace_id}::int, w.words) as terms
      from (select distinct title from files where workspace_id = ${workspace_id}) s
      cross join lateral (select search_words(s.title || ' ' || s.title || '.txt') as words offset 0) w
    )
    insert into search_entries (workspace_id, file_id, folder_id, is_deleted, title_words, terms)
    select f.workspace_id, f.id, f.folder_id, false, t.words, t.terms
    from title t join files f on f.workspace_id = ${workspace_id} and f.title = t.title
    on conflict do nothing`.execute(db)
}

/** The same for the titles of files. */
const titleOf = (folder: ReturnType<typeof sql>, n: ReturnType<typeof sql>) =>
  sql`'Report ' || case when ${folder} < ${TITLES}::int then 'early' || ${folder} else 'late' || ${folder} % ${TITLES}::int end || ' part ' || ${n}`

async function seedPeople(db: Db, { workspace_id, organization_id, reader_id, guest_id }: Room, scale: number) {
  const people = PEOPLE * scale
  await sql`
    with added as (
      insert into users (organization_id, email, first_name, last_name, status, token_hash, token_sealed)
      select ${organization_id}::int, 'person' || n || '@example.com', 'Person', n::text, 'active',
        sha256(convert_to('person' || n, 'utf8')), ''
      from generate_series(1, ${people}::int) n returning id
    )
    insert into workspace_memberships (workspace_id, user_id, organization_id, joined_at)
    select ${workspace_id}::int, id, ${organization_id}::int, now() from added
    union all select ${workspace_id}::int, id, ${organization_id}::int, now() from unnest(${[reader_id, guest_id]}::int[]) id`.execute(
    db,
  )
  await sql`insert into groups (workspace_id, name)
    select ${workspace_id}::int, 'Group ' || n from generate_series(1, ${GROUPS}::int) n`.execute(db)
  await sql`
    with own as materialized (
      select id, row_number() over (order by id) as n from groups where workspace_id = ${workspace_id} and kind = 'custom'
    )
    insert into group_memberships (workspace_id, group_id, user_id)
    select m.workspace_id, own.id, m.user_id from workspace_memberships m
    join own on own.n = 3 + m.user_id % ${GROUPS - 2}::int
    where m.workspace_id = ${workspace_id} and m.user_id not in (${reader_id}, ${guest_id})
    union all select ${workspace_id}::int, id, ${reader_id}::int from own where n <= 2
    union all select ${workspace_id}::int, id, ${guest_id}::int from own where n = 2
    union all select m.workspace_id, g.id, m.user_id from workspace_memberships m
    join groups g on g.workspace_id = m.workspace_id and g.kind = 'all_members' where m.workspace_id = ${workspace_id}
    on conflict do nothing`.execute(db)
  await sql`update groups set members_count = count_group_members(workspace_id, id)
    where workspace_id = ${workspace_id}`.execute(db)
}

async function seedRights(db: Db, { workspace_id }: Room, places: Places): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from groups where workspace_id = ${workspace_id} and kind = 'custom' order by id limit 1`.execute(db)
  places.group = rows[0]?.id ?? 0
  await sql`
    with own as materialized (
      select id, row_number() over (order by id) as n from groups where workspace_id = ${workspace_id} and kind = 'custom'
    ), bottom as materialized (
      select max(cardinality(id_path)) as depth from folders where workspace_id = ${workspace_id}
    )
    insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select d.workspace_id, own.id, flag, d.id, d.id_path, d.id = 0 or own.n % 2 = 0
    from own cross join unnest(array['view', 'download']) flag
    join folders d on d.workspace_id = ${workspace_id}
      and (d.id = 0 and own.n % 2 = 1 or d.id > 0 and (d.id + 3 * own.n) % 100 = 0)
    cross join bottom
    where d.id = 0 or cardinality(d.id_path) = case when own.n % 2 = 0 then 3 else bottom.depth end`.execute(db)
  const { rows: counts } = await sql<Pick<Places, 'overrides' | 'viewed'>>`
    select (
        select count(*)::int from folder_permissions
        where workspace_id = ${workspace_id} and group_id = ${places.group} and folder_id > 0
      ) as overrides, (
        select count(*)::int from folder_permissions p
        join folders d on d.workspace_id = p.workspace_id and p.folder_id = any(d.id_path)
        join files f on f.workspace_id = d.workspace_id and f.folder_id = d.id
        where p.workspace_id = ${workspace_id} and p.group_id = ${places.group + 1} and p.flag = 'view'
      ) as viewed`.execute(db)
  Object.assign(places, counts[0])
  const { rows: files } = await sql<{ id: number }>`
    select id from files where workspace_id = ${workspace_id} and folder_id in (
      select id from folders where workspace_id = ${workspace_id} and parent_id = ${places.small}) order by id`.execute(
    db,
  )
  places.file_ids = files.map(({ id }) => id)
}

async function seedActivities(db: Db, { workspace_id, reader_id, admin_id }: Room, scale: number): Promise<number> {
  const { rows } = await sql<{ recent: number }>`
    with act as (
      insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at, act, params)
      select ${workspace_id}::int, case n % 50 when 0 then ${reader_id}::int when 1 then ${admin_id}::int else ${reader_id}::int + n % 100 end,
        'Person', 'viewed', 'viewed the file: Report', 'Asset', n % 1000, now() - make_interval(secs => 600 + n * 10), 'file_viewed',
        '{"title": "Report"}'
      from generate_series(1, ${ACTIVITIES * scale}::int) n
      returning created_at
    )
    select count(*) filter (where created_at > now() - interval '30 days')::int as recent from act`.execute(db)
  return rows[0]?.recent ?? 0
}

/** Rooms of another organization with the same names. */
async function seedOtherRooms(db: Db, { workspace_id, admin_id }: Room, scale: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`insert into organizations (name) values ('Other') returning id`.execute(db)
  const other = rows[0]?.id ?? 0
  await sql`
    with team as (
      insert into teams (organization_id, name, team_owner_id, creator_id) values (${other}, 'Other', 1, 1) returning id
    ), room as (
      insert into workspaces (organization_id, team_id, name)
      select ${other}::int, team.id, 'Room ' || n from team, generate_series(1, ${OTHER_ROOMS * scale}::int) n returning id
    )
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select id, n, case n when 0 then null else 0 end, ${nameOf(sql`n`)}, greatest(n, 1), case n when 0 then array[0] else array[0, n] end,
      ${admin_id}::int
    from room cross join generate_series(0, ${FOLDERS_OF_OTHERS}::int) n`.execute(db)
  await sql`
    insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
    select d.workspace_id, d.id, 'Report early' || d.id || ' part 1', 'Report.txt', 1, 1, 'text/plain', '\\x00', 'elsewhere'
    from folders d where d.workspace_id > ${workspace_id} and d.id > 0`.execute(db)
  await sql`
    insert into search_entries (workspace_id, file_id, folder_id, is_deleted, title_words, terms)
    select f.workspace_id, f.id, f.folder_id, false, w.words, title_terms(f.workspace_id, w.words)
    from files f cross join lateral (select search_words(f.title || ' ' || f.file_name) as words offset 0) w
    where f.workspace_id > ${workspace_id}`.execute(db)
}
