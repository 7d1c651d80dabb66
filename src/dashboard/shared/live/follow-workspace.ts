import type { EventKind } from '../../../contract/endpoints/events.ts'
import { events } from '../../../contract/endpoints/events.ts'
import { urlOf } from '../../../contract/url.ts'

export interface Change {
  kinds: readonly EventKind[]
  /** The signed-in user made all of these changes. */
  own: boolean
}

interface FollowOptions {
  onChange: (change: Change) => void
  /** Events may have been missed, because the stream was interrupted or is not available. */
  onGap: () => void
}

/** Interval between two polls while there is no stream. */
export const POLL_MS = 15_000
/** A browser does not reconnect after a refusal, so open the stream again after this time. */
const RETRY_MS = 60_000

/** Follows the changes in a workspace while the tab is visible; without a stream, calls `onGap` at an interval. */
export function followWorkspace(workspaceId: number, { onChange, onGap }: FollowOptions): () => void {
  let source: EventSource | undefined
  let polling: ReturnType<typeof setInterval> | undefined
  let retrying: ReturnType<typeof setTimeout> | undefined
  /** Whether events may have been missed since the stream was last open. */
  let missed = false

  function open(): void {
    clearTimeout(retrying)
    source = new EventSource(urlOf(events.follow, { params: { id: workspaceId } }))
    source.addEventListener('open', () => {
      clearInterval(polling)
      polling = undefined
      if (missed) onGap()
      missed = false
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as Change))
    source.addEventListener('error', () => {
      missed = true
      polling ??= setInterval(onGap, POLL_MS)
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(retrying)
      retrying = setTimeout(open, RETRY_MS)
    })
  }

  function close(): void {
    source?.close()
    source = undefined
    clearInterval(polling)
    polling = undefined
    clearTimeout(retrying)
  }

  // A browser has few connections for all tabs, and a hidden tab needs none.
  function showOrHide(): void {
    if (document.visibilityState === 'hidden') {
      close()
      missed = true
    } else if (!source) open()
  }

  document.addEventListener('visibilitychange', showOrHide)
  showOrHide()
  return () => {
    document.removeEventListener('visibilitychange', showOrHide)
    close()
  }
}
