import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read } from '../../api/query.ts'

export type Hit = Reply<typeof api.files.search>[number]

const PAUSE = 150

/** Searches once the typing pauses; keeps the last hits in view until the next ones are there. */
export function useFileSearch(workspaceId: number, text: string) {
  const q = usePaused(text.trim())
  const { data, error, isSuccess, isPlaceholderData } = useQuery({
    ...read(api.files.search, { query: { workspace_id: workspaceId, q } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  return {
    q,
    hits: q === '' ? [] : (data ?? []),
    searched: isSuccess && !isPlaceholderData,
    failure: error ? messageOf(error) : undefined,
  }
}

/** A text once it has not changed for a moment. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
