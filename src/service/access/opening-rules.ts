import type { openingRefusals } from '../../contract/endpoints/sealed-copies.ts'

export type OpeningRefusal = (typeof openingRefusals)[number]

/** A group of the reader, with its rights on the folder of the file at this moment. */
export interface OpeningGroup {
  id: number
  /** Whether its access has not expired yet. */
  active: boolean
  /** Whether it grants download in the folder of the file. */
  grants: boolean
  drm_enabled: boolean
  /** Last day, inclusive; null without one. */
  drm_expires_after: string | null
}

/**
 * Returns why the groups of a reader do not let a sealed copy open, or undefined (decisions, sections 5 and 8). A group
 * through which the copy was made must still be in force. The earliest last day of all groups that grant the right with
 * DRM counts.
 */
export function refusalOfGroups(
  groups: readonly OpeningGroup[],
  madeThrough: readonly number[],
  today: string,
): OpeningRefusal | undefined {
  const own = groups.filter((group) => madeThrough.includes(group.id))
  const granting = own.filter((group) => group.active && group.grants)
  if (granting.length === 0) return own.some((group) => group.grants) ? 'access_ended' : 'no_right'
  if (!granting.some((group) => group.drm_enabled)) return 'drm_off'
  const lastDays = groups.flatMap(({ active, grants, drm_enabled, drm_expires_after: day }) =>
    active && grants && drm_enabled && day !== null ? [day] : [],
  )
  return lastDays.some((day) => day < today) ? 'drm_expired' : undefined
}
