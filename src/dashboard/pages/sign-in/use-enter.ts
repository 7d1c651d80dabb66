import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { sessionQuery, type Me } from '../../api/session.ts'

/** Key of the query of an opened invitation, which the page of the invitation still shows. */
export const INVITATION = 'invitation'

/** Starts with an empty cache: the next user must not see what the last user read. */
export function useEnter(to: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (user: Me) => {
    const session = client.getQueryData(sessionQuery.queryKey)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== INVITATION })
    client.getMutationCache().clear()
    client.setQueryData(sessionQuery.queryKey, { demo_people: [], oidc: null, ...session, user, signed_out: false })
    await navigate(to, { replace: true })
  }
}
