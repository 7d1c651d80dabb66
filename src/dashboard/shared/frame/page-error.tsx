import { Lock } from 'lucide-react'
import { useRevalidator, useRouteError, isRouteErrorResponse } from 'react-router-dom'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { queryClient } from '../../api/query-client.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { NotFound } from './not-found.tsx'

/** The place of every failed read: what happened, and a way on. */
export function PageError() {
  const error = useRouteError()
  const revalidator = useRevalidator()
  const code = error instanceof ApiFailure ? error.code : isRouteErrorResponse(error) ? error.status : undefined
  if (code === 404) return <NotFound />
  if (code === 403) return <Forbidden />
  const retry = () => {
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    void revalidator.revalidate()
  }
  return (
    <ErrorState
      message={messageOf(error)}
      requestId={error instanceof ApiFailure ? error.requestId : undefined}
      onRetry={retry}
    />
  )
}

function Forbidden() {
  return (
    <EmptyState
      icon={Lock}
      title="You may not see this"
      text="Your groups do not give access to this page. A workspace admin can change that."
    />
  )
}

export { PageError as ErrorBoundary }
