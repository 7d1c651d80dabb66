import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { type EntryKey, fileKey, folderKey } from '../../shared/listing/entries.ts'
import { usePainted } from '../../ui/use-painted.ts'
import { useRoomAddress, useRoomListing } from './room-listing.tsx'

export type Unread = ReadonlySet<EntryKey>

const NONE: Unread = new Set()

/** The unread files of the workspace and the folders above them, read once the list is shown. None of another reader. */
export function useUnread(): Unread {
  const { workspace } = useRoomAddress()
  const { content } = useRoomListing()
  const enabled = usePainted(content !== undefined) && !workspace.seenAs
  return (
    useReading({ ...read(api.news.listUnread, { params: { id: workspace.id } }), select: keysOf, enabled }).data ?? NONE
  )
}

const keysOf = ({ file_ids, folder_ids }: Reply<typeof api.news.listUnread>): Unread =>
  new Set([...file_ids.map(fileKey), ...folder_ids.map(folderKey)])
