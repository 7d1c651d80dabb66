import type { Scope } from '../../contract/scopes.ts'
import { enterPlanner } from '../access/enter/planner.ts'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { record } from '../store/audit/activities.ts'
import {
  type DueSchedule,
  lockSchedule,
  noteProblem,
  recordMissed,
  takeSchedule,
} from '../store/folders/draft-schedules.ts'
import { listUninvitedTo, publishDrafts, recordPublished } from '../store/folders/drafts.ts'
import { INVITED_AT_A_TIME, invitationActs } from '../store/people/invitations.ts'
import { inviteMembers } from './invitation.ts'

interface Publishing {
  folder_ids: readonly number[]
  invitation?: { message?: string | undefined } | undefined
}

/**
 * Publishes drafts together, as news, and invites. Requires the exclusive lock of the tree.
 * @returns the number of invited people
 * @throws ApiError as `publishDrafts`
 */
export async function publishTogether(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  { folder_ids, invitation }: Publishing,
  act: 'folder_published' | 'folder_published_as_planned' = 'folder_published',
): Promise<number> {
  const folders = await publishDrafts(db, workspace, folder_ids)
  const changes = { is_draft: { before: true, after: false } }
  const acts = folders.map(({ id, name }) => ({ act, params: { name }, subject_id: id, changes }))
  await record(db, workspace, ...acts)
  await recordPublished(db, workspace, folder_ids)
  const awaited = invitation ? await listUninvitedTo(db, workspace, folder_ids, INVITED_AT_A_TIME) : []
  const invited = await inviteMembers(db, workspace, publicUrl, { members: awaited, ...invitation })
  await record(db, workspace, ...invitationActs(invited))
  return invited.length
}

interface Means {
  db: Db
  publicUrl: string
  clock: () => Date
}

/** Carries out a plan to publish drafts, once, with the rights that its planner has by now. */
export async function openDrafts({ db, publicUrl, clock }: Means, scheduleId: number): Promise<void> {
  await transaction(db, async (tx) => {
    const schedule = await lockSchedule(tx, scheduleId)
    if (!schedule) return
    const planner = { ...schedule, user_id: schedule.planner.id, scopes: scopesFor(schedule) }
    const workspace = await enterPlanner(tx, planner, clock())
    if (!workspace) return noteProblem(tx, scheduleId, schedule, reasonOf(schedule))
    const drafts = schedule.folders.filter(({ is_draft }) => is_draft)
    if (drafts.length === 0) return noteProblem(tx, scheduleId, schedule, 'no_draft_left')

    await takeSchedule(tx, workspace)
    const invitation = schedule.invitation === null ? undefined : { message: schedule.invitation }
    const publishing = { folder_ids: drafts.map(({ id }) => id), invitation }
    await publishTogether(tx, workspace, publicUrl, publishing, 'folder_published_as_planned')
    const missed = schedule.folders.filter(({ is_draft }) => !is_draft)
    await recordMissed(tx, workspace, missed)
  })
}

/** The scopes that planning it needs. */
const scopesFor = ({ invitation }: DueSchedule): Scope[] =>
  invitation === null ? ['folders:write'] : ['folders:write', 'groups:write']

const reasonOf = ({ personal_key_id }: DueSchedule) => (personal_key_id === null ? 'planner_no_admin' : 'key_ended')

/** Tells admins that a plan could not be carried out although it was tried several times. */
export async function giveUpOpening(db: Db, scheduleId: number): Promise<void> {
  await transaction(db, async (tx) => {
    const schedule = await lockSchedule(tx, scheduleId)
    if (schedule && !schedule.has_failed) await noteProblem(tx, scheduleId, schedule, 'failed')
  })
}
