import { settingsOf } from '../../../access/rights-settings.ts'
import type { AdministeredWorkspace } from '../../../access/scopes.ts'
import { mapInTurns } from '../../../base/turns.ts'
import type { Db } from '../../../db/pool.ts'
import type { Activity } from '../../audit/activities.ts'
import { recordForAudit } from '../../audit/audit.ts'
import { type Applied, applySettings } from '../permission-changes.ts'
import { actsOf } from '../rights-acts.ts'
import { takeStaged } from './staged-rights.ts'

/**
 * Makes the staged rights apply. Requires the exclusive lock of the tree: staging locks groups first.
 * @param digest of what the caller has read
 * @returns the effects, and the acts to record; undefined if nothing was staged
 * @throws ApiError 409 if something else is staged by now
 */
export async function publishStaged(
  db: Db,
  workspace: AdministeredWorkspace,
  digest: string | undefined,
): Promise<{ applied: Applied[]; acts: Activity[] } | undefined> {
  const taken = await takeStaged(db, workspace, digest)
  if (taken.length === 0) return undefined
  const { applied } = await applySettings(db, workspace, await settingsOf(db, workspace, taken))
  await recordForAudit(db, workspace, {
    act: 'staged_rights_published',
    subject_id: workspace.id,
    changes: { staged: { before: taken.length, after: 0 } },
  })
  return { applied, acts: (await mapInTurns(applied, (effect) => actsOf(effect, false))).flat() }
}
