import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { useRevalidator, useRouteError, isRouteErrorResponse } from 'react-router-dom'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { queryClient } from '../../api/query-client.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { NotFound, ToSpaces } from './not-found.tsx'

/** The place of every failed read: what happened, and a way on. */
export function PageError() {
  const error = useRouteError()
  const revalidator = useRevalidator()
  const code = error instanceof ApiFailure ? error.code : isRouteErrorResponse(error) ? error.status : undefined
  if (code === 404) return <NotFound />
  if (code === 403) return <Forbidden reason={messageOf(error)} />
  if (!(error instanceof ApiFailure)) return <ErrorState heading="h1" message={messageOf(error)} onRetry={reload} />
  const readAgain = () => {
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    void revalidator.revalidate()
  }
  return <ErrorState heading="h1" message={messageOf(error)} requestId={error.requestId} onRetry={readAgain} />
}

/** A page of a newer version, for one: its code cannot be loaded by this one. */
function reload() {
  window.location.reload()
}

function Forbidden({ reason }: { reason: string }) {
  return <EmptyState icon={Lock} heading="h1" title={t`You may not see this`} text={reason} action={<ToSpaces />} />
}

export { PageError as ErrorBoundary }
