import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../contract/index.ts'
import { read, useRead } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import { idOf } from '../paths.ts'

/** Loader of every page in a workspace: who may not see the workspace gets its error instead of a half page. */
export async function loadWorkspace({ params }: LoaderFunctionArgs) {
  await queryClient.ensureQueryData(workspaceQuery(idOf(params['workspaceId'])))
  return null
}

export const workspaceQuery = (id: number) => read(api.workspaces.get, { params: { id } })

export function useWorkspaceId(): number {
  return idOf(useParams()['workspaceId'])
}

/** The workspace of the address, with what the caller is in it (`admin`, `team_member`). */
export function useWorkspace() {
  return useRead(workspaceQuery(useWorkspaceId()))
}

/** For the frame, which also stands around pages outside a workspace and around the error of one not to be seen. */
export function useWorkspaceIfAny() {
  const id = useWorkspaceId()
  return useQuery({ ...workspaceQuery(id), enabled: id >= 0 }).data
}
