/** What a user last showed on the Access page of a workspace. */
interface Shown {
  groups?: number[]
  expanded?: number[]
}

/** The browser keeps ids only, and only until another user opens the page here. */
interface Remembered {
  userId: number
  /** The latest first. */
  workspaces: [workspaceId: number, shown: Shown][]
}

const KEY = 'strongroom-access'
const KEPT_WORKSPACES = 50
const KEPT_FOLDERS = 200

export function recallAccess(userId: number, workspaceId: number): Shown {
  const [, shown] = workspacesOf(userId).find(([id]) => id === workspaceId) ?? []
  return { ...idsIn(shown, 'groups'), ...idsIn(shown, 'expanded') }
}

/** Of the expanded folders, the first that are given are kept. */
export function rememberAccess(
  userId: number,
  workspaceId: number,
  { expanded, ...changes }: { groups?: number[]; expanded?: Iterable<number> },
): void {
  const kept = expanded && { expanded: [...firstOf(expanded, KEPT_FOLDERS)] }
  const shown = { ...recallAccess(userId, workspaceId), ...changes, ...kept }
  const others = workspacesOf(userId).filter(([id]) => id !== workspaceId)
  const workspaces: Remembered['workspaces'] = [[workspaceId, shown], ...others]
  try {
    localStorage.setItem(KEY, JSON.stringify({ userId, workspaces: workspaces.slice(0, KEPT_WORKSPACES) }))
  } catch {
    // Without storage the page opens as for the first time.
  }
}

function* firstOf(ids: Iterable<number>, count: number): Generator<number> {
  let left = count
  for (const id of ids) {
    if (left-- === 0) return
    yield id
  }
}

function workspacesOf(userId: number): Remembered['workspaces'] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Remembered | null
    return stored?.userId === userId && Array.isArray(stored.workspaces) ? stored.workspaces.filter(Array.isArray) : []
  } catch {
    return []
  }
}

function idsIn(shown: unknown, name: keyof Shown): Shown {
  const value = typeof shown === 'object' && shown !== null && name in shown ? (shown as Shown)[name] : undefined
  const ids = Array.isArray(value) ? value.filter((each) => Number.isSafeInteger(each) && each >= 0) : undefined
  return ids ? { [name]: ids } : {}
}
