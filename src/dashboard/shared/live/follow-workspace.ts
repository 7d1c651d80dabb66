import type { EventKind } from '../../../contract/events.ts'
import { events } from '../../../contract/events.ts'
import { urlOf } from '../../../contract/url.ts'

export interface Change {
  kinds: readonly EventKind[]
  /** All of it was done by the person who is signed in. */
  own: boolean
}

interface FollowOptions {
  onChange: (change: Change) => void
  /** Something may have been missed: events could not be heard for a while, or cannot be at all. */
  onGap: () => void
}

/** Between two looks where no stream is to be had. */
export const POLL_MS = 15_000
/** A browser gives up for good where it is refused; then we ask again after this. */
const RETRY_MS = 60_000

/** Listens to what changes in a workspace as long as the tab is in sight; without a stream it asks to look again and again. */
export function followWorkspace(workspaceId: number, { onChange, onGap }: FollowOptions): () => void {
  let source: EventSource | undefined
  let polling: ReturnType<typeof setInterval> | undefined
  let retrying: ReturnType<typeof setTimeout> | undefined
  /** Since the last moment at which nothing can have been missed. */
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

  // A browser has few connections for all tabs; one that nobody sees needs none.
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
