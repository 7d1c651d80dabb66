import { FLAGS, type Flag } from '../../../contract/endpoints/permissions.ts'
import type { Work } from '../../../wire/work.ts'
import type { Rights } from '../../access/scopes.ts'

export interface Counts {
  folders: number
  files: number
}
type CountsByRight = Record<Flag, Counts>

/** Numbers of folders and files on which a right is gained or lost. */
export interface RightsMoved {
  gains: CountsByRight
  loses: CountsByRight
}

/** Rights of groups in one place, by group. Groups without any right there may be absent. */
export type GroupRights = ReadonlyMap<number, Rights>

/** Numbers of folders and files on which the groups have the same rights. */
export interface Place extends Counts {
  rights: GroupRights
}

/** Tells what users in the groups gain and lose if the places get the rights `after`. `keeps`: former rights stay. */
export function* movingRights(
  groupIds: readonly number[],
  places: readonly Place[],
  after: GroupRights,
  keeps: boolean,
): Work<RightsMoved> {
  const moved: RightsMoved = { gains: nothing(), loses: nothing() }
  const has = unionOf(groupIds, after)
  for (const place of places) {
    yield
    addTo(moved, place, unionOf(groupIds, place.rights), has, keeps)
  }
  return moved
}

/** Places that get other rights where they are. */
export interface ChangingPlace extends Place {
  after: GroupRights
}

/** Tells what users in the groups gain and lose if each place gets its rights `after`. */
export function* changingRights(groupIds: readonly number[], places: readonly ChangingPlace[]): Work<RightsMoved> {
  const moved: RightsMoved = { gains: nothing(), loses: nothing() }
  for (const place of places) {
    yield
    addTo(moved, place, unionOf(groupIds, place.rights), unionOf(groupIds, place.after))
  }
  return moved
}

function addTo(moved: RightsMoved, { folders, files }: Counts, had: Rights, has: Rights, keeps = false): void {
  for (const flag of FLAGS) {
    if (had[flag] === has[flag] || (had[flag] && keeps)) continue
    const counts = (has[flag] ? moved.gains : moved.loses)[flag]
    counts.folders += folders
    counts.files += files
  }
}

const nothing = (): CountsByRight => ({
  view: { folders: 0, files: 0 },
  download: { folders: 0, files: 0 },
  upload: { folders: 0, files: 0 },
})

function unionOf(groupIds: readonly number[], rights: GroupRights): Rights {
  const union = { view: false, download: false, upload: false }
  for (const id of groupIds) {
    const own = rights.get(id)
    if (own) for (const flag of FLAGS) union[flag] ||= own[flag]
  }
  return union
}

/** Sum of folders and files, each counted once per right that it gains or loses. */
export const sizeOf = ({ gains, loses }: RightsMoved): number =>
  FLAGS.flatMap((flag) => [gains[flag], loses[flag]]).reduce((sum, { folders, files }) => sum + folders + files, 0)

export const hasAny = (moved: RightsMoved): boolean => sizeOf(moved) > 0
