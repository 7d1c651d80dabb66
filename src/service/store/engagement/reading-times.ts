import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import { MAX_BATCH_MS } from '../../../contract/endpoints/deal/engagement.ts'
import type { Api } from '../../../contract/index.ts'
import type { ReadableFile } from '../../access/scopes.ts'
import type { Fragment } from '../../access/sql.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'

type Batch = Input<Api['engagement']['record']>['body']

/** Every batch costs so much of the reader's time at least. Milliseconds. */
const LEAST_MS = 1000
/** A page that was shown for less was passed by. */
const LEAST_PAGE_MS = 100
/** Batches that are known again. */
const REMEMBERED = 20

/**
 * Counts a batch once. A reader has no more time than passes: what is counted in a workspace never adds up to more than
 * the time since the first batch and `MAX_BATCH_MS`.
 * @throws ApiError 404 for a page that the version does not have, 409 for more time than has passed
 */
export async function countReading(db: Db, file: ReadableFile, batch: Batch): Promise<void> {
  const { workspace } = file.folder
  const { id: userId, now } = workspace.actor
  const spent = Math.max(LEAST_MS, sumOf(batch))
  if (spent > MAX_BATCH_MS) throw refusal('reading_exceeds_time')
  const last = Math.max(...batch.pages.map(({ page_number }) => page_number))
  const read = batch.pages.filter(({ ms }) => ms >= LEAST_PAGE_MS)
  const [pages, times] = [read.map(({ page_number }) => page_number), read.map(({ ms }) => ms)]
  const full = sql`${now}::timestamptz - ${MAX_BATCH_MS}::int * interval '1 ms'`
  const cost = sql`${spent}::int * interval '1 ms'`
  const { rows } = await sql`
    with clock as (
      insert into reading_clocks as c (workspace_id, user_id, used_until, batch_ids)
      select w.id, ${userId}, ${full} + ${cost}, array[${batch.batch_id}::uuid]
      from workspaces w
      join file_versions v on v.workspace_id = w.id and v.file_id = ${file.id} and v.version = ${batch.version}
      join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
      where w.organization_id = ${workspace.organization_id} and w.id = ${workspace.id} and w.measures_reading
        and cardinality(d.page_widths) >= ${last}::int
      on conflict (workspace_id, user_id) do update
        set used_until = greatest(c.used_until, ${full}) + ${cost},
          batch_ids = (excluded.batch_ids || c.batch_ids)[1:${REMEMBERED}::int]
        where c.batch_ids @> excluded.batch_ids is false and greatest(c.used_until, ${full}) + ${cost} <= ${now}::timestamptz
      returning 1
    ), counted as (
      insert into reading_times as t (workspace_id, user_id, file_id, version, page, day, ms)
      select ${workspace.id}, ${userId}, ${file.id}, ${batch.version}, read.page, (${now}::timestamptz at time zone 'UTC')::date,
        sum(read.ms)
      from clock cross join unnest(${pages}::int[], ${times}::int[]) read (page, ms)
      group by read.page
      on conflict (workspace_id, user_id, file_id, version, page, day) do update set ms = t.ms + excluded.ms
    )
    select from clock`.execute(db)
  if (rows.length === 0) await explain(db, file, batch)
}

const sumOf = ({ pages }: Batch) => pages.reduce((sum, { ms }) => sum + ms, 0)

/** A batch that was counted before is no failure. */
async function explain(db: Db, { id, folder: { workspace } }: ReadableFile, batch: Batch): Promise<void> {
  const { rows } = await sql<{ measures: boolean; pages: number | null; known: boolean }>`
    select w.measures_reading as measures, coalesce(c.batch_ids @> array[${batch.batch_id}::uuid], false) as known, (
      select cardinality(d.page_widths) from file_versions v
      join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
      where v.workspace_id = w.id and v.file_id = ${id} and v.version = ${batch.version}) as pages
    from workspaces w left join reading_clocks c on c.workspace_id = w.id and c.user_id = ${workspace.actor.id}
    where w.organization_id = ${workspace.organization_id} and w.id = ${workspace.id}`.execute(db)
  const { measures = false, pages = 0, known = false } = rows[0] ?? {}
  if (known) return
  if (!measures) throw refusal('reading_not_measured')
  if (batch.pages.some(({ page_number }) => page_number > (pages ?? 0))) throw notFound()
  throw refusal('reading_exceeds_time')
}

const SWEEP_BATCH = 5000

/** Removes what is older than each workspace keeps it. */
export async function sweepReadingTimes(db: Db, now: Date): Promise<void> {
  const today = sql`(${now}::timestamptz at time zone 'UTC')::date`
  await inBatches(
    db,
    'reading_times',
    sql`workspaces w cross join lateral (
      select ctid from reading_times t where t.workspace_id = w.id and t.day < ${today} - w.reading_kept_days
      limit ${SWEEP_BATCH} for update skip locked
    ) old`,
  )
  await inBatches(
    db,
    'reading_clocks',
    sql`(select ctid from reading_clocks where used_until < ${now}::timestamptz - interval '1 day'
      limit ${SWEEP_BATCH} for update skip locked) old`,
  )
}

async function inBatches(db: Db, table: string, old: Fragment): Promise<void> {
  for (let removed = SWEEP_BATCH; removed === SWEEP_BATCH;) {
    const { rows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(select old.ctid from ${old} limit ${SWEEP_BATCH}))
      returning 1`.execute(db)
    removed = rows.length
  }
}
