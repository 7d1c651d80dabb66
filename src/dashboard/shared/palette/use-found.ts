import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReading } from '../../api/query.ts'
import { usePaused, type Hit } from '../frame/use-file-search.ts'

export interface Found {
  folders: readonly Reply<typeof api.folders.search>[number][]
  files: readonly Hit[]
}

const NONE: Found = { folders: [], files: [] }

interface Search {
  found: Found
  settled: boolean
  /** Why the found lines are not all. */
  failure: string | undefined
}

/** Searches the workspace with a debounce. Folders and files appear together, so that no line moves in between. */
export function useFound(workspaceId: number | undefined, text: string): Search {
  const q = usePaused(text)
  const query = { workspace_id: workspaceId ?? -1, q }
  const asking = { enabled: workspaceId !== undefined && q !== '', placeholderData: keepPreviousData }
  const folders = useReading({ ...read(api.folders.search, { query }), ...asking })
  const files = useReading({ ...read(api.files.search, { query }), ...asking })
  const answered = [folders, files].every(({ isPending, isPlaceholderData }) => !isPending && !isPlaceholderData)
  const settled = workspaceId === undefined || text === '' || (q === text && answered)

  const error = text === '' ? null : (folders.error ?? files.error)

  const [held, setHeld] = useState(NONE)
  const now = { folders: folders.data ?? NONE.folders, files: files.data ?? NONE.files }
  const isNew = settled && (now.folders !== held.folders || now.files !== held.files)
  if (isNew) setHeld(now)
  return { found: text === '' ? NONE : isNew ? now : held, settled, failure: error ? messageOf(error) : undefined }
}
