/** What a user last showed on the Access page of a workspace. */
export interface Remembered {
  groups: number[]
  expanded: number[]
}

const KEPT_FOLDERS = 200

const keyOf = (userId: number, workspaceId: number) => `strongroom-access-${userId}-${workspaceId}`

export function recallAccess(userId: number, workspaceId: number): Partial<Remembered> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId, workspaceId)) ?? '{}')
    return { ...idsIn(stored, 'groups'), ...idsIn(stored, 'expanded') }
  } catch {
    return {}
  }
}

export function rememberAccess(userId: number, workspaceId: number, changes: Partial<Remembered>): void {
  const next = { ...recallAccess(userId, workspaceId), ...changes }
  try {
    const stored = { ...next, expanded: next.expanded?.slice(0, KEPT_FOLDERS) }
    localStorage.setItem(keyOf(userId, workspaceId), JSON.stringify(stored))
  } catch {
    // Without storage the page opens as for the first time.
  }
}

function idsIn(stored: unknown, name: keyof Remembered): Partial<Remembered> {
  const value =
    typeof stored === 'object' && stored !== null && name in stored ? (stored as Remembered)[name] : undefined
  const ids = Array.isArray(value) ? value.filter((each) => Number.isSafeInteger(each) && each >= 0) : undefined
  return ids ? { [name]: ids } : {}
}
