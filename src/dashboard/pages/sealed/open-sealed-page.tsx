import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { idOf, paths } from '../../paths.ts'
import { useSession } from '../../shared/session.ts'
import { CardPage } from '../../ui/card-page.tsx'
import { CodeForm } from './code-form.tsx'
import { OpenSealed, type Waiting } from './open-sealed.tsx'

/**
 * The window that a sealed document opens to learn who its reader is. Without a document in the address, the user
 * enters the code that a document shows.
 */
export function OpenSealedPage() {
  const [search] = useSearchParams()
  const [found, setFound] = useState<Waiting>()
  const { pathname, search: query } = useLocation()
  const waiting = found ?? waitingIn(search)
  if (!useSession().user) return <Navigate to={paths.signIn(pathname + query)} state="ended" replace />
  return (
    <CardPage title={t`Open a sealed document`}>
      <Box sx={{ display: 'grid', gap: 2, mt: 1.5 }}>
        {waiting ? <OpenSealed waiting={waiting} /> : <CodeForm onFound={setFound} />}
      </Box>
    </CardPage>
  )
}

function waitingIn(search: URLSearchParams): Waiting | undefined {
  const [copy_id, challenge] = [search.get('copy'), search.get('challenge')]
  const workspace_id = idOf(search.get('workspace') ?? undefined)
  return copy_id && challenge ? { workspace_id, copy_id, challenge, entered: undefined } : undefined
}

export { OpenSealedPage as Component }
