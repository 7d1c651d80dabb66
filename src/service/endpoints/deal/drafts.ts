import { MOST_PLANNED_DAYS } from '../../../contract/endpoints/deal/drafts.ts'
import type { Api } from '../../../contract/index.ts'
import { admitScope } from '../../access/enter/organization.ts'
import { enterFolder, manageFolder, openFolderForUpload } from '../../access/enter/folder.ts'
import { administerWorkspace } from '../../access/enter/workspace.ts'
import { notFound, unprocessable } from '../../base/errors.ts'
import { tryOut } from '../../db/transaction.ts'
import type { Handlers } from '../../http/context.ts'
import { publishTogether } from '../../mail/publish-drafts.ts'
import { type Activity, record } from '../../store/audit/activities.ts'
import { created } from '../../store/audit/audit.ts'
import { listSeeingGroups } from '../../store/audit/recent-activities.ts'
import { findSchedule, putSchedule, type TakenSchedule, takeSchedule } from '../../store/folders/draft-schedules.ts'
import {
  countPublished,
  listDrafts,
  makeDraft,
  publishDrafts,
  refuseTooManyDrafts,
  requireDrafts,
} from '../../store/folders/drafts.ts'
import { getMeta } from '../../store/folders/folder-content.ts'
import { insertFolder, lockTree } from '../../store/folders/folders.ts'
import { publishStaged } from '../../store/rights/staged/publish-staged.ts'

export const drafts: Handlers<Api['drafts']> = {
  list: async ({ db, actor }, { params }) => listDrafts(db, await administerWorkspace(db, actor, params.id)),

  create: async ({ db, actor }, { body: { name, ...at } }) => {
    const workspace = await administerWorkspace(db, actor, at.workspace_id)
    const parent = await openFolderForUpload(db, workspace, at.parent_id)
    await lockTree(db, workspace, 'exclusive')

    const changes = created({ name, parent_id: parent.id, is_draft: true })
    const act = { act: 'folder_added', params: { name }, subject_id: null, changes } as const
    const draft = await insertFolder(db, parent, name, act, true)
    await refuseTooManyDrafts(db, workspace)
    return draft
  },

  withdraw: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)
    const folder = await manageFolder(db, workspace, params.id)
    if (folder.id === 0) throw unprocessable('id', 'not_root')

    await lockTree(db, workspace, 'exclusive')
    const seen_by_group_ids = await listSeeingGroups(db, folder, 'folder')
    await makeDraft(db, folder)
    await refuseTooManyDrafts(db, workspace)
    const changes = { is_draft: { before: false, after: true } }
    const act = { act: 'folder_drafted', params: { name: folder.name } } as const
    await record(db, workspace, { ...act, subject_id: folder.id, changes, seen_by_group_ids })
    return getMeta(db, await enterFolder(db, workspace, folder.id))
  },

  publish: async ({ db, actor, services }, { params, body: { folder_ids, dry_run, staged_rights, invitation } }) => {
    if (invitation) admitScope(actor, { scope: 'groups:write' })
    if (staged_rights !== undefined) admitScope(actor, { scope: 'permissions:write' })
    const workspace = await administerWorkspace(db, actor, params.id)
    await lockTree(db, workspace, 'exclusive')
    if (dry_run) {
      return tryOut(db, async (trial) => {
        if (staged_rights !== undefined) await publishStaged(trial, workspace, staged_rights)
        await publishDrafts(trial, workspace, folder_ids)
        return { ...(await countPublished(trial, workspace, folder_ids)), invited: 0 }
      })
    }

    if (staged_rights !== undefined) {
      const published = await publishStaged(db, workspace, staged_rights)
      await record(db, workspace, ...(published?.acts ?? []))
    }
    const invited = await publishTogether(db, workspace, services.config.publicUrl, { folder_ids, invitation })
    return { ...(await countPublished(db, workspace, folder_ids)), invited }
  },

  getSchedule: async ({ db, actor }, { params }) => ({
    schedule: await findSchedule(db, await administerWorkspace(db, actor, params.id)),
  }),

  setSchedule: async ({ db, actor }, { params, body: { folder_ids, opens_at, invitation } }) => {
    if (invitation) admitScope(actor, { scope: 'groups:write' })
    const at = readOpening(opens_at, actor.now)
    const workspace = await administerWorkspace(db, actor, params.id)
    await lockTree(db, workspace, 'exclusive')
    const folders = await requireDrafts(db, workspace, folder_ids)

    const former = await takeSchedule(db, workspace)
    await putSchedule(db, workspace, {
      folder_ids: folders.map(({ id }) => id),
      opens_at: at,
      invitation: invitation ? (invitation.message ?? '') : null,
    })
    await record(db, workspace, ...planningActs(former, folders, at))
    return { schedule: await findSchedule(db, workspace) }
  },

  removeSchedule: async ({ db, actor }, { params }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    await lockTree(db, workspace, 'exclusive')
    const former = await takeSchedule(db, workspace)
    if (!former) throw notFound()
    await record(db, workspace, ...planningActs(former, [], null))
  },
}

const DAY_MS = 24 * 3600_000

/** @throws ApiError 422 for a time that has passed or is too far ahead */
function readOpening(text: string, now: Date): string {
  const at = new Date(text)
  if (!(at > now)) throw unprocessable('opens_at', 'future_time')
  if (at.getTime() > now.getTime() + MOST_PLANNED_DAYS * DAY_MS) throw unprocessable('opens_at', 'within_a_year')
  return at.toISOString()
}

/** The acts of planning anew: what is planned for which folders, and which of the former ones are left out, unless they failed. */
function planningActs(
  former: TakenSchedule | undefined,
  folders: readonly { id: number; name: string }[],
  opens_at: string | null,
): Activity[] {
  const ended = former?.problem === null ? former : undefined
  const before = new Map(ended?.folders.map(({ id }) => [id, ended.opens_at]))
  const planned = folders.map(({ id, name }): Activity => {
    const changes = { opens_at: { before: before.get(id) ?? null, after: opens_at } }
    return { act: 'publishing_planned', params: { name, time: minuteOf(opens_at ?? '') }, subject_id: id, changes }
  })
  const kept = new Set(folders.map(({ id }) => id))
  const left = (ended?.folders ?? []).filter(({ id }) => !kept.has(id))
  const cancelled = left.map(({ id, name }): Activity => {
    const changes = { opens_at: { before: ended?.opens_at, after: null } }
    return { act: 'publishing_cancelled', params: { name }, subject_id: id, changes }
  })
  return [...cancelled, ...planned]
}

/** "2026-12-03 08:00 UTC". */
const minuteOf = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
