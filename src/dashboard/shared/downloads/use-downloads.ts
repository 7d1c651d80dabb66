import { useQuery } from '@tanstack/react-query'
import { downloadsQuery, isUnderWay } from './download.ts'

/** While a zip is in the making, in milliseconds. */
const LOOK_EVERY = 2000
const FRESH = 60_000

/** The person's zips of a workspace, newest first; undefined until they are read. */
export function useDownloads(workspaceId: number) {
  const { data } = useQuery({
    ...downloadsQuery(workspaceId),
    enabled: workspaceId >= 0,
    staleTime: FRESH,
    refetchInterval: ({ state }) => state.data?.downloads.some(isUnderWay) && LOOK_EVERY,
  })
  return data?.downloads
}
