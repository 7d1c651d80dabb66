import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReading } from '../../api/query.ts'

export type Hit = Reply<typeof api.files.search>[number]

/** Milliseconds. */
const PAUSE = 150

/** Searches with a debounce; shows the last hits until the next ones have arrived. */
export function useFileSearch(workspaceId: number, text: string) {
  const q = usePaused(text.trim())
  const { data, error, isSuccess, isPlaceholderData } = useReading({
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

export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
