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
 * Makes the staged rights apply. Requires the lock of the tree.
 * @param readUntil the time of the last one that the caller has read
 * @returns the effects, and the acts to record
 * @throws ApiError 409 if something was staged since
 */
export async function publishStaged(
  db: Db,
  workspace: AdministeredWorkspace,
  readUntil: string | undefined,
): Promise<{ applied: Applied[]; acts: Activity[] }> {
  const taken = await takeStaged(db, workspace, readUntil)
  if (taken.length === 0) return { applied: [], acts: [] }
  const { applied } = await applySettings(db, workspace, await settingsOf(db, workspace, taken))
  await recordForAudit(db, workspace, { act: 'staged_rights_published', subject_id: workspace.id })
  return { applied, acts: (await mapInTurns(applied, (effect) => actsOf(effect, false))).flat() }
}
