import { useReading } from '../../api/query.ts'
import { downloadsQuery, isUnderWay } from './download.ts'

/** Polling interval while a zip is being made, in milliseconds. */
const LOOK_EVERY = 2000
const FRESH = 60_000

/** Returns the user's zips of a workspace, newest first; undefined until they are loaded. */
export function useDownloads(workspaceId: number) {
  const { data } = useReading({
    ...downloadsQuery(workspaceId),
    enabled: workspaceId >= 0,
    staleTime: FRESH,
    refetchInterval: ({ state }) => state.data?.downloads.some(isUnderWay) && LOOK_EVERY,
  })
  return data?.downloads
}
