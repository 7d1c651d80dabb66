import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { useCallback, useLayoutEffect } from 'react'
import { isRouteErrorResponse, Navigate, useLocation, useRevalidator, useRouteError } from 'react-router-dom'
import { ApiFailure, messageOf, noAnswer } from '../../api/failures.ts'
import { queryClient } from '../../api/query-client.ts'
import { paths } from '../../paths.ts'
import { useWorkspaceId } from '../workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { NotFound, ToSpaces } from './not-found.tsx'

/** Shows the reason for every failed read, and a way to continue. */
export function PageError() {
  const error = useRouteError()
  const code = error instanceof ApiFailure ? error.code : isRouteErrorResponse(error) ? error.status : undefined
  if (error instanceof ApiFailure && error.reason === 'terms_not_accepted') return <ToTerms />
  if (code === 404) return <NotFound />
  if (code === 403) return <Forbidden reason={messageOf(error)} />
  if (!(error instanceof ApiFailure)) return <CodeError error={error} />
  return <Unread error={error} />
}

function ToTerms() {
  const { pathname, search } = useLocation()
  return <Navigate to={paths.terms(useWorkspaceId(), pathname + search)} replace />
}

/** The code of a page could not be loaded, or is faulty; only a reload of the whole dashboard may help. */
function CodeError({ error }: { error: unknown }) {
  useOnline(reload)
  const message = navigator.onLine ? messageOf(error) : noAnswer().message
  return <ErrorState heading="h1" message={message} onRetry={reload} />
}

/** Tries again automatically when the connection is back. */
function Unread({ error }: { error: ApiFailure }) {
  const { revalidate } = useRevalidator()
  const readAgain = useCallback(() => {
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    void revalidate()
  }, [revalidate])
  useOnline(readAgain)
  return <ErrorState heading="h1" message={messageOf(error)} requestId={error.requestId} onRetry={readAgain} />
}

function useOnline(act: () => void) {
  // From the moment at which the page says so.
  useLayoutEffect(() => {
    window.addEventListener('online', act)
    return () => window.removeEventListener('online', act)
  }, [act])
}

/** Does nothing offline, where the browser would show its own error page instead of this one. */
function reload() {
  if (navigator.onLine) window.location.reload()
}

function Forbidden({ reason }: { reason: string }) {
  return <EmptyState icon={Lock} heading="h1" title={t`You may not see this`} text={reason} action={<ToSpaces />} />
}

export { PageError as ErrorBoundary }
