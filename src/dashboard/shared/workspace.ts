import { useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../contract/index.ts'
import { read, useRead, useReading } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import { idOf } from '../paths.ts'

/** Loader of every page in a workspace. A user who may not see the workspace gets its error instead of half a page. */
export async function loadWorkspace({ params }: LoaderFunctionArgs) {
  await queryClient.ensureQueryData(workspaceQuery(idOf(params['workspaceId'])))
  return null
}

export const workspaceQuery = (id: number) => read(api.workspaces.get, { params: { id } })

export function useWorkspaceId(): number {
  return idOf(useParams()['workspaceId'])
}

/** Returns the workspace of the address, with the roles of the caller in it (`admin`, `team_member`). */
export function useWorkspace() {
  return useRead(workspaceQuery(useWorkspaceId()))
}

/** For the frame: returns undefined outside a workspace, and in a workspace that cannot be read. */
export function useWorkspaceIfAny() {
  const id = useWorkspaceId()
  return useReading({ ...workspaceQuery(id), enabled: id >= 0 }).data
}
