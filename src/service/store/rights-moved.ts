import { FLAGS, type Flag } from '../../contract/permissions.ts'
import type { Rights } from '../access/scopes.ts'

export interface Counts {
  folders: number
  files: number
}
type CountsByRight = Record<Flag, Counts>

/** On how many folders and files a right comes or goes. */
export interface RightsMoved {
  gains: CountsByRight
  loses: CountsByRight
}

/** Of groups in one place; those without any right there may be left out. */
export type GroupRights = ({ group_id: number } & Rights)[]

/** So many folders and files on which the groups have the same rights. */
export interface Place extends Counts {
  rights: GroupRights
}

/** What changes for whoever is in the groups when everything in the places gets the rights `after`, or gets them too. */
export function rightsMoved(
  groupIds: readonly number[],
  places: readonly Place[],
  after: GroupRights,
  keeps: boolean,
): RightsMoved {
  const moved: RightsMoved = { gains: nothing(), loses: nothing() }
  const has = unionOf(groupIds, after)
  for (const { rights, folders, files } of places) {
    const had = unionOf(groupIds, rights)
    for (const flag of FLAGS) {
      if (had[flag] === has[flag] || (had[flag] && keeps)) continue
      const counts = (has[flag] ? moved.gains : moved.loses)[flag]
      counts.folders += folders
      counts.files += files
    }
  }
  return moved
}

const nothing = (): CountsByRight => ({
  view: { folders: 0, files: 0 },
  download: { folders: 0, files: 0 },
  upload: { folders: 0, files: 0 },
})

function unionOf(groupIds: readonly number[], rights: GroupRights): Rights {
  const own = rights.filter(({ group_id }) => groupIds.includes(group_id))
  return {
    view: own.some(({ view }) => view),
    download: own.some(({ download }) => download),
    upload: own.some(({ upload }) => upload),
  }
}

/** Folders and files, each as often as a right of it comes or goes. */
export const sizeOf = ({ gains, loses }: RightsMoved): number =>
  FLAGS.flatMap((flag) => [gains[flag], loses[flag]]).reduce((sum, { folders, files }) => sum + folders + files, 0)

export const hasAny = (moved: RightsMoved): boolean => sizeOf(moved) > 0
