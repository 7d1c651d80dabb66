import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useBlocker, type BlockerFunction } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { type Draft, DraftsContext } from '../../ui/dialogs/use-unsaved-changes.ts'

// Loaded with the first question.
const DiscardDialog = lazy(async () => ({
  default: (await import('../../ui/dialogs/discard-dialog.tsx')).DiscardDialog,
}))

/** Asks before unsaved changes are lost, for the whole dashboard, because a router takes only one blocker. */
export function UnsavedChanges({ children }: { children: ReactNode }) {
  const [all] = useState(() => new Set<Draft>())
  const [answer, setAnswer] = useState<(leave: boolean) => void>()
  const client = useQueryClient()
  const isLost = useCallback<BlockerFunction>(
    ({ currentLocation: from, nextLocation: to }) => {
      // A signed-out user keeps no drafts, and a form that is being saved leaves by itself.
      if (to.pathname === SIGN_IN || client.isMutating() > 0) return false
      const page = from.pathname !== to.pathname
      const goes = { page, dialog: page || from.search !== to.search }
      return [...all].some((draft) => goes[draft.in])
    },
    [all, client],
  )
  const blocker = useBlocker(isLost)
  const drafts = useMemo(() => ({ all, ask: () => new Promise<boolean>((resolve) => setAnswer(() => resolve)) }), [all])
  const decide = (discard: boolean) => {
    answer?.(discard)
    setAnswer(undefined)
    if (blocker.state !== 'blocked') return
    if (discard) blocker.proceed()
    else blocker.reset()
  }
  return (
    <DraftsContext value={drafts}>
      {children}
      <Suspense>{(answer || blocker.state === 'blocked') && <DiscardDialog onDecide={decide} />}</Suspense>
    </DraftsContext>
  )
}

const SIGN_IN = paths.signIn()
