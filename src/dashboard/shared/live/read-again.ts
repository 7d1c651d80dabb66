import type { QueryClient } from '@tanstack/react-query'
import { activities } from '../../../contract/activities.ts'
import { refresh } from '../../api/query.ts'
import type { Change } from './follow-workspace.ts'

/** Changes that come in quick succession are read once. */
const SETTLE_MS = 150
/** The least time between two readings, for a room in which much happens. */
const REST_MS = 1000
/** Of one's own doing, such as an upload of thousands of files, which is read again by itself. */
const OWN_REST_MS = 3000
/** An action of this page reads again by itself; word of it comes back within this time. */
const ECHO_MS = 3000

/**
 * Reads what is on the screen again, after changes elsewhere: soon, but never beside an action of this page, which reads
 * by itself when it is done and whose foreseen outcome an earlier answer would undo.
 */
export function createReader(client: QueryClient) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = 0
  let actedAt = Number.NEGATIVE_INFINITY
  let all = false

  const unsubscribe = client.getMutationCache().subscribe(({ type }) => {
    if (type === 'updated') actedAt = Date.now()
  })

  function soon(everything: boolean, rest = REST_MS): void {
    all ||= everything
    timer ??= setTimeout(run, Math.max(SETTLE_MS, readAt + rest - Date.now()))
  }

  function run(): void {
    timer = undefined
    if (client.isMutating() > 0) return soon(false)
    readAt = Date.now()
    // That somebody read something shows in the record alone.
    void (all ? refresh(client) : client.invalidateQueries({ predicate: ofActivities }))
    all = false
  }

  return {
    change({ kinds, own }: Change): void {
      const echo = own && (client.isMutating() > 0 || Date.now() - actedAt < ECHO_MS)
      soon(!echo && kinds.some((kind) => kind !== 'activities'), own ? OWN_REST_MS : REST_MS)
    },
    everything: () => soon(true),
    stop(): void {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}

const PATHS = Object.values(activities).map(({ method, path }) => `${method} ${path}`)

const ofActivities = ({ queryKey: [endpoint] }: { queryKey: readonly unknown[] }) => PATHS.includes(String(endpoint))
