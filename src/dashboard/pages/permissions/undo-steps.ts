import { FLAGS, type Flag } from '../../../contract/permissions.ts'
import type { RightsChange } from './change-rights.ts'
import type { FolderTree, GroupRights } from './folder-tree.ts'
import { ALL_FLAGS, bitOf, mixedBits, ownBits, touchedBits, VIEW, withChange } from './rights.ts'

interface Plan {
  /** Changes that, one after the other, bring back exactly what was there. */
  steps: RightsChange[]
  /** Folders whose level must be known first. The steps are worth something only when there are none. */
  missing: number[]
}

/**
 * How to take a change back. `rights` are those before the change. A change covers a whole subtree, so this is exact
 * only where all differences inside were known.
 */
export function undoSteps(tree: FolderTree, rights: GroupRights, change: RightsChange): Plan {
  const plan: Plan = { steps: [], missing: [] }
  const touched = touchedBits(change.verb, change.flag)
  walk(tree, rights, plan, change.folderId, touched, change.verb === 'grant' ? touched : 0, false)
  return plan
}

/** `forced` are the flags that steps further up have made `value` in this whole subtree. */
function walk(
  tree: FolderTree,
  rights: GroupRights,
  plan: Plan,
  id: number,
  forced: number,
  value: number,
  uniform: boolean,
): void {
  const packed = rights.get(id) ?? 0
  const own = ownBits(packed)
  for (const [verb, flag] of stepsBetween((value & forced) | (own & ~forced), own)) {
    plan.steps.push({ folderId: id, verb, flag })
    forced |= touchedBits(verb, flag)
  }
  if (uniform || !tree.nodes.get(id)?.children) return
  const level = tree.levels.get(id)
  if (!level) {
    plan.missing.push(id)
    return
  }
  const mixed = mixedBits(packed) & forced
  const first = ownBits(rights.get(level[0] ?? id) ?? 0)
  if (!mixed && ((first ^ own) & forced) === 0) return
  for (const child of level) walk(tree, rights, plan, child, forced, own, !mixed)
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
