import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arriveAt } from '../access/enter/arrival.ts'
import { enterFile } from '../access/enter/file.ts'
import { enterFolder } from '../access/enter/folder.ts'
import { enterAsGroup } from '../access/enter/view-as.ts'
import { enterLatestWorkspaces } from '../access/enter/workspace.ts'
import type { Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { importedRoom, importRoom, openImportedRooms } from '../testing/imported-rooms.ts'
import { listActivities, listFeed } from './audit/activities.ts'
import { listUnchecked, tellOfDamage } from './documents/damage.ts'
import { listDownloads } from './downloads/downloads.ts'
import { listEngagedFiles, listEngagedFolders } from './engagement/engaged-files.ts'
import { listEngagedGroups } from './engagement/engaged-groups.ts'
import { readFileEngagement } from './engagement/engaged-pages.ts'
import { listEngagedPeople } from './engagement/engaged-people.ts'
import { readEngagementReport } from './engagement/engagement-report.ts'
import { sweepReadingTimes } from './engagement/reading-times.ts'
import { getFile } from './files/files.ts'
import { insertFile } from './files/new-file.ts'
import { listVersions } from './files/file-versions.ts'
import { listUnreadFiles } from './files/unread-files.ts'
import { getContent, getMeta } from './folders/folder-content.ts'
import { deleteFolder, insertFolder, moveFolder, renameFolder } from './folders/folders.ts'
import { listFaultyTerms, readUnscannedTerms } from './health/scan-health.ts'
import { listQuestions } from './questions/list-questions.ts'
import { getQuestionSettings } from './questions/question-settings.ts'
import { getThread } from './questions/question-thread.ts'
import { getSheet } from './rights/permission-sheet.ts'
import { listFolderPermissions } from './rights/permission-level.ts'
import { setFlags } from './rights/permissions.ts'
import { claimDue, listWorkspacesWithDue, putOff } from './notifications/due-members.ts'
import { readNews } from './notifications/member-news.ts'
import { noteOutcomes } from './notifications/refused-addresses.ts'
import { readSlots } from './notifications/slots.ts'
import { searchFiles } from './search/file-search.ts'
import { searchFolders } from './search/folder-search.ts'
import { claimUnscannedPdf } from './terms/unscanned-pdfs.ts'
import { listTrash } from './trash/trash.ts'
import { listGroupMembers } from './workspaces/group-memberships.ts'
import { listNewFiles, listNews } from './news/news.ts'
import { listNewsItems } from './news/news-items.ts'
import { listUnread, markRead, noteQuestionView } from './news/unread.ts'
import { setFavourite } from './workspaces/workspace-memberships.ts'
import { listEnterableWorkspaces } from './workspaces/workspaces.ts'

// No statement of a hot request reads a large table from end to end, with statistics or without.

const ROOMS = 3
const CHAINS = 600
const PEOPLE = 2000
const TIMES = 100_000
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' }
const LARGE = [
  'folders',
  'files',
  'file_versions',
  'folder_permissions',
  'activities',
  'search_entries',
  'documents',
].concat([
  'users',
  'workspace_memberships',
  'group_memberships',
  'api_keys',
  'reading_times',
  'questions',
  'terms_pdfs',
])
/** In the middle of the first room: has one subfolder and one file. */
const FOLDER = 901

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
  for (let id = 1; id <= ROOMS; id++) await importRoom(db, id, CHAINS)
  await sql`delete from folder_permissions where folder_id % 50 <> 0`.execute(db)
  await sql`update folders set name = 'Plan ' || id where id > 0 and id % 500 = 1`.execute(db)
  await sql`insert into activities (workspace_id, user_id, user_name, verb, message)
    select n % ${ROOMS}::int + 1, n % 20, 'Someone', 'viewed', 'viewed' from generate_series(1, 5000) n`.execute(db)
  await sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
    select n % ${ROOMS}::int + 1, 3, 'Someone', 'created', 'added', 'Asset', n, now() - interval '2 hours'
    from generate_series(1, 900) n`.execute(db)
  await sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id)
    select ${ROOMS}::int, 1, 'Reader', 'created', 'added', 'Asset', n from generate_series(1, 3000) n`.execute(db)
  await sql`insert into documents (workspace_id, blob_id, content_type) select workspace_id, blob_id, 'text/plain' from files`.execute(
    db,
  )
  await sql`insert into terms_pdfs (workspace_id, blob_id, file_name, size, sha256, page_widths, page_heights, page_texts,
      uploaded_at, uploaded_by_id, scanned_at)
    select n % ${ROOMS}::int + 1, 'terms ' || n, 'Terms.pdf', 1, '\\x00', '{}', '{}', array[repeat('terms ', 100)], now(), 1, now()
    from generate_series(1, 5000) n`.execute(db)
  await sql`select setval(pg_get_serial_sequence('folders', 'id'), 100000)`.execute(db)
  await addPeople()
  await sql`insert into reading_times (workspace_id, user_id, file_id, version, page, day, ms)
    select n % ${ROOMS}::int + 1, n % 50 + 1, n % 1500 + 1, 1, n % 40 + 1, date '2026-11-01' + (n / 3 / 1500)::int, 5000
    from generate_series(0, ${TIMES - 1}::int) n on conflict do nothing`.execute(db)
  await sql`insert into questions (workspace_id, number, group_id, group_name, group_number, status, subject, text, asked_by, file_id, reach)
    select n % ${ROOMS}::int + 1, n, case when n % 60 < 3 then 1 end, 'Group', n, (case n % 4 when 0 then 'answered' else 'open' end)::question_status,
      'Why?', repeat('Because of what? ', 20), 1, n % 1500 + 1, (case n % 200 when 0 then 'all' else 'group' end)::question_reach
    from generate_series(1, 9000) n`.execute(db)
})
afterAll(() => close())

/** Everyone is in all workspaces, and in their first group, and has a key. The first of them is in the second group, too. */
async function addPeople(): Promise<void> {
  await sql`insert into users (organization_id, id, email, token_hash, token_sealed)
    select 1, n, n || '@example.com', sha256(n::text::bytea), '' from generate_series(1, ${PEOPLE}::int) n`.execute(db)
  await sql`insert into api_keys (organization_id, user_id, name, public_key, secret_sealed)
    select organization_id, id, 'Key', 'key ' || id, '' from users`.execute(db)
  await sql`insert into workspace_memberships (workspace_id, user_id, organization_id, joined_at, mailed_until)
    select w.id, u.id, 1, now() - interval '1 day', now() - interval '1 day' from workspaces w cross join users u`.execute(
    db,
  )
  await sql`insert into group_memberships (workspace_id, group_id, user_id)
    select workspace_id, 1, user_id from workspace_memberships union all select 1, 2, 1`.execute(db)
}

const asked = () => ({
  key: 'key 1',
  token_hash: createHash('sha256').update('1').digest(),
  session: null,
  now: new Date(),
})
const FEED = { together: true, per_page: 50 }
const act = { act: 'folder_added', params: { name: 'New' }, subject_id: null } as const

const works: Record<string, (db: Db, workspace: Workspace) => Promise<unknown>> = {
  'a folder': async (tx, workspace) => getContent(tx, await enterFolder(tx, workspace, FOLDER)),
  'a page of the top': async (tx, workspace) =>
    getContent(tx, await enterFolder(tx, workspace, 0), { page: 1, per_page: 10 }),
  'one folder alone': async (tx, workspace) => getMeta(tx, await enterFolder(tx, workspace, FOLDER)),
  'a level of the grid': async (tx, workspace) =>
    listFolderPermissions(tx, groupOf(workspace), await enterFolder(tx, workspace, FOLDER)),
  'a level of the sheet': (tx, workspace) => getSheet(tx, workspace, [groupOf(workspace)], { folder_ids: [FOLDER] }),
  'a level of the sheet as it is planned': (tx, workspace) =>
    getSheet(tx, workspace, [groupOf(workspace)], { folder_ids: [FOLDER], staged: true }),
  'the sheet of a subtree as it is planned': (tx, workspace) =>
    getSheet(tx, workspace, [groupOf(workspace)], { folder_ids: [], below: FOLDER, staged: true }),
  'a search for files': (tx, workspace) => searchFiles(tx, workspace, { q: 'report', page: 1, per_page: 25 }),
  'a search for folders': (tx, workspace) => searchFolders(tx, workspace, { q: 'plan 1', page: 1, per_page: 25 }),
  'the newest activities': (tx, workspace) => listActivities(tx, workspace, {}, { page: 1, per_page: 100 }),
  'the newest events of the feed': (tx, workspace) => listFeed(tx, workspace, FEED, {}),
  'the events of a folder': async (tx, workspace) =>
    listFeed(tx, workspace, FEED, { folder: await enterFolder(tx, workspace, FOLDER) }),
  'the events of a group': (tx, workspace) => listFeed(tx, workspace, FEED, { group: groupOf(workspace) }),
  'the acts of a zip': (tx, workspace) => listFeed(tx, workspace, { ...FEED, zip_id: 7 }, {}),
  'the own downloads': (tx, workspace) => listDownloads(tx, workspace),
  'an arrival at a folder': (tx) => arriveAt({ workspace_id: 1, folder_id: FOLDER, group_id: 2 }).find(tx, asked()),
  'an arrival at a file': (tx) => arriveAt({ workspace_id: 1, file_id: FOLDER }).find(tx, asked()),
  'a file': async (tx, workspace) => getFile(tx, await enterFile(tx, readerOf(workspace), FOLDER)),
  'the versions of a file': async (tx, workspace) => {
    return listVersions(tx, (await enterFile(tx, readerOf(workspace), FOLDER)) as never)
  },
  'the sheet of a subtree': (tx, workspace) =>
    getSheet(tx, workspace, [groupOf(workspace)], { folder_ids: [], below: FOLDER }),
  'the news of workspaces': (tx, workspace) => listNews(tx, [workspace, { ...workspace, id: 2 }]),
  'the items of news': (tx, workspace) => listNewsItems(tx, [workspace, { ...workspace, id: 2 }]),
  'the items of news after many own changes': (tx, workspace) => listNewsItems(tx, [{ ...workspace, id: ROOMS }]),
  'the unread files of a workspace': (tx, workspace) => listUnread(tx, workspace),
  'news that were read': (tx, workspace) => markRead(tx, [workspace], new Date().toISOString()),
  'the new files of a workspace': (tx, workspace) => listNewFiles(tx, workspace, null),
  'the files that a group has not read': (tx, workspace) =>
    listUnreadFiles(tx, groupOf(workspace), readerOf(workspace), { page: 1, per_page: 25 }),
  'a folder as a group sees it': async (tx, workspace) => {
    const seen = await enterAsGroup(tx, workspace as never, 2)
    return getContent(tx, await enterFolder(tx, readerOf(seen), FOLDER))
  },
  'a favourite': (tx, workspace) => setFavourite(tx, workspace, true),
  'the workspaces of the news': (tx, { actor }) => enterLatestWorkspaces(tx, actor, 20),
  'an arrival with a new member': (tx) => arriveAt({ workspace_id: 1, group_id: 2, member_id: 3 }).find(tx, asked()),
  'the members of a group': (tx, workspace) => listGroupMembers(tx, { id: 2, workspace } as never),
  'the trash': (tx, workspace) => listTrash(tx, workspace as never, { page: 1, per_page: 25 }),
  'the own workspaces': (tx, { actor }) => listEnterableWorkspaces(tx, { id: 1, actor } as never),
  'the engagement of groups': (tx, workspace) => listEngagedGroups(tx, workspace as never, NOVEMBER),
  'the engagement of people': (tx, workspace) =>
    listEngagedPeople(tx, workspace as never, NOVEMBER, { page: 1, per_page: 25 }),
  'the engagement with a file': async (tx, workspace) => {
    const file = await enterFile(tx, readerOf(workspace), FOLDER)
    return readFileEngagement(tx, workspace as never, file, NOVEMBER, undefined)
  },
  'the engagement with files': async (tx, workspace) =>
    listEngagedFiles(tx, (await enterFolder(tx, workspace, 0)) as never, NOVEMBER, { page: 1, per_page: 25 }),
  'the report of the engagement': async (tx, workspace) =>
    readEngagementReport(tx, (await enterFolder(tx, workspace, 0)) as never, NOVEMBER),
  'the engagement with folders': async (tx, workspace) =>
    listEngagedFolders(tx, (await enterFolder(tx, workspace, 0)) as never, NOVEMBER, { page: 1, per_page: 25 }),
  'the questions': (tx, workspace) => listQuestions(tx, workspace, { per_page: 50 }),
  'the answered questions': (tx, workspace) => listQuestions(tx, workspace, { per_page: 50, status: 'answered' }),
  'the questions with a word': (tx, workspace) => listQuestions(tx, workspace, { per_page: 50, q: 'because' }),
  'the FAQ': (tx, workspace) => listQuestions(tx, workspace, { per_page: 50, faq: true }),
  'a question': (tx, workspace) => getThread(tx, workspace, NO_QUESTION).catch(() => undefined),
  'a question that was opened': async (tx, workspace) => noteQuestionView(tx, workspace, await someQuestion(tx)),
  'who may ask questions': (tx, workspace) => getQuestionSettings(tx, workspace),
  'a sweep of reading times': (tx) => sweepReadingTimes(tx, new Date()),
  'a new folder': async (tx, workspace) => {
    return insertFolder(tx, (await enterFolder(tx, readerOf(workspace), FOLDER)) as never, 'New', act)
  },
  'a new name': async (tx, workspace) => {
    const folder = await enterFolder(tx, readerOf(workspace), FOLDER)
    return renameFolder(tx, folder as never, 'Other', () => act)
  },
  'a folder that moves': async (tx, workspace) => {
    const [folder, target] = [
      await enterFolder(tx, readerOf(workspace), 902),
      await enterFolder(tx, readerOf(workspace), 1),
    ]
    return moveFolder(tx, folder as never, target as never, undefined)
  },
  'a deleted folder': async (tx, workspace) => {
    return deleteFolder(tx, (await enterFolder(tx, readerOf(workspace), 902)) as never)
  },
  'the time zones of mails of news': (tx) => readSlots(tx, new Date()),
  'the workspaces with news to mail': (tx) => listWorkspacesWithDue(tx, SLOTS, new Date()),
  'a claim of news to mail': (tx) => claimDue(tx, 1, { slots: SLOTS, asOf: new Date(), most: 20 }),
  'news to mail': (tx) => readNews(tx, 1, NEWS_READERS, new Date().toISOString().slice(0, 10)),
  'news that were mailed': (tx) => noteOutcomes(tx, 1, { taken: [1, 2, 3], refused: [4] }, new Date()),
  'news to mail later': (tx) => putOff(tx, 1, NEWS_READERS, new Date()),
  'content to compare with its hash': (tx) => listUnchecked(tx, new Date(), 20),
  'damage to tell of': (tx) => tellOfDamage(tx, 'http://dashboard.test'),
  'a claim of terms to scan': (tx) => claimUnscannedPdf(tx),
  'terms that wait for a scan': (tx) => readUnscannedTerms(tx),
  'terms with malware': (tx) => listFaultyTerms(tx, 'infected'),
  'terms that cannot be scanned': (tx) => listFaultyTerms(tx, 'unscannable'),
  'a new right': async (tx, workspace) => {
    const folder = await enterFolder(tx, readerOf(workspace), FOLDER)
    const group = { id: 2, name: 'Group', kind: 'custom', workspace }
    return setFlags(tx, group as never, folder, [{ flag: 'upload', value: true }], () => act)
  },
}

const NO_QUESTION = '00000000-0000-4000-8000-000000000000'
const someQuestion = async (tx: Db) => {
  const { rows } = await sql<{ id: string }>`select id from questions where workspace_id = 1 and number = 3`.execute(tx)
  return rows[0]?.id ?? NO_QUESTION
}
const SLOTS = { time_zones: ['UTC'], daily_at: [new Date().toISOString()], weekly_at: [new Date().toISOString()] }
const LONG_AGO = '2020-01-01T00:00:00Z'
const NEWS_READERS = Array.from({ length: 20 }, (_, n) => ({
  user_id: n + 1,
  since: LONG_AGO,
  until: new Date().toISOString(),
  questions_since: LONG_AGO,
}))

/** A caller who may enter every folder: the works themselves ask for nothing else. */
const readerOf = (workspace: Workspace): Workspace => ({ ...workspace, admin: true })

const groupOf = (workspace: Workspace) => ({ id: 1, kind: 'custom', workspace }) as never

/** The scans of whole large tables by some work. The counters begin with those of earlier transactions of the session. */
async function scansOf(work: (tx: Db) => Promise<unknown>): Promise<Record<string, number>> {
  const tx = await db.startTransaction().execute()
  try {
    // Checks of foreign keys may have been planned while the tables were empty.
    await sql`discard plans`.execute(tx)
    // Our connections avoid such scans at any price. Here the planner decides by cost, so that a missing index shows.
    // Before version 17 it prefers such scans also where an index is at hand.
    await sql`set local enable_seqscan = ${sql.raw((await isRecent(tx)) ? 'on' : 'off')}`.execute(tx)
    const before = await countScans(tx)
    await work(tx)
    const after = await countScans(tx)
    const scanned = LARGE.filter((table) => after[table] !== before[table])
    return Object.fromEntries(scanned.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]))
  } finally {
    await tx.rollback().execute()
  }
}

async function isRecent(tx: Db): Promise<boolean> {
  const { rows } = await sql<{
    recent: boolean
  }>`select current_setting('server_version_num')::int >= 170000 as recent`.execute(tx)
  return rows[0]?.recent ?? false
}

async function countScans(tx: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ relname: string; seq_scan: number }>`
    select relname, seq_scan from pg_stat_xact_user_tables where relname = any(${LARGE}::text[])`.execute(tx)
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]))
}

it.each([
  ['an admin', true, 'no statistics'],
  ['a member', false, 'no statistics'],
  ['an admin', true, 'statistics'],
  ['a member', false, 'statistics'],
])('K30: no request of %s reads a large table from end to end, with admin: %s and %s', async (_, admin, statistics) => {
  if (statistics === 'statistics') await sql`analyze`.execute(db)
  const workspace = { ...importedRoom(1, admin), managing_group_ids: [] } as Workspace
  for (const [work, run] of Object.entries(works)) {
    expect([work, await scansOf((tx) => run(tx, workspace))]).toEqual([work, {}])
  }
})

it('a statement that reads a large table from end to end is counted', async () => {
  const scans = await scansOf((tx) => sql`select name from folders where name like '%x'`.execute(tx))
  expect(scans).toEqual({ folders: 1 })
})

it('K30: acts that were planned in a young installation read no more rows in a large one', async () => {
  const own = await openImportedRooms()
  await importRoom(own.db, 1, 1)
  await sql`select setval(pg_get_serial_sequence(name, 'id'), 100000) from unnest(array['folders', 'files']) name`.execute(
    own.db,
  )
  const tx = await own.db.startTransaction().execute()
  const workspace = { ...importedRoom(1, true), managing_group_ids: [] } as Workspace
  let serial = 0
  const acts: Record<string, () => Promise<unknown>> = {
    'a new file': async () => insertFile(tx, (await enterFolder(tx, workspace, 1)) as never, contentOf(++serial)),
    'a new folder': async () =>
      insertFolder(tx, (await enterFolder(tx, workspace, 1)) as never, `New ${++serial}`, act),
  }
  try {
    for (let call = 0; call < 10; call++) for (const run of Object.values(acts)) await run()
    for (let room = 2; room < 5; room++) await importRoom(tx, room, CHAINS)
    await sql`insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
      select 1, 2, n || '.txt', n || '.txt', n, 1, 'text/plain', '\\x00', 'many ' || n from generate_series(1, 3000) n`.execute(
      tx,
    )
    await sql`insert into documents (workspace_id, blob_id, content_type) select workspace_id, blob_id, 'text/plain' from files
      on conflict do nothing`.execute(tx)
    // An older planner reads the few folders beside the changed one, too.
    const most = (await isRecent(tx)) ? 60 : 100
    for (const [name, run] of Object.entries(acts)) {
      const before = await countAllReads(tx)
      await run()
      expect([name, (await countAllReads(tx)) - before]).toEqual([
        name,
        expect.toSatisfy((read: number) => read < most),
      ])
    }
  } finally {
    await tx.rollback().execute()
    await own.close()
  }
})

const contentOf = (serial: number) =>
  ({
    blob: { blob_id: `blob ${serial}`, size: 1, sha256: Buffer.from('0'), crc32: 0 },
    file_name: `${serial}.txt`,
    file_content_type: 'text/plain',
    viewer_status: 'Pending',
    held: false,
  }) as never

it('K30: the questions of a workspace are read once for all that an admin is to do', async () => {
  const tx = await db.startTransaction().execute()
  const workspace = { ...importedRoom(1, true), managing_group_ids: [] } as Workspace
  const readsOf = async () => {
    const before = await countReads(tx, 'questions')
    await listNews(tx, [workspace])
    return (await countReads(tx, 'questions')) - before
  }
  try {
    await sql`update questions set assignee_id = 1, due_on = case when number % 2 = 0 then date '2020-01-01' end
      where workspace_id = 1`.execute(tx)
    const all = await countOf(tx, sql`questions where workspace_id = 1`)
    // The news themselves read those that nobody has begun to answer.
    expect([all, (await readsOf()) / all]).toEqual([3000, expect.toSatisfy((passes: number) => passes <= 2)])
  } finally {
    await tx.rollback().execute()
  }
})

async function countOf(tx: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count from ${rows}`.execute(tx)
  return counted[0]?.count ?? 0
}

async function countReads(tx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as reads from pg_stat_xact_user_tables
    where relname = ${table}`.execute(tx)
  return rows[0]?.reads ?? 0
}

async function countAllReads(tx: Db): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as reads from pg_stat_xact_user_tables`.execute(
    tx,
  )
  return rows[0]?.reads ?? 0
}

it('a search of a member is planned once for many calls, in a large room', async ({ skip }) => {
  skip(!(await isRecent(db)), 'PostgreSQL before 17 plans it anew at each call')
  const own = await openImportedRooms()
  const workspace = { ...importedRoom(1, false), group_ids: [1, 2] } as Workspace
  await importRoom(own.db, 1, CHAINS)
  await sql`analyze`.execute(own.db)
  const tx = await own.db.startTransaction().execute()
  try {
    await sql`update pg_class set reltuples = 100 * reltuples
      where relname in ('folders', 'folder_permissions')`.execute(tx)
    for (let call = 0; call < 10; call++) {
      await searchFolders(tx, workspace, { q: 'plan 1', page: 1, per_page: 25 })
      await searchFiles(tx, workspace, { q: 'report', page: 1, per_page: 25 })
    }
    const { rows } = await sql<{ calls: number }>`
      select custom_plans::int as calls from pg_prepared_statements
      where statement like any (array['%with named as%', '%with matching as%'])`.execute(tx)
    // It plans the first five calls anew, in order to compare.
    expect(rows.filter(({ calls }) => calls > 5)).toEqual([])
  } finally {
    await tx.rollback().execute()
    await own.close()
  }
})
