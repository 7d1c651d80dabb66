import { FLAGS, type Flag } from '../../../contract/permissions.ts'
import type { RightsChange } from './change-rights.ts'
import type { FolderTree, GroupRights } from './folder-tree.ts'
import { ALL_FLAGS, bitOf, mixedBits, ownBits, touchedBits, VIEW, withChange } from './rights.ts'

/** More steps than this would be neither quick nor readable in the activity feed. */
const STEP_LIMIT = 60

interface Plan {
  /** Changes that, one after the other, bring back exactly what was there; undefined where they would be too many. */
  steps: RightsChange[] | undefined
  /** Folders whose level must be known first. The steps are worth something only when there are none. */
  missing: number[]
}

/**
 * How to take a change back. `rights` are those before the change. A change covers a whole subtree, so this is exact
 * only where all differences inside were known.
 */
export function undoSteps(tree: FolderTree, rights: GroupRights, change: RightsChange): Plan {
  const steps: RightsChange[] = []
  const missing: number[] = []
  const touched = touchedBits(change.verb, change.flag)
  walk({ tree, rights, steps, missing }, change.folderId, touched, change.verb === 'grant' ? touched : 0, false)
  return steps.length > STEP_LIMIT ? { steps: undefined, missing: [] } : { steps, missing }
}

interface Walking {
  tree: FolderTree
  rights: GroupRights
  steps: RightsChange[]
  missing: number[]
}

/** `forced` are the flags that steps further up have made `value` in this whole subtree. */
function walk(walking: Walking, id: number, forced: number, value: number, uniform: boolean): void {
  const { tree, rights, steps, missing } = walking
  if (steps.length > STEP_LIMIT) return
  const packed = rights.get(id) ?? 0
  const own = ownBits(packed)
  for (const [verb, flag] of stepsBetween((value & forced) | (own & ~forced), own)) {
    steps.push({ folderId: id, verb, flag })
    forced |= touchedBits(verb, flag)
  }
  if (uniform || !tree.nodes.get(id)?.children) return
  const level = tree.levels.get(id)
  if (!level) {
    missing.push(id)
    return
  }
  const mixed = mixedBits(packed) & forced
  const first = ownBits(rights.get(level[0] ?? id) ?? 0)
  if (!mixed && ((first ^ own) & forced) === 0) return
  for (const child of level) walk(walking, child, forced, own, !mixed)
}

/** The changes that turn one folder's rights into others. */
function stepsBetween(now: number, wanted: number): [RightsChange['verb'], Flag][] {
  if (!(wanted & VIEW)) return now & ALL_FLAGS ? [['revoke', 'view']] : []
  const steps: [RightsChange['verb'], Flag][] = []
  let at = now
  for (const flag of FLAGS.toReversed()) {
    const bit = bitOf(flag)
    if (!((at ^ wanted) & bit)) continue
    const verb = wanted & bit ? 'grant' : 'revoke'
    steps.push([verb, flag])
    at = withChange(at, verb, flag)
  }
  return steps
}
