import { ALL_BITS, type Flag, MIXED_SHIFT } from '../../../../contract/endpoints/permissions.ts'
import { bitOf, flagsSetBy } from '../../../../contract/rules.ts'

/**
 * The rights of one group on one folder packed into six bits, as the contract gives them: view, download, upload, then
 * whether each is mixed among the descendants. A hundred thousand folders are a hundred thousand small integers.
 */
export type Packed = number

export type Verb = 'grant' | 'revoke'

/** The state of a cell. `implied` is view that comes with download or upload. */
export type CellState = 'on' | 'off' | 'mixed' | 'implied'

export const VIEW = bitOf('view')

export const ownBits = (packed: Packed): number => packed & ALL_BITS
export const mixedBits = (packed: Packed): number => packed >> MIXED_SHIFT

export const pack = (own: number, mixed: number): Packed => own | (mixed << MIXED_SHIFT)

/** Returns the flags that a change touches. */
export const touchedBits = (verb: Verb, flag: Flag): number =>
  flagsSetBy(verb, flag).reduce((bits, each) => bits | bitOf(each), 0)

export function withChange(own: number, verb: Verb, flag: Flag): number {
  const touched = touchedBits(verb, flag)
  return verb === 'grant' ? own | touched : own & ~touched
}

/**
 * `differsBelow` has the flags in which a loaded subfolder is known to differ from the folder itself. The API's mixed
 * flags only compare the descendants with one another.
 */
export function cellState(packed: Packed, flag: Flag, differsBelow = 0): CellState {
  const bit = bitOf(flag)
  if ((mixedBits(packed) | differsBelow) & bit) return 'mixed'
  if (!(packed & bit)) return 'off'
  return flag === 'view' && ownBits(packed) !== VIEW ? 'implied' : 'on'
}

/** Returns what a click does: it grants off and mixed, and revokes on and implied. With Alt it always revokes. */
export function verbFor(state: CellState, alt: boolean): Verb {
  return alt || state === 'on' || state === 'implied' ? 'revoke' : 'grant'
}
