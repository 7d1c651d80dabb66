import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { noticeSignedOut } from '../../../api/query-client.ts'
import type { Entry } from '../../../shared/listing/entries.ts'
import { runEach, type Outcome } from '../../../shared/listing/run-each.ts'

export interface BulkWork {
  work: (entry: Entry) => Promise<unknown>
  atOnce: number
}

/** Makes one change to many lines, with its progress and a way to stop it. */
export function useBulk(entries: readonly Entry[], { work, atOnce }: BulkWork) {
  const [finished, setFinished] = useState(0)
  const stop = useRef(new AbortController())
  const run = useMutation({
    mutationFn: async (): Promise<Outcome<Entry>> => {
      stop.current = new AbortController()
      setFinished(0)
      const outcome = await runEach(entries, work, { atOnce, onProgress: setFinished, signal: stop.current.signal })
      for (const { error } of outcome.failed) noticeSignedOut(error)
      return outcome
    },
  })
  return {
    start: run.mutateAsync,
    stop: () => stop.current.abort(),
    running: run.isPending,
    outcome: run.data,
    finished,
  }
}
