import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { ApiFailure } from '../../api/failures.ts'
import { queryClient } from '../../api/query-client.ts'
import { downloadsQuery, isUnderWay, isWithoutFile, type Download } from './download.ts'

/** The polling interval grows from the first to the last value, in milliseconds. */
const FIRST_LOOK = 400
const LAST_LOOK = 5000

type Selected = Pick<Download, 'folder_ids' | 'file_ids'>

/** Requests one zip of folders and files, which the tray lists from then on. */
export async function beginZip(workspaceId: number, selected: Selected): Promise<Download> {
  const made = await call(api.downloads.create, { body: { workspace_id: workspaceId, download: selected } })
  const { queryKey } = downloadsQuery(workspaceId)
  await queryClient.cancelQueries({ queryKey })
  // A poll of the list may have returned the new zip before this reply arrived.
  const others = (before: Download[] = []) => before.filter(({ id }) => id !== made.id)
  queryClient.setQueryData(queryKey, (before) => ({ downloads: [made, ...others(before?.downloads)] }))
  return made
}

/** Waits until the zip is done and returns its URL, or that of its only file if it is sealed; undefined if the zip was deleted meanwhile. */
export async function awaitZip(workspaceId: number, begun: Download) {
  let download: Download | undefined = begun
  for (let pause = FIRST_LOOK; download && isUnderWay(download); pause = Math.min(pause * 1.5, LAST_LOOK)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    download = await look(workspaceId, download)
  }
  if (!download) return undefined
  if (download.status !== 'done') throw new ApiFailure(500, t`The zip could not be made. Try again.`)
  if (isWithoutFile(download))
    throw new ApiFailure(409, t`It is delivered as a sealed copy only, and none could be made.`)
  return call(api.downloads.get, { params: { id: download.id }, query: { workspace_id: workspaceId, single: true } })
}

/** Reads the state of a zip. After a passing failure the state is unchanged, since the service continues its work. */
async function look(workspaceId: number, before: Download): Promise<Download | undefined> {
  try {
    const { downloads } = await queryClient.fetchQuery({ ...downloadsQuery(workspaceId), staleTime: 0 })
    return downloads.find(({ id }) => id === before.id)
  } catch (error) {
    if (error instanceof ApiFailure && error.passing) return before
    throw error
  }
}
