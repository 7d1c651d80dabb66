import type { Api } from '../../../contract/index.ts'
import { administerWorkspace } from '../../access/enter/workspace.ts'
import { settingsOf } from '../../access/rights-settings.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Handlers } from '../../http/context.ts'
import { recordLast } from '../../store/audit/activities.ts'
import { recordForAudit, removed } from '../../store/audit/audit.ts'
import { lockTree } from '../../store/folders/folders.ts'
import { shownEffect } from '../../store/rights/permission-changes.ts'
import { foreseeStaged } from '../../store/rights/staged/foreseen-staged.ts'
import { publishStaged } from '../../store/rights/staged/publish-staged.ts'
import { discardStaged, listStaged, stageRights } from '../../store/rights/staged/staged-rights.ts'

export const stagedRights: Handlers<Api['stagedRights']> = {
  list: async ({ db, actor }, { params }) => listStaged(db, await administerWorkspace(db, actor, params.id)),

  stage: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const settings = await settingsOf(db, workspace, body.changes)
    await lockTree(db, workspace, 'share')
    const places = await stageRights(db, workspace, settings)
    const deeds = settings.map(({ folder_id, group, rights }) => ({
      act: 'rights_staged' as const,
      params: { folder: places.get(folder_id)?.name ?? '', group: group.name },
      subject_id: group.id,
      changes: { folder_id: { after: folder_id }, rights: { after: rights } },
    }))
    await recordForAudit(db, workspace, ...deeds)
  },

  discard: async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const isAll = query.folder_id === undefined && query.group_id === undefined
    // Sent together: those who stage or publish delete rows too.
    const [, discarded] = await Promise.all([lockTree(db, workspace, 'exclusive'), discardStaged(db, workspace, query)])
    if (discarded.length === 0) {
      if (isAll) return
      throw notFound()
    }
    const deeds = discarded.map(({ folder_id, group_id, folder_name, group_name, rights }) => ({
      act: 'rights_unstaged' as const,
      params: { folder: folder_name, group: group_name },
      subject_id: group_id,
      changes: removed({ folder_id, rights }),
    }))
    await recordForAudit(db, workspace, ...deeds)
  },

  // Not from a replica: it is shown beside the list, whose digest is then published.
  foresee: async ({ db, actor }, { params }) => foreseeStaged(db, await administerWorkspace(db, actor, params.id)),

  publish: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    await lockTree(db, workspace, 'exclusive')
    const published = await publishStaged(db, workspace, body.digest)
    if (!published) throw refusal('nothing_staged')
    await recordLast(db, workspace, published.acts)
    return { effects: published.applied.map(shownEffect) }
  },
}
