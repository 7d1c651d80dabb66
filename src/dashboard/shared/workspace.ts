import { redirect, useParams, type LoaderFunctionArgs, type MiddlewareFunction } from 'react-router-dom'
import { api } from '../../contract/index.ts'
import type { ApiFailure } from '../api/failures.ts'
import { read, useRead, useReading } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import { idOf, paths } from '../paths.ts'

/** Loader of every page in a workspace. A user who may not see the workspace gets its error instead of half a page. */
export async function loadWorkspace({ params }: LoaderFunctionArgs) {
  await queryClient.ensureQueryData(workspaceQuery(idOf(params['workspaceId'])))
  return null
}

/** Admins begin with the files, readers with what the room says to them. */
export async function enterRoom({ params }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  const { admin } = await queryClient.ensureQueryData(workspaceQuery(id))
  return redirect(admin ? paths.files(id) : paths.welcome(id))
}

/** Leads to terms that await before any loader of the workspace asks for what would be refused. */
export const meetTerms: MiddlewareFunction = async ({ params, request }) => {
  const id = idOf(params['workspaceId'])
  const rooms = queryClient.getQueryData(enterableQuery.queryKey)?.workspaces
  if (!rooms?.find((each) => each.id === id)?.terms_await) {
    const reason = await reasonOf(queryClient.ensureQueryData(workspaceQuery(id)))
    if (reason !== 'terms_not_accepted') return
  }
  const { pathname, search } = new URL(request.url)
  throw redirect(paths.terms(id, pathname + search))
}

const reasonOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: ApiFailure) => error.reason,
  )

/** The workspaces that the user can enter. */
export const enterableQuery = read(api.users.workspaces)

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
