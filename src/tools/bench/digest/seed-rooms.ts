import { sql } from 'kysely'
import type { Db } from '../../../service/db/pool.ts'

// Writes rooms with news as uploads, changes of access and answers would leave them.

const FOLDERS = 20
const FILES = 200
/** Groups of bidders in each room. */
const GROUPS = 4
const CHANGED_FILES = 60
const QUESTIONS = 80
/** The first group of a room has its admin, the others are of bidders. */
const ADMINS = 1

export interface Extent {
  rooms: number
  people: number
}

/** Everybody is in one room and gets daily mails, the first of each room as its admin. What is new is a few hours old. */
export async function seedRooms(db: Db, { rooms, people }: Extent): Promise<void> {
  await db.connection().execute(async (connection) => {
    // The triggers of files and the checks of foreign keys would take most of the time.
    await sql`set session_replication_role = replica`.execute(connection)
    await seedPeople(connection, rooms, people)
    await seedFolders(connection, rooms)
    await seedNews(connection, rooms)
    await seedQuestions(connection, rooms)
    await sql`set session_replication_role = origin`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
  })
}

const eachRoom = (rooms: number) => sql`generate_series(1, ${rooms}::int) room`
const someHoursAgo = (n: string) => sql`now() - interval '2 hours' - make_interval(mins => ${sql.raw(n)})`

async function seedPeople(db: Db, rooms: number, people: number): Promise<void> {
  await sql`insert into organizations (id, name) values (1, 'Northgate')`.execute(db)
  await sql`insert into teams (organization_id, id, name, team_owner_id, creator_id, suppress_emails)
    values (1, 1, 'Deals', 1, 1, false)`.execute(db)
  await sql`insert into users (organization_id, id, email, first_name, token_hash, token_sealed, time_zone, language)
    select 1, n, 'reader' || n || '@rooms.test', 'Reader', sha256(n::text::bytea), '',
      (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])[n % 4 + 1], (array['en', 'de'])[n % 2 + 1]
    from generate_series(1, ${rooms * people}::int) n`.execute(db)
  await sql`insert into workspaces (organization_id, id, team_id, name)
    select 1, room, 1, 'Project ' || room from ${eachRoom(rooms)}`.execute(db)
  await sql`insert into workspace_memberships (organization_id, workspace_id, user_id, joined_at, mailed_until)
    select 1, room, (room - 1) * ${people}::int + n, now() - interval '30 days', now() - interval '2 days'
    from ${eachRoom(rooms)} cross join generate_series(1, ${people}::int) n`.execute(db)
  await sql`insert into groups (workspace_id, id, name, kind)
    select room, room * 10 + n, 'Group ' || n, case n when 0 then 'workspace_admins' else 'custom' end
    from ${eachRoom(rooms)} cross join generate_series(0, ${GROUPS}::int) n`.execute(db)
  await sql`insert into group_memberships (workspace_id, group_id, user_id, created_at)
    select room, room * 10 + case when n <= ${ADMINS} then 0 else n % ${GROUPS} + 1 end, (room - 1) * ${people}::int + n,
      now() - interval '30 days'
    from ${eachRoom(rooms)} cross join generate_series(1, ${people}::int) n`.execute(db)
}

/** Each group views every other folder and one more. */
async function seedFolders(db: Db, rooms: number): Promise<void> {
  await sql`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select room, 0, null::int, 'All Folders', 1, '{0}'::int[], 1 from ${eachRoom(rooms)} union all
    select room, room * 100 + n, 0, 'Folder ' || n, n, array[0, room * 100 + n], 1
    from ${eachRoom(rooms)} cross join generate_series(1, ${FOLDERS}::int) n`.execute(db)
  await sql`insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select f.workspace_id, g.id, 'view', f.id, f.id_path, true from folders f
    join groups g on g.workspace_id = f.workspace_id and g.kind = 'custom'
    where f.id <> 0 and (f.id % 2 = 0 or f.id % ${FOLDERS} = g.id % 10)`.execute(db)
  await sql`insert into files (workspace_id, id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
    select room, room * 1000 + n, room * 100 + n % ${FOLDERS} + 1, 'Contract ' || n || '.pdf', 'contract-' || n || '.pdf', n, 1,
      'application/pdf', '\\x00', room || '-' || n
    from ${eachRoom(rooms)} cross join generate_series(1, ${FILES}::int) n`.execute(db)
}

async function seedNews(db: Db, rooms: number): Promise<void> {
  await sql`insert into activities (workspace_id, user_id, user_name, verb, act, message, subject_type, subject_id, created_at)
    select room, 0, 'Alice Tester', 'created', 'file_added', 'added', 'Asset', room * 1000 + n, ${someHoursAgo('n')}
    from ${eachRoom(rooms)} cross join generate_series(1, ${CHANGED_FILES}::int) n`.execute(db)
  await sql`insert into activities (workspace_id, user_id, user_name, verb, act, message, subject_type, subject_id, created_at)
    select room, 0, 'Alice Tester', 'added', 'view_granted', 'granted', 'Group', room * 10 + n, ${someHoursAgo('n')}
    from ${eachRoom(rooms)} cross join generate_series(1, ${GROUPS / 2}::int) n`.execute(db)
}

/** Of each group as many, on folders; half of them are answered, and every fourth answer is published to all. */
async function seedQuestions(db: Db, rooms: number): Promise<void> {
  await sql`insert into question_rooms (workspace_id, last_number) select room, ${QUESTIONS}::int from ${eachRoom(rooms)}`.execute(
    db,
  )
  await sql`insert into questions (workspace_id, number, group_id, group_name, group_number, status, subject, text, asked_by,
      asked_at, folder_id, answer, answered_by, answered_at, reach)
    select room, n, room * 10 + n % ${GROUPS} + 1, 'Group', n, (case n % 8 when 1 then 'open' when 3 then 'open' else 'answered' end)::question_status,
      'Who pays for lot ' || n || '?', 'And since when?', 0, ${someHoursAgo('n')}, room * 100 + n % ${FOLDERS} + 1,
      'The seller.', 0, ${someHoursAgo('n')}, (case n % 4 when 0 then 'all' else 'group' end)::question_reach
    from ${eachRoom(rooms)} cross join generate_series(1, ${QUESTIONS}::int) n`.execute(db)
}
