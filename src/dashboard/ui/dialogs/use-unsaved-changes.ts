import { createContext, useContext, useEffect, useState } from 'react'
import { askBeforeLeaving } from '../leaving.ts'

/** Unsaved input. */
export interface Draft {
  /** A change of the query in the address does not leave a page, but may close a dialog. */
  in: 'page' | 'dialog'
}

interface Drafts {
  all: Set<Draft>
  /** Asks whether unsaved input may be discarded. */
  ask: () => Promise<boolean>
}

export const DraftsContext = createContext<Drafts>({ all: new Set(), ask: async () => true })

interface UnsavedChanges {
  /** Returns whether the user may leave, and then forgets the draft; asks if there is unsaved input. */
  mayLeave: () => Promise<boolean>
  /** Forgets the draft without a question. */
  discard: () => void
}

/**
 * While there is unsaved input, asks before the user leaves the page by a link, Back or closing the tab. A dialog has
 * to ask itself before it closes.
 */
export function useUnsavedChanges(unsaved: boolean, place: Draft['in'] = 'page'): UnsavedChanges {
  const { all, ask } = useContext(DraftsContext)
  const [draft] = useState<Draft>({ in: place })
  useEffect(() => {
    if (!unsaved) return undefined
    all.add(draft)
    const stopAsking = askBeforeLeaving()
    return () => {
      all.delete(draft)
      stopAsking()
    }
  }, [unsaved, all, draft])
  const discard = () => void all.delete(draft)
  const mayLeave = async () => {
    if (all.has(draft) && !(await ask())) return false
    discard()
    return true
  }
  return { mayLeave, discard }
}

/** Asks whether all unsaved input may be discarded, for actions that end more than a page, such as signing out. */
export function useMayLeave(): () => Promise<boolean> {
  const { all, ask } = useContext(DraftsContext)
  return async () => {
    if (all.size > 0 && !(await ask())) return false
    all.clear()
    return true
  }
}
