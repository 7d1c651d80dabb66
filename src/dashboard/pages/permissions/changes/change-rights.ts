import { ALL_BITS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import { ancestors, descendants, type FolderTree, type GroupRights } from '../sheet/folder-tree.ts'
import { mixedBits, ownBits, pack, type Packed, touchedBits, type Verb, withChange } from '../sheet/rights.ts'

export interface RightsChange {
  folderId: number
  verb: Verb
  flag: Flag
}

/** The rights before a change, by folder. */
export type Former = Map<number, Packed>

/**
 * Applies to the loaded rows what the service applies to all rows: the folder and everything below take the right, and
 * the mixed flags above are computed again. Returns the rights that it replaced.
 */
export function applyChange(tree: FolderTree, rights: GroupRights, change: RightsChange): Former {
  const former: Former = new Map()
  const set = (id: number, packed: Packed) => {
    const old = rights.get(id)
    if (old === undefined || old === packed) return
    if (!former.has(id)) former.set(id, old)
    rights.set(id, packed)
  }
  const touched = touchedBits(change.verb, change.flag)
  for (const id of [change.folderId, ...descendants(tree, change.folderId)]) {
    const packed = rights.get(id) ?? 0
    set(id, pack(withChange(ownBits(packed), change.verb, change.flag), mixedBits(packed) & ~touched))
  }
  for (const id of ancestors(tree, change.folderId)) {
    const packed = rights.get(id) ?? 0
    set(id, pack(ownBits(packed), (mixedBits(packed) & ~touched) | (mixedBelow(tree, rights, id) & touched)))
  }
  return former
}

export function restore(rights: GroupRights, former: Former): void {
  for (const [id, packed] of former) rights.set(id, packed)
}

/** Returns the flags that some descendants have and others lack, from the rows of the level below. */
export function mixedBelow(tree: FolderTree, rights: GroupRights, id: number): number {
  let some = 0
  let lacking = 0
  for (const child of tree.levels.get(id) ?? []) {
    const packed = rights.get(child) ?? 0
    const below = belowBits(tree, rights, child)
    some |= ownBits(packed) | below | mixedBits(packed)
    lacking |= ~ownBits(packed) | ~below | mixedBits(packed)
  }
  return some & lacking & ALL_BITS
}

/**
 * Returns the rights of the descendants in the flags that are equal among them; any descendant has these. If none is
 * loaded, returns the folder's own rights as a guess, which the next reading of the level corrects.
 */
function belowBits(tree: FolderTree, rights: GroupRights, id: number): number {
  const first = tree.levels.get(id)?.[0]
  return ownBits(rights.get(first ?? id) ?? 0)
}

/** Returns the flags in which a loaded subfolder differs from the folder itself. */
export function differsBelow(tree: FolderTree, rights: GroupRights, id: number): number {
  const own = ownBits(rights.get(id) ?? 0)
  return own ^ belowBits(tree, rights, id)
}
