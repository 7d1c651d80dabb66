/** A recent choice, kept only for this tab because it may contain the name of a file. */
export interface Recent {
  id: string
  label: string
  hint?: string | undefined
  /** The address of a place; undefined for an action, which may not be available any more. */
  to?: string | undefined
}

const KEY = 'strongroom-recent'
const KEPT = 20

interface Stored {
  userId: number
  recent: Recent[]
}

export function recentOf(userId: number): Recent[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Stored | null
    return stored?.userId === userId ? stored.recent : []
  } catch {
    return []
  }
}

export function remember(userId: number, { id, label, hint, to }: Recent) {
  const recent = [{ id, label, hint, to }, ...recentOf(userId).filter((each) => each.id !== id)].slice(0, KEPT)
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ userId, recent } satisfies Stored))
  } catch {
    // Without storage there are no recent choices.
  }
}
