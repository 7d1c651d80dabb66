import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { ApiFailure } from '../../api/failures.ts'
import { isFile, isFolder, type Entry } from './entries.ts'

type Download = Reply<typeof api.downloads.create>

/** The next look comes later the longer it takes, in milliseconds. */
const FIRST_LOOK = 400
const LAST_LOOK = 5000

/** Has the service put folders and files into one zip, and answers where it is once it is done. */
export async function makeZip(workspaceId: number, entries: readonly Entry[]) {
  const wanted = {
    folder_ids: entries.filter(isFolder).map(({ id }) => id),
    file_ids: entries.filter(isFile).map(({ id }) => id),
  }
  let download = await call(api.downloads.create, { body: { workspace_id: workspaceId, download: wanted } })
  for (let pause = FIRST_LOOK; isUnderWay(download); pause = Math.min(pause * 1.5, LAST_LOOK)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    download = await look(workspaceId, download)
  }
  if (download.status !== 'done') throw new ApiFailure(500, 'The zip could not be made. Try again.')
  return call(api.downloads.get, { params: { id: download.id }, query: { workspace_id: workspaceId } })
}

const isUnderWay = ({ status }: Download) => status === 'building_directory' || status === 'processing'

/** A moment without an answer is no end: the service works on. */
async function look(workspaceId: number, before: Download): Promise<Download> {
  try {
    const { downloads } = await call(api.downloads.listStatus, { params: { workspace_id: workspaceId } })
    return downloads.find(({ id }) => id === before.id) ?? { ...before, status: 'expired' }
  } catch (error) {
    if (error instanceof ApiFailure && error.passing) return before
    throw error
  }
}
