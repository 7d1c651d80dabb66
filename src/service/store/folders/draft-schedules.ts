import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, Workspace } from '../../access/scopes.ts'
import { nameOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { enqueueAt } from '../../jobs/queue.ts'
import { type Activity, record } from '../audit/activities.ts'
import { recordForAudit } from '../audit/audit.ts'

type Schedule = Reply<Api['drafts']['getSchedule']>['schedule']
type Problem = NonNullable<NonNullable<Schedule>['problem']>

interface Folder {
  id: number
  name: string
}

export interface Planned {
  folder_ids: readonly number[]
  opens_at: string
  invitation: string | null
}

/** The plan of a workspace, with those of its folders that are drafts. */
export async function findSchedule(db: Db, { id }: AdministeredWorkspace): Promise<Schedule> {
  const { rows } = await sql<{
    folder_ids: number[]
    opens_at: string
    invitation: string | null
    planned_at: string
    problem: Problem | null
    planner: { id: number; first_name: string; last_name: string; email: string }
  }>`
    select array(
        select f.id from folders f where f.workspace_id = s.workspace_id and f.id = any(s.folder_ids) and f.is_draft
          and f.deleted_at is null order by f.id
      ) as folder_ids, s.opens_at, s.invitation, s.planned_at, s.problem, ${planner} as planner
    from draft_schedules s ${withPlanner} where s.workspace_id = ${id}`.execute(db)
  if (!rows[0]) return null
  const { planner: by, invitation, ...facts } = rows[0]
  const planned_by = { id: by.id, name: nameOf(by) }
  return { ...facts, planned_by, invitation: invitation === null ? null : { message: invitation } }
}

const planner = sql`json_build_object('id', s.planned_by_id, 'first_name', coalesce(u.first_name, ''),
  'last_name', coalesce(u.last_name, ''), 'email', coalesce(u.email, ''))`
const withPlanner = sql`join workspaces w on w.id = s.workspace_id
  left join users u on u.organization_id = w.organization_id and u.id = s.planned_by_id`

/** Requires the exclusive lock of the tree. The job of a former plan finds nothing to do. */
export async function putSchedule(db: Db, { id, actor }: AdministeredWorkspace, planned: Planned): Promise<void> {
  const { folder_ids, opens_at, invitation } = planned
  const { rows } = await sql<{ id: number }>`
    insert into draft_schedules (workspace_id, folder_ids, opens_at, invitation, planned_by_id, planned_at,
      personal_key_id, secret_stamp)
    values (${id}, ${folder_ids}::int[], ${opens_at}, ${invitation}, ${actor.id}, ${actor.now},
      ${actor.personal_key?.id ?? null}, ${actor.personal_key?.secret_stamp ?? null})
    returning id`.execute(db)
  const [row] = rows
  if (row) await enqueueAt(db, 'open_drafts', { schedule_id: row.id }, opens_at)
}

/** Takes the plan of a workspace away, with its job. Requires the exclusive lock of the tree. @returns its folders */
export async function takeSchedule(db: Db, { id }: Pick<Workspace, 'id'>): Promise<TakenSchedule | undefined> {
  const { rows } = await sql<TakenSchedule>`
    with gone as (
      delete from draft_schedules where workspace_id = ${id} returning id, folder_ids, opens_at, problem
    ), job as (${deleteJobs})
    select gone.opens_at, gone.problem, ${foldersOf(id, sql`gone.folder_ids`)} as folders from gone`.execute(db)
  return rows[0]
}

export interface TakenSchedule {
  opens_at: string
  problem: Problem | null
  folders: Folder[]
}

const foldersOf = (workspaceId: number, ids: ReturnType<typeof sql>) => sql`coalesce((
  select json_agg(json_build_object('id', f.id, 'name', f.name) order by f.id) from folders f
  where f.workspace_id = ${workspaceId} and f.id = any(${ids})), '[]')`

/** Part of a statement that deletes the jobs of the plans in its part `gone`. */
const deleteJobs = sql`
  delete from jobs j using gone where j.kind = 'open_drafts' and j.payload ->> 'schedule_id' = gone.id::text`

/** Takes folders that are published out of the plan, and the plan away if none is left. Requires the exclusive lock of the tree. */
export async function shortenSchedule(
  db: Db,
  { id }: Pick<Workspace, 'id'>,
  folderIds: readonly number[],
): Promise<void> {
  const published = sql`${folderIds}::int[]`
  await sql`
    with shorter as (
      update draft_schedules set folder_ids = array(
        select folder from unnest(folder_ids) folder where folder <> all(${published}))
      where workspace_id = ${id} and folder_ids && ${published} and not folder_ids <@ ${published}
    ), gone as (
      delete from draft_schedules where workspace_id = ${id} and folder_ids <@ ${published} returning id
    )
    ${deleteJobs}`.execute(db)
}

export interface DueSchedule extends Planned {
  workspace_id: number
  organization_id: number
  folders: (Folder & { is_draft: boolean })[]
  /** It was given up, and may be tried again. */
  has_failed: boolean
  personal_key_id: number | null
  secret_stamp: string | null
  planner: { id: number; first_name: string; last_name: string; email: string }
}

/**
 * Locks the tree of the workspace of a plan, and then the plan itself, as everything does that changes it.
 * @returns undefined if the plan was changed, carried out or cancelled meanwhile, or cannot be carried out any more
 */
export async function lockSchedule(db: Db, scheduleId: number): Promise<DueSchedule | undefined> {
  await sql`
    select from workspaces where id = (select workspace_id from draft_schedules where id = ${scheduleId}) for update`.execute(
    db,
  )
  const { rows } = await sql<DueSchedule>`
    select s.workspace_id, w.organization_id, s.folder_ids, s.opens_at, s.invitation, s.personal_key_id, s.secret_stamp,
      s.problem is not null as has_failed, ${planner} as planner, coalesce((
        select json_agg(json_build_object('id', f.id, 'name', f.name,
          'is_draft', f.is_draft and f.deleted_at is null) order by f.id)
        from folders f where f.workspace_id = s.workspace_id and f.id = any(s.folder_ids)
      ), '[]') as folders
    from draft_schedules s ${withPlanner} where s.id = ${scheduleId} and coalesce(s.problem, 'failed') = 'failed' for update of s`.execute(
    db,
  )
  return rows[0]
}

/**
 * Keeps a plan that was not carried out, with the reason, for admins. The planner may not be an admin any more,
 * and would find the present names of drafts among their own activities: only the audit trail has it.
 */
export async function noteProblem(db: Db, scheduleId: number, schedule: DueSchedule, problem: Problem): Promise<void> {
  await sql`update draft_schedules set problem = ${problem} where id = ${scheduleId}`.execute(db)
  await recordForAudit(db, { id: schedule.workspace_id, actor: doerOf(schedule) }, ...missed(schedule.folders))
}

/** Records in the name of the planner that drafts were not published with the others. */
export async function recordMissed(
  db: Db,
  workspace: AdministeredWorkspace,
  folders: readonly Folder[],
): Promise<void> {
  await record(db, workspace, ...missed(folders))
}

const doerOf = ({ planner: by }: DueSchedule) => ({ ...by, ip: '', request_id: null, personal_key: undefined })

const missed = (folders: readonly Folder[]): Activity[] =>
  folders.map(({ id, name }) => ({ act: 'publishing_missed', params: { name }, subject_id: id }))
