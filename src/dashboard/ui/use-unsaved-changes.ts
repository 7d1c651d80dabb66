import { createContext, useContext, useEffect, useState } from 'react'

/** Something typed that is stored nowhere. */
export interface Draft {
  /** A filter or sort in the address leaves a page as it is, but may close a dialog. */
  in: 'page' | 'dialog'
}

interface Drafts {
  all: Set<Draft>
  /** Asks whether what is typed may be lost. */
  ask: () => Promise<boolean>
}

export const DraftsContext = createContext<Drafts>({ all: new Set(), ask: async () => true })

interface UnsavedChanges {
  /** Whether one may leave, and the draft be forgotten: asks where there is something to lose. */
  mayLeave: () => Promise<boolean>
  /** Leaves without being asked. */
  discard: () => void
}

/**
 * While something is unsaved, leaving the page, by link, Back or closing the tab, is asked about. Closing a dialog is up
 * to the dialog.
 */
export function useUnsavedChanges(unsaved: boolean, place: Draft['in'] = 'page'): UnsavedChanges {
  const { all, ask } = useContext(DraftsContext)
  const [draft] = useState<Draft>({ in: place })
  useEffect(() => {
    if (!unsaved) return undefined
    all.add(draft)
    window.addEventListener('beforeunload', warn)
    return () => {
      all.delete(draft)
      window.removeEventListener('beforeunload', warn)
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

/** Whether everything unsaved may be lost, for what ends more than a page. */
export function useMayLeave(): () => Promise<boolean> {
  const { all, ask } = useContext(DraftsContext)
  return async () => {
    if (all.size > 0 && !(await ask())) return false
    all.clear()
    return true
  }
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()
